// The shop returns money: a part, then the rest, never more, and the customer's receipt says so.

import assert from 'node:assert/strict';

import { newVisit } from '../support/browsers.js';
import { everyWay } from '../support/laws.js';
import { signIn } from '../support/people.js';
import { openPayment, pay, receipt } from '../support/shops.js';
import { Wallet } from '../support/wallets.js';
import { yen } from '../support/words.js';

everyWay('a payment is refunded in parts, never above what was paid', async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  await openPayment(visit, '1000');
  await pay(visit);
  const payment = await receipt(visit);
  const owner = await newVisit({ script: visit.script });
  await signIn(owner, 'merchant');
  await owner.open(`/merchant/payments/${payment}`);

  await refund(owner, '1200');
  await owner.sees(owner.wording('problem.refund_exceeds'));
  await wallet.holds(1_000);

  await refund(owner, '400');
  await owner.sees(owner.word('merchant.refund.done', '¥400'));
  await owner.sees(owner.word('components.status.partially_refunded'));
  await wallet.holds(1_400);

  await owner.open(`/merchant/payments/${payment}`);
  await again(owner);
  await refund(owner, '601');
  await owner.sees(owner.wording('problem.refund_exceeds'));
  await refund(owner, '600');
  await owner.sees(owner.word('merchant.refund.done', '¥600'));
  await wallet.holds(2_000);
  assert.equal(await submit(owner).count(), 0, 'nothing is left to refund');

  await visit.open(`/customer/payments/${payment}`);
  await visit.sees(visit.word('components.status.refunded'));
  await visit.sees(yen(400));
  await visit.sees(yen(600));
  await visit.sees('wrong size');
  owner.complainsNothing();
  await owner.end();
});

everyWay('a refund that is sent twice is one', async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  await openPayment(visit, '1000');
  await pay(visit);
  const payment = await receipt(visit);
  const owner = await newVisit({ script: visit.script });
  await signIn(owner, 'merchant');
  const first = owner.page;
  await owner.open(`/merchant/payments/${payment}`);
  const second = await owner.newTab();
  await owner.open(`/merchant/payments/${payment}`);
  for (const tab of [first, second]) {
    owner.turnTo(tab);
    await fill(owner, '300');
    await submit(owner).dblclick();
    await owner.sees(owner.word('merchant.refund.done', '¥300'));
  }
  await wallet.holds(1_300);
  await owner.end();
});

everyWay('a refund of nothing, or without a reason, is refused at its field', async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  await openPayment(visit, '1000');
  await pay(visit);
  const payment = await receipt(visit);
  const owner = await newVisit({ script: visit.script });
  await signIn(owner, 'merchant');
  await owner.open(`/merchant/payments/${payment}`);
  const cases = [
    ['0', 'wrong size', 'amount_not_positive'],
    ['-1', 'wrong size', 'amount_malformed'],
    ['1.5', 'wrong size', 'amount_too_many_decimals'],
    ['100', '   ', 'text_empty'],
  ];
  for (const [amount, reason, problem] of cases) {
    await refund(owner, amount, reason);
    await owner.sees(owner.word(`problem.${problem}`));
  }
  await wallet.holds(1_000);
  await owner.end();
});

async function refund(owner, amount, reason) {
  await fill(owner, amount, reason);
  await submit(owner).click();
}

async function fill(owner, amount, reason = 'wrong size') {
  await owner.fill({
    [owner.word('merchant.refund.amount')]: amount,
    [owner.word('merchant.refund.reason')]: reason,
  });
}

function submit(owner) {
  const names = ['submit', 'submit_amount'].map((name) => owner.wording(`merchant.refund.${name}`).source);
  return owner.main().getByRole('button', { name: new RegExp(names.join('|')) });
}

/** From the page that says that the refund was done: another one, on purpose. */
async function again(owner) {
  await owner.sees(owner.word('money_form.done_title'));
  await owner.press(owner.word('money_form.again'));
  await submit(owner).waitFor();
}
