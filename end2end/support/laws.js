// How a law is tried: in a browser with JavaScript, in one without, or in one of a given kind.

import { after, test } from 'node:test';

import { quit, withVisit } from './browsers.js';

const LAW_MS = 90_000;

after(quit);

/** Tries a law with JavaScript and without. */
export function everyWay(law, body) {
  tried(`${law} (with JavaScript)`, {}, body);
  tried(`${law} (without JavaScript)`, { script: false }, body);
}

/** Tries a law in a browser as `options` say, see `Visit.begin`; the browser must have nothing to complain about. */
export function tried(law, options, body) {
  const kept = async (visit) => {
    await body(visit);
    visit.complainsNothing();
  };
  test(law, { timeout: LAW_MS }, () => withVisit(options, kept, law));
}
