// An answer that gets lost is asked for: nobody is told that a payment failed while nobody knows.

import assert from 'node:assert/strict';

import { tried } from '../support/laws.js';
import { heldFor, late, lostAfter, lostBefore } from '../support/networks.js';
import { RECEIPT, openPayment, pay, payButton, receipt, shop, timesPaid } from '../support/shops.js';
import { Wallet } from '../support/wallets.js';

const SENT = '**/fn/send_payment*';
const ASKED = '**/fn/check_progress*';
/** Time enough to see what the page says meanwhile. */
const A_LOOK_MS = 1_000;
/** Longer than the browser's half waits for an answer. */
const TOO_LONG_MS = 12_000;

tried('an answer lost on its way back ends on the receipt', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.page.route(SENT, lostAfter, { times: 1 });
  await visit.page.route(ASKED, heldFor(A_LOOK_MS));
  await sentWithoutAnswer(visit);
  await endsWithOneDebit(visit, wallet);
});

tried('a request that never arrives is sent again under its key', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.page.route(SENT, lostBefore, { times: 1 });
  await visit.page.route(ASKED, heldFor(A_LOOK_MS));
  await sentWithoutAnswer(visit);
  await endsWithOneDebit(visit, wallet);
});

tried('an answer that takes too long is asked for', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.page.route(SENT, late(TOO_LONG_MS), { times: 1 });
  await visit.page.route(ASKED, heldFor(A_LOOK_MS));
  await sentWithoutAnswer(visit);
  await endsWithOneDebit(visit, wallet);
});

tried('a network that comes back ends on the receipt', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await openPayment(visit, '900');
  await visit.context.setOffline(true);
  await pay(visit);
  await isChecking(visit);
  await visit.context.setOffline(false);
  await endsWithOneDebit(visit, wallet);
});

tried('a reload while checking goes on from there: what arrived is found', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.page.route(SENT, lostAfter);
  await visit.page.route(ASKED, lostBefore);
  await sentWithoutAnswer(visit);
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.page.reload();
  await visit.sees(visit.word('money_form.done_title'));
  await visit.follow(visit.word('money_form.show_result'));
  await endsWithOneDebit(visit, wallet);
});

tried('a reload while checking goes on from there: what did not arrive is sent again', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.page.route(SENT, lostBefore);
  await visit.page.route(ASKED, lostBefore);
  await sentWithoutAnswer(visit);
  await visit.page.unrouteAll({ behavior: 'ignoreErrors' });
  await visit.page.reload();
  await endsWithOneDebit(visit, wallet);
});

tried('a second tab goes on where the first one was closed', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.page.route(SENT, lostBefore);
  await visit.page.route(ASKED, lostBefore);
  await sentWithoutAnswer(visit);
  const closed = visit.page;
  await visit.newTab();
  await closed.close();
  await openPayment(visit, '900');
  await endsWithOneDebit(visit, wallet);
});

tried('without its WASM half a page is a plain form', { wasm: false }, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await openPayment(visit, '900');
  await pay(visit);
  await endsWithOneDebit(visit, wallet);
  visit.complaints.length = 0;
});

tried('while its WASM half is on the way, a page is a plain form', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 5_000);
  await visit.context.route('**/*.wasm', heldFor(6_000));
  await visit.page.goto(`/pay/${shop().code}?amount=900&asset=ECOPAY`, { waitUntil: 'commit' });
  await payButton(visit).click();
  await visit.at(RECEIPT);
  await wallet.holds(4_100);
});

tried('going back before the WASM half arrives shows the page of the address', {}, async (visit) => {
  await Wallet.create(visit, 5_000);
  await openPayment(visit, '900');
  await pay(visit);
  await visit.at(RECEIPT);
  await visit.context.route('**/*.wasm', heldFor(2_000));
  await visit.page.reload({ waitUntil: 'domcontentloaded' });
  await visit.page.goBack({ waitUntil: 'commit' });
  await visit.sees(visit.word('money_form.done_title'));
  assert.equal(await visit.page.locator('h1').count(), 1);
});

/** Presses the button; the answer does not come, and the page says that it is checking. */
async function sentWithoutAnswer(visit) {
  await openPayment(visit, '900');
  await pay(visit);
  await isChecking(visit);
}

/** *Checking* stands there, the form can't be sent, and no failure is told. */
async function isChecking(visit) {
  await visit.sees(visit.word('money_form.checking_title'));
  assert.equal(await visit.page.getByRole('alert').count(), 0);
  assert.ok(await visit.button(visit.word('money_form.checking')).isDisabled());
}

async function endsWithOneDebit(visit, wallet) {
  await receipt(visit);
  await wallet.holds(4_100);
  assert.equal(await timesPaid(visit, 900), 1);
}
