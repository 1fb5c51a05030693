// A till: paired by its shop, paid at by code or card, and never left with a customer's secret.

import assert from 'node:assert/strict';

import { withVisit } from '../support/browsers.js';
import { town } from '../support/demo.js';
import { everyWay, tried } from '../support/laws.js';
import { TAKEN, TOPPED_UP, becomeTill, fillCard, fillCode, fillTopUp, openTill, takeByCard, tillButton } from '../support/till.js';
import { heldFor, lostAfter } from '../support/networks.js';
import { ownCode, signIn, signUp } from '../support/people.js';
import { openPayment, pay, receipt, timesPaid } from '../support/shops.js';
import { Wallet, integration } from '../support/wallets.js';
import { yen } from '../support/words.js';

everyWay('cash at the till becomes a payment by link, once each', async (visit) => {
  await becomeTill(visit);
  await withVisit({ script: visit.script }, async (customer) => {
    await signUp(customer);
    const code = await ownCode(customer);
    await openTill(visit, 'top-ups');
    await fillTopUp(visit, code, '3000');
    await tillButton(visit, 'top_up').dblclick();
    await visit.at(TOPPED_UP);
    await visit.sees(yen(3_030));
    await visit.page.reload();
    await visit.sees(yen(3_030));
    await visit.page.goBack();
    await visit.sees(visit.word('money_form.done_title'));

    await openPayment(customer, '1200');
    await pay(customer);
    const { json } = await integration().get(`/payments/${await receipt(customer)}`);
    assert.equal(await integration().balance(json.payer_account_id), 1_830);
    assert.equal(await timesPaid(customer, 1_200), 1);
  });
});

everyWay('a till takes a payment by the customer’s code', async (visit) => {
  await becomeTill(visit);
  await withVisit({ script: false }, async (customer) => {
    const wallet = await Wallet.create(customer, 4_000);
    await fillCode(visit, wallet.code.toLowerCase(), '1,500');
    await tillButton(visit, 'pay').dblclick();
    await visit.at(TAKEN);
    await visit.seesHeading(visit.word('terminal.pay.done'));
    await visit.sees(yen(1_500));
    await wallet.holds(2_500);

    await fillCode(visit, wallet.code, '9000');
    await tillButton(visit, 'pay').click();
    await visit.sees(visit.word('problem.insufficient'));
    await wallet.holds(2_500);
  });
});

everyWay('a card needs its PIN, and the PIN is kept nowhere', async (visit) => {
  await becomeTill(visit);
  const { account_id, card } = town().customers[visit.script ? 0 : 1];
  const before = await integration().balance(account_id);
  await fillCard(visit, { ...card, pin: '0000' }, '100');
  await tillButton(visit, 'pay').click();
  await visit.sees(visit.word('problem.wrong_pin'));
  assert.equal(await integration().balance(account_id), before);
  await isNotKept(visit, '0000');

  await takeByCard(visit, card, '100');
  await visit.seesHeading(visit.word('terminal.pay.done'));
  assert.equal(await integration().balance(account_id), before - 100);
  await isNotKept(visit, card.pin);
});

everyWay('a pairing code works once, and a revoked till takes nothing', async (visit) => {
  const name = `Till ${visit.script ? 'A' : 'B'}`;
  await becomeTill(visit, name);
  await visit.context.clearCookies({ name: 'koban-terminal' });
  await visit.open('/terminal');
  await visit.fill({ [visit.word('terminal.pairing.code')]: '0000-0000' });
  await visit.press(visit.word('terminal.pairing.submit'));
  await visit.sees(visit.word('problem.wrong_pairing_code'));

  await becomeTill(visit, `${name} again`);
  await withVisit({ script: visit.script }, (owner) => revoke(owner, `${name} again`));
  await visit.open('/terminal/payments/new');
  await visit.at('/terminal');
  await visit.sees(visit.word('terminal.pairing.title'));
});

tried('a lost answer at the till is asked for, without the PIN', {}, async (visit) => {
  await becomeTill(visit);
  const { account_id, card } = town().customers[2];
  const before = await integration().balance(account_id);
  await fillCard(visit, card, '100');
  await visit.page.route('**/fn/take_payment*', lostAfter, { times: 1 });
  await visit.page.route('**/fn/check_progress*', heldFor(1_000));
  await tillButton(visit, 'pay').click();
  await visit.sees(visit.word('money_form.checking_title'));
  const stored = await visit.page.evaluate(() => JSON.stringify(localStorage));
  assert.doesNotMatch(stored, new RegExp(card.pin));
  await visit.at(TAKEN);
  assert.equal(await integration().balance(account_id), before - 100);
});

async function revoke(owner, name) {
  await signIn(owner, 'merchant');
  await owner.open('/merchant/terminals');
  const row = owner.main().getByRole('listitem').filter({ hasText: name });
  await row.getByRole('link', { name: owner.word('merchant.terminals.revoke') }).click();
  await owner.sees(owner.word('merchant.terminals.revoke_title', name));
  await owner.press(owner.word('merchant.terminals.revoke'));
  await row.getByText(owner.word('merchant.terminals.revoked')).waitFor();
}

/** Not in the address, not in the browser's stores, not in the page that follows. */
async function isNotKept(visit, pin) {
  assert.ok(!visit.page.url().includes(pin), 'the PIN is in the address');
  const kept = await visit.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!kept.includes(`"${pin}"`), 'the PIN is stored');
  const typed = await visit.page.getByRole('main').locator('input').evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(!typed.includes(pin), 'the PIN is still in the form');
}
