// A payment is made once, however often its form is sent.

import assert from 'node:assert/strict';

import { everyWay } from '../support/laws.js';
import { enter } from '../support/people.js';
import { shop, onceMore, openPayment, pay, payButton, receipt, timesPaid } from '../support/shops.js';
import { Wallet } from '../support/wallets.js';
import { yen } from '../support/words.js';

everyWay('a payment by link is one debit: double click, Back, reload, a second tab', async (visit) => {
  const wallet = await Wallet.create(visit, 10_000);
  const first = await visit.newTab();
  await openPayment(visit, '500');
  const second = await visit.newTab();
  await openPayment(visit, '500');

  visit.turnTo(first);
  await payButton(visit).dblclick();
  const paid = await receipt(visit);
  await visit.sees(visit.word('components.status.captured'));
  await visit.sees(yen(500));
  await first.reload();
  assert.equal(await receipt(visit), paid);
  await first.goBack();
  await visit.sees(visit.word('money_form.done_title'));

  visit.turnTo(second);
  await pay(visit);
  assert.equal(await receipt(visit), paid);
  await visit.newTab();
  await openPayment(visit, '500');
  await visit.sees(visit.word('money_form.done_title'));
  await visit.follow(visit.word('money_form.show_result'));
  assert.equal(await receipt(visit), paid);

  await wallet.holds(9_500);
  assert.equal(await timesPaid(visit, 500), 1);
});

everyWay('two tabs that send at once make one debit', async (visit) => {
  const wallet = await Wallet.create(visit, 10_000);
  const tabs = [visit.page, await visit.newTab()];
  const paid = [];
  for (const tab of tabs) {
    visit.turnTo(tab);
    await openPayment(visit, '700');
  }
  await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: visit.word('customer.pay.submit_amount', '¥700') }).click()));
  for (const tab of tabs) {
    visit.turnTo(tab);
    paid.push(await receipt(visit));
  }
  assert.equal(paid[0], paid[1]);
  await wallet.holds(9_300);
});

everyWay('Enter and a click make one debit', async (visit) => {
  const wallet = await Wallet.create(visit, 10_000);
  await openPayment(visit, '600');
  const field = visit.field(visit.word('customer.pay.amount'));
  await Promise.all([
    field.press('Enter'),
    // The page may have gone before the click.
    payButton(visit).click({ timeout: 1_000 }).catch(() => {}),
  ]);
  await receipt(visit);
  await wallet.holds(9_400);
  assert.equal(await timesPaid(visit, 600), 1);
});

everyWay('who was signed out while the form was open signs in and pays once', async (visit) => {
  const wallet = await Wallet.create(visit, 10_000);
  await openPayment(visit, '800');
  await visit.context.clearCookies();
  await pay(visit);
  await visit.at('/customer/sign-in');
  const { address, password } = wallet.person;
  await enter(visit, { address, password }, visit.word('identity.sign_in'));
  // The browser's half remembers what was sent and goes on with it; without it, the form is sent again.
  if (!visit.script) await pay(visit, '800');
  await receipt(visit);
  await wallet.holds(9_200);
});

everyWay('once more, on purpose, is a second payment', async (visit) => {
  const wallet = await Wallet.create(visit, 10_000);
  await openPayment(visit, '300');
  await pay(visit);
  const first = await receipt(visit);
  await openPayment(visit, '300');
  await onceMore(visit);
  await pay(visit, '300');
  const second = await receipt(visit);
  assert.notEqual(first, second);
  await wallet.holds(9_400);
  assert.equal(await timesPaid(visit, 300), 2);
});

everyWay('a shop is found by its code, however it is typed', async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  const { code } = shop();
  await visit.open('/customer/pay');
  await visit.fill({ [visit.word('customer.pay.code')]: 'ZZZZ-ZZZZ' });
  await visit.press(visit.word('customer.pay.next'));
  await visit.sees(visit.word('problem.shop_not_found'));
  await visit.fill({ [visit.word('customer.pay.code')]: ` ${code.slice(0, 4)}-${code.slice(4).toLowerCase()} ` });
  await visit.press(visit.word('customer.pay.next'));
  await visit.at(`/pay/${code}`);
  await pay(visit, '250');
  await receipt(visit);
  await wallet.holds(1_750);
});
