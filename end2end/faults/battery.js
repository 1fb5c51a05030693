// The fault battery: payments under load while the server and PostgreSQL are killed, and then the reckoning.
//
// `node faults/battery.js`, or with `--long` for more of the same; `--seed=N` repeats a run's choices.

import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Demo, town } from '../support/demo.js';
import { Api } from '../support/api.js';
import { Load } from './load.js';
import { killPostgres } from './postgres.js';
import { chance } from './chance.js';
import { reckon, resolveUnknown } from './reckoning.js';

const CLIENTS = 8;
/** After a fault, new payments must go through within this. */
const RECOVERY_MS = 30_000;
const RESULTS = fileURLToPath(new URL('../test-results/', import.meta.url));

const { values } = parseArgs({ options: { long: { type: 'boolean' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const rounds = values.long ? 15 : 3;
const random = chance(seed);
console.log(`faults: seed ${seed}, ${CLIENTS} clients, ${rounds} kills of the server and ${rounds} of PostgreSQL`);

const demo = await Demo.create();
try {
  await demo.start();
  await battle();
} finally {
  await demo.stop();
  await demo.remove();
}

async function battle() {
  mkdirSync(RESULTS, { recursive: true });
  const { base_url, api_keys, customers, merchants } = town(demo.data);
  const api = new Api(base_url, api_keys.integration);
  const load = await Load.begin(api, { customers, merchants, random, log: `${RESULTS}faults.jsonl` });
  load.start(CLIENTS);
  const recoveries = { server: [], postgres: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, strike] of Object.entries({ server: killServer, postgres: killDatabase })) {
      await sleep(500 + random() * 1_500);
      recoveries[what].push(await recovery(load, strike));
    }
  }
  await load.stop();
  const resolved = await resolveUnknown(api, load.payments);
  const reckoned = await reckon(api, load);
  const { clean, report } = await demo.verify();
  console.log(report);
  if (!clean) throw new Error('koban verify found a broken invariant');
  tell(load, recoveries, resolved, reckoned);
}

async function killServer() {
  await demo.kill();
  await demo.start();
}

/** The server notices and starts it again. */
async function killDatabase() {
  killPostgres(demo.data);
  await demo.ready(RECOVERY_MS);
}

/** Strikes, and says how long no new payment went through. */
async function recovery(load, strike) {
  const struckAt = Date.now();
  const lost = load.unknown();
  await strike();
  await load.succeedsBefore(struckAt + RECOVERY_MS);
  return { ms: Date.now() - struckAt, lost: load.unknown() - lost };
}

function tell(load, recoveries, resolved, reckoned) {
  const hits = (what) => recoveries[what].filter(({ lost }) => lost > 0).length;
  const longest = (what) => Math.max(...recoveries[what].map(({ ms }) => ms));
  console.log(`kills of the server:     ${rounds}, ${hits('server')} hit payments in flight, back within ${longest('server')} ms`);
  console.log(`kills of PostgreSQL:     ${rounds}, ${hits('postgres')} hit payments in flight, back within ${longest('postgres')} ms`);
  console.log(`sent:                    ${load.payments.length}`);
  console.log(`acknowledged at once:    ${load.count('acknowledged')}, declined at once: ${load.count('declined')}`);
  console.log(`outcome unknown:         ${resolved.unknown}, had happened: ${resolved.happened}, sent again: ${resolved.sentAgain}`);
  console.log(`replayed:                ${reckoned.replayed}, all byte-identical; in the books once: ${reckoned.applied}`);
}
