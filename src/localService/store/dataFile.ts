/** The file that keeps the data of the service between its runs. */
import { chmod, readFile, rename } from 'node:fs/promises';

import { writeFile } from 'atomically';

import { createDemoState } from './demoData.ts';
import type { State } from './model.ts';
import { Store } from './store.ts';

/** The data file cannot be used. The message is for a person. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/** Only the owner may read it: it holds tokens and the demo credentials. */
const FILE_MODE = 0o600;

/** The types of the fields that the service relies on, by the list whose entries have them. */
const LIST_ENTRY_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  users: {
    id: 'number',
    username: 'string',
    email: 'string',
    createdAt: 'string',
    updatedAt: 'string',
    password: 'object',
  },
  authTokens: { id: 'string', userId: 'number', name: 'string', token: 'string', createdAt: 'string' },
  clients: {
    id: 'string',
    ownerId: 'number',
    name: 'string',
    mainUrl: 'string',
    callbackUrl: 'string',
    secretHash: 'string',
  },
  accessTokens: { hash: 'string', userId: 'number', clientId: 'string', createdAt: 'string' },
  codes: { hash: 'string', userId: 'number', clientId: 'string', expiresAt: 'number' },
  sessions: { hash: 'string', userId: 'number', expiresAt: 'number' },
  apps: {
    id: 'number',
    ownerId: 'number',
    title: 'string',
    status: 'object',
    error: 'object',
    keys: 'object',
    collaborators: 'object',
    pending: 'object',
  },
  keys: { id: 'number', ownerId: 'number', platform: 'string', title: 'string', default: 'boolean' },
};
const DEMO_TYPES: Readonly<Record<string, string>> = {
  userId: 'number',
  password: 'string',
  clientId: 'string',
  clientSecret: 'string',
};

/**
 * Opens the data in `file`, or demo data where there is none yet. Nothing is written before the first change; every change
 * replaces the file atomically. A damaged file is renamed to `FILE.corrupt-<timestamp>`, never overwritten.
 *
 * @param file `undefined`: nothing is kept
 * @param report receives a line for a person when a damaged file was renamed
 * @throws DataFileError when the file cannot be read, or was written by a later version
 */
export async function openStore(file: string | undefined, report: (line: string) => void): Promise<Store> {
  if (file === undefined) {
    return new Store(await createDemoState(), () => Promise.resolve());
  }
  const state = (await readState(file, report)) ?? (await createDemoState());
  return new Store(state, (changed) =>
    writeFile(file, `${JSON.stringify(changed, undefined, 2)}\n`, { mode: FILE_MODE }),
  );
}

/** @returns `undefined` when there is nothing to go on with */
async function readState(file: string, report: (line: string) => void): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') {
      return undefined;
    }
    throw new DataFileError(`The data file ${file} cannot be read (${codeOf(error)}). Name another one with --data.`);
  }
  const value = parse(text);
  if (isRecord(value) && typeof value.version === 'number' && value.version > 1) {
    throw new DataFileError(`The data file ${file} was written by a later version. Name another one with --data.`);
  }
  if (isState(value)) {
    return value;
  }
  const aside = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`;
  try {
    await rename(file, aside);
    await chmod(aside, FILE_MODE);
  } catch (error) {
    throw new DataFileError(
      `The data file ${file} is damaged and cannot be set aside (${codeOf(error)}). Name another one with --data.`,
    );
  }
  report(`The data file ${file} is damaged. It was kept as ${aside}; the service starts with fresh demo data.`);
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is State {
  return (
    isRecord(value) &&
    value.version === 1 &&
    typeof value.signingKey === 'string' &&
    (value.port === null || typeof value.port === 'number') &&
    hasTypes(value.demo, DEMO_TYPES) &&
    Object.entries(LIST_ENTRY_TYPES).every(([name, types]) => {
      const entries = value[name];
      return Array.isArray(entries) && entries.every((entry) => hasTypes(entry, types));
    })
  );
}

function hasTypes(value: unknown, types: Readonly<Record<string, string>>): boolean {
  return isRecord(value) && Object.entries(types).every(([name, type]) => typeof value[name] === type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

function codeOf(error: unknown): string {
  return isSystemError(error) && error.code !== undefined ? error.code : 'unknown error';
}
