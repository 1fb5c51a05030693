// The words on the pages, from the files that the pages read: a test names a text, not its wording.

import { readFileSync } from 'node:fs';

const read = (language) =>
  JSON.parse(readFileSync(new URL(`../../app/locales/${language}.json`, import.meta.url), 'utf8'));
const WORDS = { en: read('en'), ja: read('ja') };

/** The text of `path` (`customer.pay.title`) with `value` in the place of its blank. */
export function word(path, language, value) {
  const text = path.split('.').reduce((words, name) => words?.[name], WORDS[language]);
  if (typeof text !== 'string') throw new Error(`there is no text ${path} in ${language}`);
  return value === undefined ? text : text.replace('{}', value);
}

/** A pattern that finds the text of `path` with anything in the place of its blank. */
export function wording(path, language) {
  return new RegExp(word(path, language).split('{}').map(escaped).join('.*'));
}

/** A pattern that fits one of the texts of `paths` and nothing else. */
export function oneOf(paths, language) {
  const texts = paths.map((path) => wording(path, language).source);
  return new RegExp(`^(${texts.join('|')})$`);
}

/** An amount as a page shows it, however its sign, unit and digits are laid out. */
export function yen(amount) {
  return new RegExp(`(^|[^\\d,])¥\\s*${escaped(amount.toLocaleString('en-US'))}(?![\\d,])`);
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
