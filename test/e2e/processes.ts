import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The process ids of the local services that keep their data in this file. */
async function servicesWith(dataFile: string): Promise<number[]> {
  const processes = process.platform === 'linux' ? await fromProc() : await fromPs();
  return processes
    .filter(({ command }) => /localService\.c?js\b/.test(command) && command.includes(dataFile))
    .map(({ id }) => id);
}

/** Waits until `count` local services keep their data in this file: that of a closed window ends a little later. */
export async function untilServicesWith(dataFile: string, count: number): Promise<number[]> {
  for (;;) {
    const ids = await servicesWith(dataFile);
    if (ids.length === count) {
      return ids;
    }
    await delay(50);
  }
}

interface RunningProcess {
  readonly id: number;
  readonly command: string;
}

/** A bare Linux has no `ps`. */
async function fromProc(): Promise<RunningProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // A process may end while the list is read.
  return Promise.all(
    ids.map(async (id) => ({ id, command: await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') })),
  );
}

async function fromPs(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-A', '-o', 'pid=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').map((line) => ({ id: Number.parseInt(line, 10), command: line }));
}
