/** The data file: reading it, setting a damaged one aside, and writing it so that a crash never leaves half a file. */
import { chmod, readFile, rename } from 'node:fs/promises';

import { writeFile } from 'atomically';

import { StartError } from '../errors.ts';
import type { State } from './state.ts';

/** Only the owner may read it: it holds tokens and the demo credentials. */
const mode = 0o600;

/** What a member of the file has to look like for the service to work with it. */
const shapes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
const demoShape = { userId: 'number', password: 'string', clientId: 'string', clientSecret: 'string' };

/**
 * Reads the data file. A damaged one is renamed to `FILE.corrupt-<timestamp>`, never overwritten.
 *
 * @param report receives a line for a person when a file was set aside
 * @returns the state, or `undefined` when there is none to go on with
 * @throws StartError when the file cannot be read, or was written by a later version
 */
export async function readState(file: string, report: (line: string) => void): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') {
      return undefined;
    }
    throw new StartError(`The data file ${file} cannot be read (${codeOf(error)}). Name another one with --data.`);
  }
  const value = parse(text);
  if (isRecord(value) && typeof value.version === 'number' && value.version > 1) {
    throw new StartError(`The data file ${file} was written by a later version. Name another one with --data.`);
  }
  if (isState(value)) {
    return value;
  }
  const aside = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`;
  try {
    await rename(file, aside);
    await chmod(aside, mode);
  } catch (error) {
    throw new StartError(
      `The data file ${file} is damaged and cannot be set aside (${codeOf(error)}). Name another one with --data.`,
    );
  }
  report(`The data file ${file} is damaged. It was kept as ${aside}; the service starts with fresh demo data.`);
  return undefined;
}

/** Replaces the data file atomically; when the promise resolves, the state is on disk. */
export async function writeState(file: string, state: State): Promise<void> {
  await writeFile(file, `${JSON.stringify(state, undefined, 2)}\n`, { mode });
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
    hasShape(value.demo, demoShape) &&
    Object.entries(shapes).every(([name, shape]) => {
      const members = value[name];
      return Array.isArray(members) && members.every((member) => hasShape(member, shape));
    })
  );
}

function hasShape(value: unknown, shape: Readonly<Record<string, string>>): boolean {
  return isRecord(value) && Object.entries(shape).every(([name, type]) => typeof value[name] === type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

function codeOf(error: unknown): string {
  return isFileError(error) && error.code !== undefined ? error.code : 'unknown error';
}
