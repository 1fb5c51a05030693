// Kills the PostgreSQL of a demo as a power cut would: the postmaster and all its children at once.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function killPostgres(data) {
  const postmaster = Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  for (const pid of [postmaster, ...childrenOf(postmaster)]) kill(pid);
}

function childrenOf(parent) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

/** The fourth field of its stat; the second is a name in brackets that may hold anything. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended with the postmaster.
    if (error.code !== 'ESRCH') throw error;
  }
}
