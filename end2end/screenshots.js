// Photographs every page of every face: `node screenshots.js FOLDER [--pictures]`.
//
// Phone and desktop, light and dark, Japanese and English. With `--pictures` it also renews those of the README.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { newVisit, quit } from './support/browsers.js';
import { Demo } from './support/demo.js';
import { FACES } from './support/faces.js';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];
const SCHEMES = ['light', 'dark'];
const LANGUAGES = ['ja', 'en'];
const PICTURES = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
/** The one page of a face that the README shows, and how wide a screen it is for. */
const SHOWN = {
  customer: { page: 'home', width: 390, height: 720 },
  merchant: { page: 'today', width: 1200, height: 760 },
  terminal: { page: 'payment-new', width: 800, height: 720 },
  admin: { page: 'overview', width: 1200, height: 860 },
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { pictures: { type: 'boolean' } } });
const folder = positionals[0];
if (!folder) throw new Error('say where to: node screenshots.js FOLDER');
mkdirSync(folder, { recursive: true });

const demo = await Demo.create();
try {
  await demo.start();
  process.env.KOBAN_DEMO = demo.data;
  await photographAll();
} finally {
  await quit();
  await demo.stop();
  await demo.remove();
}

async function photographAll() {
  for (const language of LANGUAGES) {
    for (const [face, pagesOf] of Object.entries(FACES)) {
      const visit = await newVisit({ language });
      const pages = await pagesOf(visit);
      for (const [name, path] of Object.entries(pages)) await photograph(visit, `${face}-${name}`, path);
      if (values.pictures && language === 'en' && SHOWN[face]) await show(visit, face, pages[SHOWN[face].page]);
      await visit.end();
    }
  }
}

async function photograph(visit, name, path) {
  await visit.open(path);
  for (const size of SIZES) {
    await visit.page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await visit.page.emulateMedia({ colorScheme });
      const file = `${folder}/${name}-${size.width}-${colorScheme}-${visit.language}.png`;
      await visit.page.screenshot({ path: file, fullPage: true });
    }
  }
}

async function show(visit, face, path) {
  const { width, height } = SHOWN[face];
  mkdirSync(PICTURES, { recursive: true });
  await visit.page.setViewportSize({ width, height });
  await visit.page.emulateMedia({ colorScheme: 'light' });
  await visit.open(path);
  await visit.page.screenshot({ path: `${PICTURES}${face}.png` });
}
