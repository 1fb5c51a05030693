// How a law is tried: in a browser with JavaScript, in one without, or in one of a given kind.

import { after, before, test } from 'node:test';

import { launch } from './chromium.js';
import { Visit } from './visit.js';

const LAW_MS = 90_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Tries a law with JavaScript and without. */
export function everyWay(law, body) {
  tried(`${law} (with JavaScript)`, {}, body);
  tried(`${law} (without JavaScript)`, { script: false }, body);
}

/** Tries a law in a browser as `options` say, see `Visit.begin`. */
export function tried(law, options, body) {
  test(law, { timeout: LAW_MS }, async () => {
    const visit = await Visit.begin(browser, options);
    try {
      await body(visit);
      visit.complainsNothing();
    } catch (error) {
      throw await visit.explained(error, law);
    } finally {
      await visit.end();
    }
  });
}

/** A second person's browser, which shares nothing with the first. It lives until the file's tests are done. */
export function beside(options) {
  return Visit.begin(browser, options);
}

/** Does something in a second person's browser. */
export async function besides(options, body) {
  const visit = await beside(options);
  try {
    return await body(visit);
  } catch (error) {
    throw await visit.explained(error, 'besides');
  } finally {
    await visit.end();
  }
}
