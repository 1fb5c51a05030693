// A till of the demo's first shop: paired with a code from the merchant's page, and topping up for cash.

import { town } from './demo.js';
import { beside, besides } from './laws.js';
import { signIn } from './people.js';

/** The shop's owner makes a code that pairs a device under `name`. */
export function pairingCode(name) {
  return besides({ script: false }, async (owner) => {
    await signIn(owner, 'merchant');
    await owner.open('/merchant/terminals');
    await owner.fill({ [owner.word('merchant.terminals.name')]: name });
    await owner.press(owner.word('merchant.terminals.make_code'));
    await owner.sees(owner.wording('merchant.terminals.code_until'));
    return owner.reads(/\d{4}-\d{4}/);
  });
}

/** `visit` becomes a till of the shop, and stands on its menu. */
export async function becomeTill(visit, name = 'Counter') {
  const code = await pairingCode(name);
  await visit.open('/terminal');
  await visit.fill({ [visit.word('terminal.pairing.code')]: code });
  await visit.press(visit.word('terminal.pairing.submit'));
  await visit.sees(visit.word('terminal.menu.pay'));
}

let till;

/** Tops a customer up for cash, at the one till that a test file keeps for this. */
export async function topUp(code, amount) {
  if (!till) {
    till = await beside({ script: false });
    await becomeTill(till, 'Cash desk');
  }
  await openTill(till, 'top-ups');
  await till.fill({
    [till.word('terminal.payer.code_or_card')]: code,
    [till.word('terminal.top_up.amount')]: String(amount),
  });
  await till.press(till.word('terminal.top_up.submit'));
  await till.at(TOPPED_UP);
}

export const TOPPED_UP = /^\/terminal\/top-ups\/[0-9a-f-]{36}$/;
export const TAKEN = /^\/terminal\/payments\/[0-9a-f-]{36}$/;

/** Opens the form for the next customer: what was done before is left behind on purpose. */
export async function openTill(visit, noun) {
  await visit.open(`/terminal/${noun}/new`);
  const isDone = await visit.page.getByText(visit.word('money_form.done_title')).isVisible();
  if (isDone) await visit.press(visit.word('money_form.again'));
}

/** A customer of the demo who has a plastic card. */
export function cardHolder(index = 0) {
  return town().customers[index];
}
