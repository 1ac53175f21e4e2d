/** The local service that the extension starts in the window: its processes and its data. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { startLocalService } from '../support/localService.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { inUserData } from './userData.ts';

/** Returns the folder of the user's own data. The demo data is in another folder whose name begins with this one's. */
function dataFolder(): string {
  return inUserData('globalStorage', 'app-build.app-build-service', 'localService');
}

/** Runs a query with one column on the demo data, and returns its values. */
function query(sql: string): unknown[] {
  const database = new DatabaseSync(join(`${dataFolder()}Demo`, 'service.db'), { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(sql).all().flatMap(Object.values);
  } finally {
    database.close();
  }
}

/** Creates the user's own data before a window does. The name of its owner differs from the account that runs the tests. */
export async function makeOwnData(username: string): Promise<void> {
  await mkdir(dataFolder(), { recursive: true });
  const service = await startLocalService({ dataFolder: dataFolder(), demo: false });
  await service.stop();
  renameOwner(dataFolder(), username);
}

/** Changes the owner's name, which is the system user's name by default. */
export function renameOwner(folder: string, username: string): void {
  const database = new DatabaseSync(join(folder, 'service.db'), { timeout: 5_000 });
  try {
    database.prepare('UPDATE users SET username = ?, email = ?').run(username, `${username}@example.com`);
  } finally {
    database.close();
  }
}

/** Returns the number of access tokens that the local service has issued. */
export function countAccessTokens(): number {
  return Number(query("SELECT count(*) FROM tokens WHERE kind = 'access'")[0]);
}

/** Returns all secrets that the local service stores as plain text. */
export function readStoredSecrets(): string[] {
  return query(
    `SELECT ownerPassword FROM service UNION SELECT ownerClientSecret FROM service UNION SELECT signingKey FROM service
      UNION SELECT token FROM tokens WHERE kind = 'auth'`,
  ).map(String);
}

/**
 * Waits until `count` local services are running. A closed window's service exits a little later.
 * @returns their process ids
 */
export function untilLocalServices(count: number): Promise<number[]> {
  return waitUntil(async () => {
    const processes = process.platform === 'linux' ? await fromProc() : await fromListing();
    // VS Code writes drive letters in lowercase.
    const folder = dataFolder().toLowerCase();
    const ids = processes
      .filter(({ command }) => /localService\.c?js\b/.test(command) && command.toLowerCase().includes(folder))
      .map(({ id }) => id);
    return ids.length === count && ids;
  });
}

interface RunningProcess {
  readonly id: number;
  readonly command: string;
}

/** A minimal Linux doesn't have `ps`. */
async function fromProc(): Promise<RunningProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  // A process may end while the list is being read.
  return Promise.all(
    ids.map(async (id) => ({ id, command: await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '') })),
  );
}

const LISTING: readonly [program: string, ...args: string[]] =
  process.platform === 'win32'
    ? [
        'powershell',
        ...['-NoProfile', '-Command'],
        'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.CommandLine)" }',
      ]
    : ['ps', '-ww', '-A', '-o', 'pid=,args='];

async function fromListing(): Promise<RunningProcess[]> {
  const [program, ...args] = LISTING;
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').map((line) => ({ id: Number.parseInt(line, 10), command: line }));
}
