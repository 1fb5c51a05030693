// What every page owes to everybody: to be perceived and operated by all, on a phone too, without an error in the browser.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

import { tried } from '../support/laws.js';
import { FACES } from '../support/faces.js';
import { PHONE } from '../support/visit.js';

const axe = createRequire(import.meta.url)('axe-core');
const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const SCHEMES = ['light', 'dark'];
/** Judged where the whole page is in sight: a row that is half below a bar which stays in place can be scrolled. */
const COVERED_BY_BARS = ['target-size'];

for (const [face, pagesOf] of Object.entries(FACES)) {
  tried(`every page of the face ${face} is accessible in light and dark, and fits a phone`, {}, async (visit) => {
    for (const path of Object.values(await pagesOf(visit))) {
      await visit.page.setViewportSize(PHONE);
      await visit.open(path);
      await fits(visit, path);
      for (const colorScheme of SCHEMES) {
        await visit.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await isAccessible(visit, `${path} (${colorScheme})`, COVERED_BY_BARS);
      }
      await unroll(visit);
      await isAccessible(visit, `${path} (whole)`, []);
    }
  });

  tried(`every page of the face ${face} fits a phone in Japanese, without JavaScript too`, { script: false, language: 'ja' }, async (visit) => {
    for (const path of Object.values(await pagesOf(visit))) {
      await visit.open(path);
      await fits(visit, path);
      assert.equal(await visit.page.locator('html').getAttribute('lang'), 'ja', path);
    }
  });
}

async function isAccessible(visit, where, without) {
  await visit.page.evaluate(axe.source);
  const options = {
    runOnly: { type: 'tag', values: WCAG_22_AA },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  };
  const { violations, passes } = await visit.page.evaluate((options) => window.axe.run(document, options), options);
  assert.ok(passes.length > 0, `${where}: nothing was looked at`);
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`);
  assert.deepEqual(told, [], where);
}

/** Makes the window as high as its page. */
async function unroll(visit) {
  const height = await visit.page.evaluate(() => document.documentElement.scrollHeight);
  await visit.page.setViewportSize({ ...PHONE, height });
}

/** Nothing makes the page wider than its window. */
async function fits(visit, where) {
  const [content, window] = await visit.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${where} is ${content} px wide in a window of ${window} px`);
}
