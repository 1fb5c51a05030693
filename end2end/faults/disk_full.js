// Payments while the disk under PostgreSQL is full, and then the reckoning: `npm run disk-full`, as root, who may mount
// the small file system that it fills.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Demo, town } from '../support/demo.js';
import { Api } from '../support/api.js';
import { Load } from './load.js';
import { chance } from './chance.js';
import { settleUp } from './reckoning.js';

const CLIENTS = 8;
const DISK = '240m';
const REFUSAL = '503 UNAVAILABLE';
/** That many refusals are enough to have seen how it answers. */
const REFUSALS = 40;
const PATIENCE_MS = 120_000;
const RESULTS = fileURLToPath(new URL('../test-results/', import.meta.url));

const demo = await Demo.create();
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'koban', demo.data]);
try {
  await demo.start();
  await battle();
} finally {
  await demo.stop();
  execFileSync('umount', ['--lazy', demo.data]);
  await demo.remove();
}

async function battle() {
  mkdirSync(RESULTS, { recursive: true });
  const { base_url, api_keys, customers, merchants } = town(demo.data);
  const api = new Api(base_url, api_keys.integration);
  const log = `${RESULTS}disk_full.jsonl`;
  const load = await Load.begin(api, { customers, merchants, random: chance(1), log });
  load.start(CLIENTS);
  await load.succeedsBefore(Date.now() + PATIENCE_MS);
  const ballast = fill(demo.data);
  await isRefused(load);
  const freeAt = Date.now();
  rmSync(ballast);
  await load.succeedsBefore(freeAt + PATIENCE_MS);
  console.log(`refused while full:     ${load.told(REFUSAL)}; payments again within ${Date.now() - freeAt} ms`);
  await load.stop();
  await settleUp(demo, api, load);
}

/** Takes all the space there is on the disk of `folder`; returns the file that holds it. */
function fill(folder) {
  const ballast = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(ballast, Buffer.alloc(bavail * bsize + 1));
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
  return ballast;
}

async function isRefused(load) {
  const end = Date.now() + PATIENCE_MS;
  while (load.told(REFUSAL) < REFUSALS) {
    if (Date.now() > end) throw new Error(`the full disk was answered by only ${load.told(REFUSAL)} refusals`);
    await sleep(50);
  }
}
