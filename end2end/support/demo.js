// Starts, kills, verifies and stops one `koban demo` on a folder and a port of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, open, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const BUILT = fileURLToPath(new URL('../../target/release/koban', import.meta.url));
const KOBAN = resolve(process.env.KOBAN_BIN ?? BUILT);
const START_MS = 180_000;
const STOP_MS = 60_000;

export class Demo {
  #process;

  constructor(data, port) {
    this.data = data;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** A demo in a new folder, not started. PostgreSQL's own user must be able to enter the folder. */
  static async create() {
    if (!existsSync(KOBAN)) throw new Error(`there is no ${KOBAN}; \`make build\` makes it`);
    const data = await mkdtemp(join(tmpdir(), 'koban-'));
    await chmod(data, 0o755);
    return new Demo(data, await freePort());
  }

  get log() {
    return `${this.data}.log`;
  }

  /** Starts it; returns when it serves. */
  async start() {
    const log = await open(this.log, 'a');
    const args = ['demo', '--data', this.data, '--port', String(this.port)];
    this.#process = spawn(KOBAN, args, { stdio: ['ignore', log.fd, log.fd], env: environment() });
    this.ended = once(this.#process, 'exit');
    await log.close();
    await this.ready(START_MS);
  }

  /** Waits until it answers that it can serve, the database included. */
  async ready(limitMs) {
    const end = Date.now() + limitMs;
    while (Date.now() < end) {
      if (this.#process.exitCode !== null) throw new Error(`koban ended at once:\n${this.#lastWords()}`);
      if (await this.#isReady()) return;
      await sleep(50);
    }
    throw new Error(`koban was not ready within ${limitMs} ms:\n${this.#lastWords()}`);
  }

  async #isReady() {
    try {
      const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  #lastWords() {
    return readFileSync(this.log, 'utf8').split('\n').slice(-20).join('\n');
  }

  /** Ends the server as a power cut would. */
  async kill() {
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  /** What every invariant says: a fresh connection looks, while the server runs. */
  async verify() {
    const verify = spawn(KOBAN, ['verify', '--data', this.data], { stdio: ['ignore', 'pipe', 'inherit'], env: environment() });
    let report = '';
    verify.stdout.on('data', (text) => (report += text));
    const [code] = await once(verify, 'close');
    return { clean: code === 0, report };
  }

  async stop() {
    this.#process?.kill('SIGTERM');
    const late = sleep(STOP_MS, 'late', { ref: false });
    if ((await Promise.race([this.ended, late])) === 'late') await this.kill();
  }

  /** Removes the data; the cluster may stand elsewhere, with a link in its place. */
  async remove() {
    const cluster = await realpath(join(this.data, 'postgres')).catch(() => null);
    for (const path of [cluster, this.data, this.log]) {
      if (path) await rm(path, { recursive: true, force: true });
    }
  }
}

/** The town that a demo on `data` describes for scripts. */
export function town(data = process.env.KOBAN_DEMO) {
  if (!data) throw new Error('start the tests by `npm test` or `node run.js FILE`');
  return JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
}

/** A demo with a private PostgreSQL, whatever the developer's own settings say. */
function environment() {
  const { DATABASE_URL, KOBAN_PEPPER, ...others } = process.env;
  return others;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
