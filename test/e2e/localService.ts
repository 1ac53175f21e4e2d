/** The local service that the extension starts in the window: its processes and its data. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { inUserData } from './suite.ts';

interface Data {
  readonly demo: { readonly password: string; readonly clientSecret: string };
  readonly authTokens: readonly { readonly token: string }[];
  readonly accessTokens: readonly unknown[];
  readonly signingKey: string;
}

function dataFile(): string {
  return inUserData('globalStorage', 'app-build.app-build-service', 'localService', 'data.json');
}

async function readData(): Promise<Data> {
  return JSON.parse(await readFile(dataFile(), 'utf8')) as Data;
}

/** How many access tokens the local service has given out. */
export async function countAccessTokens(): Promise<number> {
  return (await readData()).accessTokens.length;
}

/** Everything secret that the local service stores as it is. */
export async function readStoredSecrets(): Promise<string[]> {
  const { demo, authTokens, signingKey } = await readData();
  return [demo.password, demo.clientSecret, signingKey, ...authTokens.map(({ token }) => token)];
}

/**
 * Waits until `count` local services run: that of a closed window ends a little later.
 *
 * @returns their process ids
 */
export async function untilLocalServices(count: number): Promise<number[]> {
  for (;;) {
    const processes = process.platform === 'linux' ? await fromProc() : await fromPs();
    const ids = processes
      .filter(({ command }) => /localService\.c?js\b/.test(command) && command.includes(dataFile()))
      .map(({ id }) => id);
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
