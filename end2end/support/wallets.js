// New customers with money: topped up at a till, and looked at through the JSON API.

import assert from 'node:assert/strict';

import { Api } from './api.js';
import { town } from './demo.js';
import { ownCode, signUp } from './people.js';
import { topUp } from './till.js';

const BONUS_RATE = 0.01;

/** The API for a trusted program of the town. */
export function integration() {
  const { base_url, api_keys } = town();
  return new Api(base_url, api_keys.integration);
}

export class Wallet {
  constructor(person, code, account) {
    Object.assign(this, { person, code, account });
  }

  /** `visit` becomes a new customer who holds exactly `amount`. */
  static async create(visit, amount) {
    const person = await signUp(visit);
    const code = await ownCode(visit);
    await topUp(code, amount);
    return new Wallet(person, code, await spendBonus(code, amount));
  }

  async balance() {
    return integration().balance(this.account);
  }

  async holds(amount) {
    assert.equal(await this.balance(), amount);
  }
}

/** Pays the bonus of a top-up away at the last shop, which tells the account of the wallet. */
async function spendBonus(code, amount) {
  const api = integration();
  const shop = town().merchants.at(-1);
  const bonus = String(Math.floor(amount * BONUS_RATE));
  const payment = { payer: { code }, merchant_account_id: shop.account_id, asset: 'ECOPAY', amount: bonus };
  const paid = await api.post('/payments', payment);
  assert.equal(paid.status, 201, paid.text);
  const { json } = await api.get(`/payments/${paid.json.payment_id}`);
  return json.payer_account_id;
}
