// A page of somebody else can neither act for a signed-in person nor read what that person sees.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before } from 'node:test';

import { town } from '../support/demo.js';
import { everyWay, tried } from '../support/laws.js';
import { shop, openPayment } from '../support/shops.js';
import { Wallet } from '../support/wallets.js';

let foreign;
before(async () => {
  foreign = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(page());
  }).listen(0, '127.0.0.1');
  await once(foreign, 'listening');
});
after(() => foreign.close());

/** Two names of this machine: another site by name, and the same site on another port. */
const hosts = () => ['localhost', '127.0.0.1'].map((host) => `http://${host}:${foreign.address().port}/`);

everyWay('a form on a foreign page is refused', async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  await openPayment(visit, '500');
  for (const host of hosts()) {
    await visit.page.goto(host);
    const [answer] = await Promise.all([
      visit.page.waitForResponse((response) => response.url().includes('/fn/send_payment')),
      visit.page.getByRole('button', { name: 'Win a prize' }).click(),
    ]);
    assert.equal(answer.status(), 403);
  }
  await wallet.holds(2_000);
});

tried('a script on a foreign page is refused', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  await openPayment(visit, '500');
  for (const host of hosts()) {
    await visit.page.goto(host);
    const read = await visit.page.evaluate(sendFrom, { url: `${town().base_url}/fn/send_payment`, body: body() });
    assert.equal(read, 'not readable');
  }
  await wallet.holds(2_000);
  visit.complaints.length = 0;
});

tried('nothing is changed by a link', {}, async (visit) => {
  const wallet = await Wallet.create(visit, 2_000);
  for (const link of [`/fn/send_payment?${body()}`, '/fn/sign_out?role=customer']) {
    const answer = await visit.page.request.get(link);
    assert.equal(answer.status(), 405, link);
  }
  await wallet.holds(2_000);
  await visit.open('/customer');
  await visit.at('/customer');
});

function body() {
  return new URLSearchParams({ code: shop().code, asset: 'ECOPAY', amount: '500' }).toString();
}

function page() {
  const inputs = [...new URLSearchParams(body())].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const action = `${town().base_url}/fn/send_payment`;
  return `<!doctype html><title>A foreign page</title>
    <form method="post" action="${action}">${inputs.join('')}<button>Win a prize</button></form>`;
}

/** Runs on the foreign page. */
async function sendFrom({ url, body }) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = (mode) => fetch(url, { method: 'POST', credentials: 'include', mode, headers, body });
  await send('no-cors').catch(() => {});
  return send('cors').then((answer) => answer.text(), () => 'not readable');
}
