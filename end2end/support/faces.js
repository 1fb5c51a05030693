// Every page of every face: what is looked at by the laws of all pages, and photographed.

import { town } from './demo.js';
import { signIn } from './people.js';
import { shop } from './shops.js';
import { becomeTill, openTill, takeByCard, topUpAt } from './till.js';

/** For each face: how one gets in, and then the paths of its pages. Each path has a name for its picture. */
export const FACES = { entry, customer, merchant, terminal, admin };

async function entry() {
  return {
    start: '/',
    'not-found': '/no-such-page',
    components: '/_components',
    'customer-sign-in': '/customer/sign-in',
    'customer-sign-in-wrong': '/customer/sign-in?problem=WRONG_CREDENTIALS',
    'customer-sign-up': '/customer/sign-up',
    'customer-sign-up-wrong': '/customer/sign-up?problem=PASSWORD_TOO_SHORT&field=password',
    'merchant-sign-in': '/merchant/sign-in',
    'admin-sign-in': '/admin/sign-in',
    'terminal-pairing': '/terminal',
    'terminal-pairing-wrong': '/terminal?problem=WRONG_PAIRING_CODE&field=code',
  };
}

async function customer(visit) {
  await signIn(visit, 'customer');
  return {
    home: '/customer',
    pay: '/customer/pay',
    'pay-no-shop': '/customer/pay?code=ZZZZZZZZ',
    'pay-shop': `/pay/${town().merchants[1].code}`,
    'pay-link': `/pay/${town().merchants[2].code}?amount=850&asset=ECOPAY`,
    'pay-wrong': `/pay/${shop().code}?amount=1e3&problem=AMOUNT_MALFORMED&field=amount`,
    'pay-insufficient': `/pay/${shop().code}?amount=999999&problem=INSUFFICIENT&field=amount`,
    code: '/customer/code',
    movements: '/customer/movements',
    receipt: await linked(visit, '/customer/movements', '/customer/payments/'),
    'receipt-of-nobody': '/customer/payments/01890a5d-ac96-774b-bcce-b302099a8057',
  };
}

async function merchant(visit) {
  await signIn(visit, 'merchant');
  return {
    today: '/merchant',
    payments: '/merchant/payments',
    payment: await linked(visit, '/merchant/payments', '/merchant/payments/'),
    store: '/merchant/store',
    'store-amount': '/merchant/store?amount=850&asset=ECOPAY',
    terminals: '/merchant/terminals',
  };
}

async function terminal(visit) {
  await becomeTill(visit, 'Till 1');
  const { code, card } = town().customers[2];
  const paid = await takeByCard(visit, card, '850');
  const toppedUp = await topUpAt(visit, code, '1000');
  await openTill(visit, 'payments');
  await openTill(visit, 'top-ups');
  return {
    menu: '/terminal',
    'payment-new': '/terminal/payments/new',
    'payment-declined': '/terminal/payments/new?amount=999999&problem=INSUFFICIENT&field=amount',
    paid,
    'top-up-new': '/terminal/top-ups/new',
    'topped-up': toppedUp,
  };
}

async function admin(visit) {
  await signIn(visit, 'admin');
  return { overview: '/admin', customers: '/admin/customers' };
}

/** The first address on `page` that begins with `start`. */
async function linked(visit, page, start) {
  await visit.open(page);
  const links = await visit.main().getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  const found = links.find((href) => href?.startsWith(start));
  if (!found) throw new Error(`${page} has no link to ${start}`);
  return found;
}
