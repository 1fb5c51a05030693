// A till of the demo's first shop: paired with a code from the merchant's page, and topping up for cash.

import { newVisit, withVisit } from './browsers.js';
import { signIn } from './people.js';

const PAIRING_CODE = /\b\d{4}-\d{4}\b/;

/** The shop's owner makes a code that pairs a device under `name`. */
export function pairingCode(name) {
  return withVisit({ script: false }, async (owner) => {
    await signIn(owner, 'merchant');
    await owner.open('/merchant/terminals');
    await owner.fill({ [owner.word('merchant.terminals.name')]: name });
    await owner.press(owner.word('merchant.terminals.make_code'));
    await owner.sees(PAIRING_CODE);
    return owner.reads(PAIRING_CODE);
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
    till = await newVisit({ script: false });
    await becomeTill(till, 'Cash desk');
  }
  await topUpAt(till, code, String(amount));
}

export const TOPPED_UP = /^\/terminal\/top-ups\/[0-9a-f-]{36}$/;
export const TAKEN = /^\/terminal\/payments\/[0-9a-f-]{36}$/;

/** Opens the form for the next customer: what was done before is left behind on purpose. */
export async function openTill(visit, noun) {
  await visit.open(`/terminal/${noun}/new`);
  const isDone = await visit.page.getByText(visit.word('money_form.done_title')).isVisible();
  if (!isDone) return;
  await visit.press(visit.word('money_form.again'));
  await visit.page.getByText(visit.word('money_form.done_title')).waitFor({ state: 'hidden' });
}

/** The button of the form `pay` or `top_up`; with JavaScript it names the amount that was typed. */
export function tillButton(visit, form) {
  return visit.sender(`terminal.${form}.submit`, `terminal.${form}.submit_amount`);
}

export async function fillTopUp(visit, code, amount) {
  await visit.fill({
    [visit.word('terminal.payer.code_or_card')]: code,
    [visit.word('terminal.top_up.amount')]: amount,
  });
}

/** Tops up and returns the address of the result. */
export async function topUpAt(visit, code, amount) {
  await openTill(visit, 'top-ups');
  await fillTopUp(visit, code, amount);
  await tillButton(visit, 'top_up').click();
  return (await visit.at(TOPPED_UP)).pathname;
}

/** Opens the form of a payment and fills it in with the customer's code. */
export async function fillCode(visit, code, amount) {
  await openTill(visit, 'payments');
  await visit.fill({ [visit.word('terminal.pay.amount')]: amount, [visit.word('terminal.payer.code')]: code });
}

/** Opens the form of a payment and fills it in with a card and a PIN. */
export async function fillCard(visit, { card_number, pin }, amount) {
  await openTill(visit, 'payments');
  await visit.follow(visit.word('terminal.payer.use_card'));
  await visit.field(visit.word('terminal.payer.pin')).waitFor();
  await visit.fill({
    [visit.word('terminal.pay.amount')]: amount,
    [visit.word('terminal.payer.card_number')]: card_number,
    [visit.word('terminal.payer.pin')]: pin,
  });
}

/** Takes a payment by card and returns the address of the result. */
export async function takeByCard(visit, card, amount) {
  await fillCard(visit, card, amount);
  await tillButton(visit, 'pay').click();
  return (await visit.at(TAKEN)).pathname;
}
