// Clients that pay without pause, and remember of every payment what they sent and what they were told.

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 10;
/** No payment takes longer than this under the load of these clients. */
const ON_ITS_WAY_MS = 1_000;
const MOST = 5;

export class Load {
  payments = [];
  #running = false;
  #clients = [];
  #lastSuccessAt = 0;

  /** A load that has not started: it knows what everybody holds. */
  static async begin(api, { customers, merchants, random, log }) {
    const load = new Load(api, { customers, merchants, random, log });
    load.before = await load.balances();
    return load;
  }

  constructor(api, { customers, merchants, random, log }) {
    Object.assign(this, { api, customers, merchants, random, log: createWriteStream(log) });
  }

  async balances() {
    const accounts = [...this.customers, ...this.merchants].map(({ account_id }) => account_id);
    const held = accounts.map(async (account) => [account, await this.api.balance(account)]);
    return Object.fromEntries(await Promise.all(held));
  }

  start(clients) {
    this.#running = true;
    this.#clients = Array.from({ length: clients }, () => this.#payOnAndOn());
  }

  async stop() {
    this.#running = false;
    await Promise.all(this.#clients);
    this.log.end();
  }

  async #payOnAndOn() {
    while (this.#running) {
      await this.#pay();
      await sleep(this.random() * PAUSE_MS);
    }
  }

  async #pay() {
    const payment = { key: randomUUID(), body: this.#choice(), sentAt: Date.now(), outcome: 'unknown' };
    this.payments.push(payment);
    this.#note('invoke', payment);
    try {
      hear(payment, await this.api.post('/payments', payment.body, payment.key));
    } catch {
      // No answer at all.
    }
    this.#note(payment.outcome, payment);
    if (payment.outcome === 'acknowledged') this.#lastSuccessAt = Date.now();
  }

  #choice() {
    const one = (list) => list[Math.floor(this.random() * list.length)].account_id;
    return {
      payer: { account_id: one(this.customers) },
      merchant_account_id: one(this.merchants),
      asset: 'ECOPAY',
      amount: String(1 + Math.floor(this.random() * MOST)),
    };
  }

  #note(event, { key, body }) {
    this.log.write(`${JSON.stringify({ at: Date.now(), event, key, amount: body.amount })}\n`);
  }

  count(outcome) {
    return this.payments.filter((payment) => payment.outcome === outcome).length;
  }

  /** How many were answered in these words, such as `503 UNAVAILABLE`. */
  told(words) {
    return this.payments.filter((payment) => payment.told === words).length;
  }

  /** How many were on their way at an instant and never got their answer. */
  cutOff(at) {
    const wasOnItsWay = ({ outcome, sentAt }) => outcome === 'unknown' && sentAt <= at && sentAt > at - ON_ITS_WAY_MS;
    return this.payments.filter(wasOnItsWay).length;
  }

  /** Waits for a payment that goes through from now on. */
  async succeedsBefore(end) {
    const from = Date.now();
    while (this.#lastSuccessAt < from) {
      if (Date.now() > end) throw new Error('no new payment went through in time after a fault');
      await sleep(20);
    }
  }
}

/** Takes an answer down. Only a definite one counts: created, or declined for a business reason. */
export function hear(payment, { status, text, json }) {
  payment.told = `${status} ${json?.code ?? ''}`;
  if (status === 201) Object.assign(payment, { outcome: 'acknowledged', text });
  if (status === 400 && json?.code === 'INSUFFICIENT') Object.assign(payment, { outcome: 'declined', text });
}
