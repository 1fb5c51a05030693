// Paying a shop through the pages of the wallet.

import { town } from './demo.js';

/** The shop that the tests pay; the demo's own history is with others too. */
export const shop = () => town().merchants[0];

export const RECEIPT = /^\/customer\/payments\/[0-9a-f-]{36}$/;

/** Opens the form that a shop's link leads to. */
export async function openPayment(visit, amount = '', to = shop()) {
  const query = amount === '' ? '' : `?${new URLSearchParams({ amount, asset: 'ECOPAY' })}`;
  await visit.open(`/pay/${to.code}${query}`);
}

/** The button that pays; with JavaScript it names the amount that was typed. */
export function payButton(visit) {
  return visit.sender('customer.pay.submit', 'customer.pay.submit_amount');
}

/** Sends the form; does not wait for what comes of it. */
export async function pay(visit, amount) {
  if (amount !== undefined) await visit.fill({ [visit.word('customer.pay.amount')]: amount });
  await visit.listens();
  await payButton(visit).click();
}

/** Waits for the receipt; returns the payment's id. */
export async function receipt(visit) {
  const { pathname } = await visit.at(RECEIPT);
  await visit.seesHeading(visit.word('customer.receipt.title'));
  return pathname.split('/').at(-1);
}

/** From the page that says that it was done: once more, on purpose. */
export async function onceMore(visit) {
  await visit.sees(visit.word('money_form.done_title'));
  await visit.press(visit.word('money_form.again'));
  await payButton(visit).waitFor();
}

/** How often `amount` went to the shop, as the history shows it. */
export async function timesPaid(visit, amount, to = shop()) {
  await visit.open('/customer/movements');
  await visit.seesHeading(visit.word('customer.movements.title'));
  const digits = amount.toLocaleString('en-US');
  const rows = visit.main().getByRole('listitem').filter({ hasText: to.name });
  return rows.filter({ hasText: new RegExp(`−\\s*¥\\s*${digits}(?![\\d,])`) }).count();
}
