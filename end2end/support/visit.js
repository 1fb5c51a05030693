// One person's browser: pages are used by what is read on them, and everything that the browser complains about is kept.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { town } from './demo.js';
import { oneOf, word, wording } from './words.js';

const LOCALES = { en: 'en-US', ja: 'ja-JP' };
const PATIENCE_MS = 12_000;
export const PHONE = { width: 390, height: 844 };
const PICTURES = new URL('../test-results/', import.meta.url).pathname;

export class Visit {
  /** `script: false` is a browser without JavaScript, `wasm: false` one that can't load the WASM half. */
  static async begin(browser, { script = true, wasm = true, language = 'en', viewport = PHONE, ...others } = {}) {
    const context = await browser.newContext({
      baseURL: town().base_url,
      javaScriptEnabled: script,
      locale: LOCALES[language] ?? language,
      viewport,
      ...others,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    if (!wasm) await context.route('**/*.wasm', (route) => route.abort());
    const visit = new Visit(context, { hydrates: script && wasm, script, language });
    await visit.newTab();
    return visit;
  }

  constructor(context, { hydrates, script, language }) {
    Object.assign(this, { context, hydrates, script, language, complaints: [] });
  }

  /** Opens a tab and works in it from now on. */
  async newTab() {
    this.page = await this.context.newPage();
    this.#listen(this.page);
    return this.page;
  }

  /** Goes on in another tab. */
  turnTo(page) {
    this.page = page;
  }

  #listen(page) {
    const complain = (what) => this.complaints.push(`${page.url()}: ${what}`);
    page.on('pageerror', (error) => complain(`uncaught ${error.message}`));
    page.on('console', (message) => {
      // What is refused with a 4xx is a law's own business; the browser mentions it too.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) complain(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 500) complain(`${response.status()} from ${response.url()}`);
    });
  }

  word(path, value) {
    return word(path, this.language, value);
  }

  wording(path) {
    return wording(path, this.language);
  }

  async open(path) {
    await this.page.goto(path);
    await this.listens();
  }

  /** Waits until the page reacts to what is done: where there is a WASM half, until it has taken over. */
  async listens() {
    await this.page.waitForLoadState('domcontentloaded');
    if (this.hydrates) await this.page.waitForFunction(() => 'hydrated' in document.documentElement.dataset);
  }

  main() {
    return this.page.getByRole('main');
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The button that sends the form; `texts` are what it may say, with and without an amount. */
  sender(...texts) {
    return this.main().getByRole('button', { name: oneOf(texts, this.language) });
  }

  field(label) {
    return this.main().getByLabel(label, { exact: true });
  }

  async press(name) {
    await this.listens();
    await this.button(name).click();
  }

  async follow(name) {
    await this.listens();
    await this.page.getByRole('link', { name, exact: true }).first().click();
  }

  /** Types `values`, by label. */
  async fill(values) {
    await this.listens();
    for (const [label, text] of Object.entries(values)) await this.field(label).fill(text);
  }

  /** Waits until `text` can be read on the page. */
  async sees(text) {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async seesHeading(name) {
    await this.page.getByRole('heading', { name, exact: true }).first().waitFor();
  }

  /**
   * Waits until the address is the one of `path`, a text or a pattern; returns the address. A navigation on the way may
   * be given up for another, as a double click does, so this only looks.
   */
  async at(path) {
    const fits = ({ pathname }) => (path instanceof RegExp ? path.test(pathname) : pathname === path);
    const end = Date.now() + PATIENCE_MS;
    while (!fits(new URL(this.page.url()))) {
      if (Date.now() > end) throw new Error(`the address did not become ${path}`);
      await sleep(20);
    }
    await this.page.waitForLoadState('domcontentloaded');
    return new URL(this.page.url());
  }

  async reads(text) {
    return (await this.main().innerText()).match(text)?.[0];
  }

  complainsNothing() {
    assert.deepEqual(this.complaints, []);
  }

  /** The error with what the person saw: where, what was read there, and a picture. */
  async explained(error, law) {
    mkdirSync(PICTURES, { recursive: true });
    const picture = `${PICTURES}${law.replaceAll(/[^a-z0-9]+/gi, '-')}.png`;
    await this.page.screenshot({ path: picture, fullPage: true }).catch(() => {});
    const text = await this.page.locator('body').innerText().catch(() => '');
    const complaints = this.complaints.join('\n  ');
    error.message += `\nat ${this.page.url()}\n${picture}\ncomplaints: ${complaints || 'none'}\n${text}`;
    return error;
  }

  async end() {
    await this.context.close();
  }
}
