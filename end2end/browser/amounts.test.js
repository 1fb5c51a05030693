// What people type into an amount is taken when it means one thing, and refused beside the field when it does not.

import assert from 'node:assert/strict';

import { everyWay } from '../support/laws.js';
import { onceMore, openPayment, pay, receipt } from '../support/shops.js';
import { Wallet } from '../support/wallets.js';
import { yen } from '../support/words.js';

const REFUSED = {
  '1e3': 'amount_malformed',
  '1_000': 'amount_malformed',
  '1 000': 'amount_malformed',
  '1,00': 'amount_malformed',
  '１e3': 'amount_malformed',
  '0x10': 'amount_malformed',
  '-5': 'amount_not_positive',
  '+5': 'amount_malformed',
  '   ': 'amount_malformed',
  '0': 'amount_not_positive',
  '1.5': 'amount_too_many_decimals',
  '1000000000000000': 'amount_too_large',
};
const TAKEN = ['１，０００', '1,000', '1000円', ' 1000 ', '¥1,000'];

everyWay('an ambiguous amount is refused beside its field, and stays as it was typed', async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await openPayment(visit);
  for (const [typed, problem] of Object.entries(REFUSED)) {
    await pay(visit, typed);
    await isRefused(visit, typed, visit.word(`problem.${problem}`));
  }
  await wallet.holds(5_000);
  await pay(visit, '1000');
  await receipt(visit);
  await wallet.holds(4_000);
});

everyWay('an amount that can mean one thing only is taken', async (visit) => {
  const wallet = await Wallet.create(visit, 10_000);
  for (const [index, typed] of TAKEN.entries()) {
    await openPayment(visit);
    if (index > 0) await onceMore(visit);
    await pay(visit, typed);
    await receipt(visit);
    await visit.sees(yen(1_000));
  }
  await wallet.holds(5_000);
});

everyWay('a link can not turn its amount into another one', async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await openPayment(visit, '1e3');
  assert.equal(await amountField(visit).inputValue(), '1e3');
  await pay(visit);
  await isRefused(visit, '1e3', visit.word('problem.amount_malformed'));
  await wallet.holds(5_000);
});

everyWay('an empty amount is not sent', async (visit) => {
  const wallet = await Wallet.create(visit, 1_000);
  await openPayment(visit);
  await pay(visit, '');
  assert.ok(await amountField(visit).evaluate((field) => field.validity.valueMissing));
  await visit.at(/^\/pay\//);
  await wallet.holds(1_000);
});

everyWay('more than there is moves nothing, says so, and the form can be sent again', async (visit) => {
  const wallet = await Wallet.create(visit, 1_000);
  await openPayment(visit);
  await pay(visit, '5000');
  await isRefused(visit, '5000', visit.word('problem.insufficient'));
  await wallet.holds(1_000);
  await pay(visit, '400');
  await receipt(visit);
  await wallet.holds(600);
});

function amountField(visit) {
  return visit.field(visit.word('customer.pay.amount'));
}

/** The message belongs to the field, for those who hear it too, and the text is still there. */
async function isRefused(visit, typed, message) {
  await visit.listens();
  await visit.sees(message);
  const described = await amountField(visit).getAttribute('aria-describedby');
  const texts = await Promise.all(described.split(' ').map((id) => visit.page.locator(`[id="${id}"]`).innerText()));
  assert.ok(texts.some((text) => text.includes(message)), 'the message is not told with the field');
  assert.equal(await amountField(visit).getAttribute('aria-invalid'), 'true', `${typed}: the field is not marked`);
  assert.equal(await amountField(visit).inputValue(), typed);
}
