// Debian's Chromium, quiet and alone; started at the first visit.

import { chromium } from 'playwright-core';

import { Visit } from './visit.js';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser;

/** A new person's browser, which shares nothing with others. It lives until it is ended, or all are. */
export async function newVisit(options) {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  return Visit.begin(await browser, options);
}

/** Does something in a new person's browser; an error says what that person saw. */
export async function withVisit(options, body, name = 'visit') {
  const visit = await newVisit(options);
  try {
    return await body(visit);
  } catch (error) {
    throw await visit.explained(error, name);
  } finally {
    await visit.end();
  }
}

export async function quit() {
  await (await browser)?.close();
}
