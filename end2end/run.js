// Starts one server, runs the test files on it, stops it: `node run.js browser faults`, or the name of one file.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chdir } from 'node:process';
import { fileURLToPath } from 'node:url';

import { Demo } from './support/demo.js';

chdir(fileURLToPath(new URL('.', import.meta.url)));

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('--'));
const names = args.filter((arg) => !arg.startsWith('--'));

let failed = false;
const files = names.filter((name) => name !== 'faults').flatMap(filesOf);
if (files.length > 0) failed = !(await onOneServer(files)) || failed;
if (names.includes('faults')) failed = !(await node(['faults/battery.js', ...options])) || failed;
process.exitCode = failed ? 1 : 0;

function filesOf(name) {
  if (name.endsWith('.test.js')) return [name];
  return readdirSync(name)
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => `${name}/${file}`);
}

async function onOneServer(files) {
  const demo = await Demo.create();
  try {
    await demo.start();
    const passed = await node(['--test', '--test-concurrency=1', ...options, ...files], { KOBAN_DEMO: demo.data });
    return (await isProven(demo)) && passed;
  } finally {
    await demo.stop();
    await demo.remove();
  }
}

/** After all that the tests did, the books must be right. */
async function isProven(demo) {
  const { clean, report } = await demo.verify();
  if (!clean) console.log(report);
  return clean;
}

async function node(args, environment = {}) {
  const run = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = await once(run, 'exit');
  return code === 0;
}
