// What must hold after the faults: every unknown outcome can be found out, and nothing was lost or done twice.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { hear } from './load.js';

const AT_ONCE = 16;
const PATIENCE_MS = 30_000;

/** The end of every battery: each payment is found out, sent again and looked up, and the books are proven. */
export async function settleUp(demo, api, load) {
  const { unknown, happened, sentAgain } = await resolveUnknown(api, load.payments);
  console.log(`outcome unknown:        ${unknown}, of these had happened: ${happened}, sent again: ${sentAgain}`);
  const { replayed, applied } = await reckon(api, load);
  console.log(`replayed:               ${replayed}, all byte-identical; in the books, each once: ${applied}`);
  const { clean, report } = await demo.verify();
  console.log(report);
  if (!clean) throw new Error('koban verify found a broken invariant');
}

/** Finds out about every payment without an answer, by its key. */
async function resolveUnknown(api, payments) {
  const counts = { unknown: 0, happened: 0, sentAgain: 0 };
  const unknown = payments.filter(({ outcome }) => outcome === 'unknown');
  await each(unknown, async (payment) => {
    counts.unknown += 1;
    const state = await askedFor(api, payment.key);
    counts[state === 'never_seen' ? 'sentAgain' : 'happened'] += 1;
    hear(payment, await api.post('/payments', payment.body, payment.key));
    assert.notEqual(payment.outcome, 'unknown', `${payment.key} stays unknown after ${state}`);
  });
  return counts;
}

/** The state of a key's operation once it is none that passes. */
async function askedFor(api, key) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const { status, json } = await api.get(`/operations/${key}`);
    if (status === 200 && json.state !== 'in_flight') return json.state;
    await sleep(200);
  }
  throw new Error(`the operation ${key} stays in flight`);
}

/** Sends everything once more and looks at every account. */
async function reckon(api, load) {
  await each(load.payments, (payment) => isReplayed(api, payment));
  const applied = load.payments.filter(({ outcome }) => outcome === 'acknowledged');
  const ids = new Set(applied.map(({ text }) => JSON.parse(text).payment_id));
  assert.equal(ids.size, applied.length, 'two keys were answered with one payment');
  await each(applied, (payment) => isInTheBooks(api, payment));
  assert.deepEqual(await load.balances(), after(load.before, applied));
  return { replayed: load.payments.length, applied: applied.length };
}

/** The same key gets the same bytes, and the operation says the same. */
async function isReplayed(api, { key, body, text, outcome }) {
  const again = await api.post('/payments', body, key);
  assert.equal(again.status, outcome === 'acknowledged' ? 201 : 400, again.text);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal(again.text, text);
  const { json } = await api.get(`/operations/${key}`);
  assert.equal(json.state, outcome === 'acknowledged' ? 'succeeded' : 'declined');
  assert.deepEqual(json.answer, JSON.parse(text));
}

async function isInTheBooks(api, { body, text }) {
  const { status, json } = await api.get(`/payments/${JSON.parse(text).payment_id}`);
  assert.equal(status, 200);
  assert.equal(json.status, 'captured');
  assert.equal(json.amount, body.amount);
  assert.equal(json.payer_account_id, body.payer.account_id);
  assert.equal(json.merchant_account_id, body.merchant_account_id);
}

/** What everybody must hold after `payments`, each done once. */
function after(before, payments) {
  const held = { ...before };
  for (const { body } of payments) {
    held[body.payer.account_id] -= Number(body.amount);
    held[body.merchant_account_id] += Number(body.amount);
  }
  return held;
}

/** Does `work` for every one, some at a time. */
async function each(list, work) {
  const rest = list.values();
  const worker = async () => {
    for (const one of rest) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
