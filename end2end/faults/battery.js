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
import { settleUp } from './reckoning.js';

const CLIENTS = 16;
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
  const faults = { 'the server': [], PostgreSQL: [] };
  for (let round = 0; round < rounds; round += 1) {
    faults['the server'].push(await strike(load, killServer));
    faults.PostgreSQL.push(await strike(load, killDatabase));
  }
  await load.stop();
  for (const [what, struck] of Object.entries(faults)) tellFaults(load, what, struck);
  tellLoad(load);
  await settleUp(demo, api, load);
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

/** After a while of load, does `kill`; says when, and how long no new payment went through. */
async function strike(load, kill) {
  await sleep(500 + random() * 1_500);
  const at = Date.now();
  await kill();
  await load.succeedsBefore(at + RECOVERY_MS);
  return { at, ms: Date.now() - at };
}

function tellFaults(load, what, struck) {
  const hits = struck.filter(({ at }) => load.cutOff(at) > 0).length;
  const longest = Math.max(...struck.map(({ ms }) => ms));
  console.log(`kills of ${what}: `.padEnd(24) + `${struck.length}, ${hits} hit payments in flight; payments again within ${longest} ms`);
}

function tellLoad(load) {
  console.log(`payments sent:          ${load.payments.length}`);
  console.log(`acknowledged:           ${load.count('acknowledged')}, declined: ${load.count('declined')}`);
}
