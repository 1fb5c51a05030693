// The administration sees what is in circulation and what was sent twice.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { town } from '../support/demo.js';
import { everyWay } from '../support/laws.js';
import { signIn } from '../support/people.js';
import { integration } from '../support/wallets.js';

/** Counters are kept in memory and written each second. */
const COUNTED_MS = 1_500;

everyWay('a replay, a missing key and a reused key are counted', async (visit) => {
  await signIn(visit, 'admin');
  await visit.open('/admin');
  const before = await counters(visit);
  await sendTwice();
  await sleep(COUNTED_MS);
  await visit.open('/admin');
  const after = await counters(visit);
  for (const name of ['replay', 'key_missing', 'key_reused']) {
    assert.equal(after[name], before[name] + 1, name);
  }
});

everyWay('money in circulation is what everybody holds', async (visit) => {
  await signIn(visit, 'admin');
  await visit.open('/admin');
  const before = await circulation(visit);
  await integration().post('/top-ups', { account_id: town().customers[0].account_id, asset: 'ECOPAY', amount: '100' });
  await visit.page.reload();
  assert.equal(await circulation(visit), before + 101);
});

everyWay('customers are listed with what they hold', async (visit) => {
  await signIn(visit, 'admin');
  await visit.open('/admin/customers');
  const { name, code } = town().customers[0];
  const row = visit.main().getByRole('row').filter({ hasText: name });
  await row.getByText(code.slice(-4)).waitFor();
  assert.ok(!(await row.innerText()).includes(code));
});

/** One payment, its replay, one without a key, and another one under the key of the first. */
async function sendTwice() {
  const [customer, merchant] = [town().customers[0], town().merchants[1]];
  const payment = (amount) => ({
    payer: { account_id: customer.account_id },
    merchant_account_id: merchant.account_id,
    asset: 'ECOPAY',
    amount,
  });
  const key = randomUUID();
  const statuses = [];
  for (const [amount, used] of [['10', key], ['10', key], ['10', null], ['11', key]]) {
    statuses.push((await integration().post('/payments', payment(amount), used)).status);
  }
  assert.deepEqual(statuses, [201, 201, 201, 422]);
}

async function counters(visit) {
  const names = ['replay', 'key_missing', 'key_reused'];
  const counted = names.map(async (name) => [name, await figure(visit, visit.word(`admin.overview.${name}`))]);
  return Object.fromEntries(await Promise.all(counted));
}

function circulation(visit) {
  return figure(visit, 'Ecopay');
}

/** The number under a label. */
async function figure(visit, label) {
  const text = await visit.main().innerText();
  const found = text.match(new RegExp(`^${label}\\s+¥?\\s*([\\d,]+)`, 'm'));
  assert.ok(found, `there is no number under ${label}`);
  return Number(found[1].replaceAll(',', ''));
}
