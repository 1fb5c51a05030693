// Japanese and English: what the browser prefers, until the person chooses.

import { everyWay, tried } from '../support/laws.js';
import { signIn } from '../support/people.js';
import { word } from '../support/words.js';

everyWay('the language can be switched on every page, and stays', async (visit) => {
  await signIn(visit, 'customer');
  await visit.open('/customer/movements');
  await switchTo(visit, 'ja', '日本語');
  await visit.at('/customer/movements');
  await visit.open('/customer');
  await isIn(visit, 'ja', 'customer.home.title');
  await visit.newTab();
  await visit.open('/customer/pay');
  await isIn(visit, 'ja', 'customer.pay.title');
  await switchTo(visit, 'en', 'English');
  await isIn(visit, 'en', 'customer.pay.title');
});

for (const [language, expected] of [['ja-JP', 'ja'], ['en-GB', 'en']]) {
  tried(`a browser that prefers ${language} gets its pages in ${expected}`, { script: false, language }, async (visit) => {
    await visit.open('/');
    await isIn(visit, expected, 'common.home_title');
  });
}

async function switchTo(visit, language, name) {
  await visit.listens();
  await visit.page.getByRole('button', { name: new RegExp(`${name}$`) }).click();
  await isOn(visit, language);
}

async function isIn(visit, language, title) {
  await isOn(visit, language);
  await visit.seesHeading(word(title, language));
}

async function isOn(visit, language) {
  await visit.page.locator('html').and(visit.page.locator(`:lang(${language})`)).waitFor();
}
