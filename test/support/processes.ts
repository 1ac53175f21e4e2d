import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when a process has ended. One whose parent did not ask how it ended is still listed, as a zombie. */
export async function processEnd(pid: number): Promise<void> {
  while (await isRunning(pid)) {
    await sleep(5);
  }
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
