// People of the town: new customers, and those whom the demo describes.

import { randomBytes } from 'node:crypto';

import { town } from './demo.js';

const PASSWORD = 'three boats at dawn';

/** A new person signs up as a customer, and stands on the first page of the wallet. */
export async function signUp(visit) {
  const id = randomBytes(4).toString('hex');
  const person = { name: `Guest ${id}`, address: `guest-${id}@test.example`, password: PASSWORD };
  await visit.open('/customer/sign-up');
  await enter(visit, person, visit.word('identity.sign_up'));
  await visit.at('/customer');
  return person;
}

/** Somebody signs in on the face of `role`, and stands on its first page. */
export async function signIn(visit, role, person = town().sign_ins[role]) {
  await visit.open(`/${role}/sign-in`);
  await enter(visit, { address: person.address, password: person.password }, visit.word('identity.sign_in'));
  await visit.at(`/${role}`);
}

/** Fills in the form of signing up or in, and sends it. */
export async function enter(visit, { name, address, password }, button) {
  const values = { [visit.word('identity.address')]: address, [visit.word('identity.password')]: password };
  if (name) values[visit.word('identity.name')] = name;
  await visit.fill(values);
  await visit.press(button);
}

/** The code that the signed-in customer shows at a till. */
export async function ownCode(visit) {
  await visit.open('/customer/code');
  return visit.reads(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}/);
}
