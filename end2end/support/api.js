// A client of the JSON API, as a shop's program would be one.

import { randomUUID } from 'node:crypto';

export class Api {
  constructor(url, key) {
    this.url = url;
    this.key = key;
  }

  get(path) {
    return this.#send('GET', path);
  }

  /** Without a key if it is `null`. */
  post(path, body, key = randomUUID()) {
    const named = key === null ? {} : { 'idempotency-key': key };
    return this.#send('POST', path, body, { 'content-type': 'application/json', ...named });
  }

  async #send(method, path, body, headers = {}) {
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(40_000),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
  }

  /** What an account holds, as a number: the demo's amounts are small and whole. */
  async balance(account, asset = 'ECOPAY') {
    const { json } = await this.get(`/accounts/${account}/balances`);
    return Number(json.balances[asset]);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
