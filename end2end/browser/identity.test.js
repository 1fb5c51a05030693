// Signing up, in and out: who one is, and where one may be sent afterwards.

import assert from 'node:assert/strict';

import { town } from '../support/demo.js';
import { everyWay } from '../support/laws.js';
import { enter, signIn, signUp } from '../support/people.js';
import { shop } from '../support/shops.js';

everyWay('a new customer signs up, out and in again', async (visit) => {
  const person = await signUp(visit);
  await visit.sees(visit.word('customer.home.hello', person.name));
  await visit.press(visit.word('identity.sign_out'));
  await visit.at('/customer/sign-in');
  await visit.open('/customer');
  await visit.at('/customer/sign-in');
  await signIn(visit, 'customer', person);
  await visit.sees(visit.word('customer.home.hello', person.name));
});

everyWay('a wrong password and an unknown address are told the same', async (visit) => {
  const { address } = town().sign_ins.customer;
  for (const wrong of [{ address, password: 'not the password' }, { address: 'nobody@test.example', password: 'x' }]) {
    await visit.open('/customer/sign-in');
    await enter(visit, wrong, visit.word('identity.sign_in'));
    await visit.sees(visit.word('problem.wrong_credentials'));
    assert.doesNotMatch(visit.page.url(), /password|example|%40/);
  }
  await signIn(visit, 'customer');
});

everyWay('signing up says at the field what is wrong', async (visit) => {
  const { address } = town().sign_ins.customer;
  const password = 'three boats at dawn';
  const cases = [
    [{ name: 'Guest', address, password: 'short' }, 'password_too_short'],
    [{ name: 'Guest', address, password: 'password123' }, 'password_too_common'],
    [{ name: 'Guest', address: 'not an address', password }, 'address_malformed'],
    [{ name: '\u200b\u200b', address: 'zero@test.example', password }, 'name_malformed'],
    [{ name: 'Guest', address, password }, 'address_taken'],
  ];
  for (const [person, problem] of cases) {
    await visit.open('/customer/sign-up');
    await enter(visit, person, visit.word('identity.sign_up'));
    await visit.sees(visit.word(`problem.${problem}`));
    assert.doesNotMatch(visit.page.url(), /three|example|Guest/);
  }
});

everyWay('who follows a link signed out signs in and comes back to it', async (visit) => {
  await visit.open(`/pay/${shop().code}?amount=500&asset=ECOPAY`);
  await visit.at('/customer/sign-in');
  await enter(visit, town().sign_ins.customer, visit.word('identity.sign_in'));
  const { searchParams } = await visit.at(`/pay/${shop().code}`);
  assert.equal(searchParams.get('amount'), '500');
});

everyWay('nobody is sent to a page that is not ours', async (visit) => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    await visit.open(`/customer/sign-in?next=${encodeURIComponent(next)}`);
    await enter(visit, town().sign_ins.customer, visit.word('identity.sign_in'));
    const { origin } = await visit.at('/customer');
    assert.equal(origin, town().base_url);
    await visit.press(visit.word('identity.sign_out'));
    await visit.at('/customer/sign-in');
  }
});

everyWay('one face does not open another', async (visit) => {
  await signIn(visit, 'customer');
  for (const page of ['/merchant', '/merchant/payments', '/merchant/terminals', '/merchant/store']) {
    await visit.open(page);
    await visit.at('/merchant/sign-in');
  }
  for (const page of ['/admin', '/admin/customers']) {
    await visit.open(page);
    await visit.at('/admin/sign-in');
  }
  for (const role of ['merchant', 'admin']) {
    await visit.open(`/${role}/sign-in`);
    await enter(visit, town().sign_ins.customer, visit.word('identity.sign_in'));
    await visit.sees(visit.word('problem.wrong_credentials'));
  }
});
