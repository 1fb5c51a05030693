// Networks that lose and delay: handlers for a page's routes.

import { setTimeout as sleep } from 'node:timers/promises';

/** The server gets the request and does it; its answer is lost. */
export async function lostAfter(route) {
  await route.fetch();
  await route.abort();
}

/** The request never arrives. */
export async function lostBefore(route) {
  await route.abort();
}

/** The server does it, and its answer comes after `ms`, when perhaps nobody waits for it any more. */
export function late(ms) {
  return async (route) => {
    const response = await route.fetch();
    await sleep(ms);
    await route.fulfill({ response }).catch(() => {});
  };
}

/** The request arrives after `ms`. */
export function heldFor(ms) {
  return async (route) => {
    await sleep(ms);
    await route.continue().catch(() => {});
  };
}
