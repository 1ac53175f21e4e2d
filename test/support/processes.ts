import { readFile } from 'node:fs/promises';

import { waitUntil } from './waitUntil.ts';

/** The service's message about a program that was killed. Windows only reports a status. */
export const KILLED = process.platform === 'win32' ? 'ended with status 1' : 'was ended by SIGKILL';

/**
 * Resolves when a process has ended. A process whose parent hasn't collected its status is still listed as a zombie.
 */
export async function processEnd(pid: number): Promise<void> {
  await waitUntil(async () => !(await isRunning(pid)));
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX] /.test(stat);
}
