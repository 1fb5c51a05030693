// The shop returns money: a part, then the rest, never more, and the customer's receipt says so.

import assert from 'node:assert/strict';

import { withVisit } from '../support/browsers.js';
import { everyWay } from '../support/laws.js';
import { signIn } from '../support/people.js';
import { openPayment, pay, receipt } from '../support/shops.js';
import { Wallet } from '../support/wallets.js';
import { yen } from '../support/words.js';

const REASON = 'wrong size';
const REFUSED = [
  ['0', REASON, 'amount_not_positive'],
  ['-1', REASON, 'amount_not_positive'],
  ['1.5', REASON, 'amount_too_many_decimals'],
  ['1e2', REASON, 'amount_malformed'],
  ['100', '   ', 'text_empty'],
];

everyWay('a payment is refunded in parts, never above what was paid', async (visit) => {
  const { wallet, payment } = await paid(visit, '1000');
  await asOwner(visit, async (owner) => {
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
  });
  await visit.open(`/customer/payments/${payment}`);
  for (const text of [visit.word('components.status.refunded'), yen(400), yen(600), REASON]) await visit.sees(text);
});

everyWay('a refund that is sent twice is one', async (visit) => {
  const { wallet, payment } = await paid(visit, '1000');
  await asOwner(visit, async (owner) => {
    const tabs = [owner.page, await owner.newTab()];
    for (const tab of tabs) {
      owner.turnTo(tab);
      await owner.open(`/merchant/payments/${payment}`);
    }
    for (const tab of tabs) {
      owner.turnTo(tab);
      await fill(owner, '300');
      await submit(owner).dblclick();
      await owner.sees(owner.word('merchant.refund.done', '¥300'));
    }
  });
  await wallet.holds(1_300);
});

everyWay('a refund of nothing, or without a reason, is refused at its field', async (visit) => {
  const { wallet, payment } = await paid(visit, '1000');
  await asOwner(visit, async (owner) => {
    await owner.open(`/merchant/payments/${payment}`);
    for (const [amount, reason, problem] of REFUSED) {
      await refund(owner, amount, reason);
      await owner.sees(owner.word(`problem.${problem}`));
    }
  });
  await wallet.holds(1_000);
});

/** A new customer with 2,000 pays the shop. */
async function paid(visit, amount) {
  const wallet = await Wallet.create(visit, 2_000);
  await openPayment(visit, amount);
  await pay(visit);
  return { wallet, payment: await receipt(visit) };
}

/** What the shop's owner does, in a browser like the visitor's. */
function asOwner({ script }, body) {
  return withVisit({ script }, async (owner) => {
    await signIn(owner, 'merchant');
    await body(owner);
    owner.complainsNothing();
  });
}

async function refund(owner, amount, reason) {
  await fill(owner, amount, reason);
  await submit(owner).click();
}

async function fill(owner, amount, reason = REASON) {
  await owner.fill({
    [owner.word('merchant.refund.amount')]: amount,
    [owner.word('merchant.refund.reason')]: reason,
  });
}

function submit(owner) {
  return owner.sender('merchant.refund.submit', 'merchant.refund.submit_amount');
}

/** From the page that says that the refund was done: another one, on purpose. */
async function again(owner) {
  await owner.sees(owner.word('money_form.done_title'));
  await owner.press(owner.word('money_form.again'));
  await submit(owner).waitFor();
}
