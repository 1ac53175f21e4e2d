/** The data file of version 0.1.0: one JSON text, which a database takes over once. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { codeOf, DataError, resultCodeOf, setAside } from './database.ts';
import { insertInitialData, type InitialData } from './initialData.ts';
import type { User } from './model.ts';
import type { Store } from './store.ts';

const FILE = 'data.json';
/** The name of the file after its data was taken over. */
const KEPT_FILE = 'data.json.0.1.0';

/** What the file holds. */
type JsonData = Omit<InitialData, 'users'> & {
  readonly users: readonly (Omit<User, 'password'> & {
    readonly password: { readonly salt: string; readonly hash: string } | null;
  })[];
};

/** Whether a folder has such a file, at a look: a file of something else is not touched. */
export function hasJsonData(folder: string): boolean {
  try {
    const { users, signingKey } = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Partial<JsonData>;
    return Array.isArray(users) && typeof signingKey === 'string';
  } catch {
    return false;
  }
}

/**
 * Fills an empty database with the data of version 0.1.0 in `folder`. The file is kept under another name; so is a damaged
 * one.
 *
 * @param report receives a line for a person when the data was taken over, or the file is damaged
 * @returns whether there was something to take over
 * @throws DataError when the file cannot be read; the system's or SQLite's error when the data cannot be written
 */
export function takeOverJsonData(store: Store, folder: string, report: (line: string) => void): boolean {
  const file = join(folder, FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return false;
    }
    throw new DataError(`The data file ${file} cannot be read (${codeOf(error)}). Name another folder with --data.`);
  }
  try {
    const { users, ...rest } = JSON.parse(text) as JsonData;
    insertInitialData(store, {
      ...rest,
      users: users.map((user) => ({
        ...user,
        password: user.password && `${user.password.salt}:${user.password.hash}`,
      })),
    });
    renameSync(file, join(folder, KEPT_FILE));
    return true;
  } catch (error) {
    if (!isRefusal(error)) {
      throw error;
    }
    report(`The data file ${file} is damaged. It was kept as ${setAside(file)}; the service starts with fresh data.`);
    return false;
  }
}

/** SQLITE_CONSTRAINT: a value is not what its column takes. */
const CONSTRAINT_CODE = 19;

/** Tells whether the text is no JSON, or not what the tables take. */
function isRefusal(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof TypeError || resultCodeOf(error) === CONSTRAINT_CODE;
}
