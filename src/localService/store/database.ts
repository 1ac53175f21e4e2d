/** The SQLite database in the data folder: opening it, keeping it from other users, and noticing damage. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { MIGRATIONS } from './schema.ts';

/** The data cannot be used. The message is for a person. */
export class DataError extends Error {
  override readonly name = 'DataError';
}

const DATABASE_FILE = 'service.db';
/** What SQLite writes beside the database while it is in use. */
const COMPANION_SUFFIXES: readonly string[] = ['-wal', '-shm'];
/** Names of the files that the service makes in its data folder. */
const OWN_FILES = /^(?:service\.db|data\.json|(?:files|work)$)/;

/** Only the owner may read the data: it holds tokens and the demo credentials. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** For another process to finish its write. */
const BUSY_TIMEOUT_MS = 5_000;

/** SQLITE_CORRUPT, and SQLITE_NOTADB. */
const DAMAGE_CODES: readonly number[] = [11, 26];

/**
 * Opens the database in `folder`, and makes both where there are none yet. A damaged database is renamed to
 * `service.db.corrupt-<timestamp>`, never overwritten.
 *
 * @param folder `undefined`: the database is in memory
 * @param report receives a line for a person when something was wrong with the database
 * @throws DataError when the folder or the database cannot be used, or was written by a later version
 */
export function openDatabase(folder: string | undefined, report: (line: string) => void): DatabaseSync {
  if (folder === undefined) {
    return migrated(new DatabaseSync(':memory:'));
  }
  prepareFolder(folder);
  const file = join(folder, DATABASE_FILE);
  try {
    const existed = createFile(file);
    const { ino, size, mtimeMs } = statSync(file);
    // One that another process has just made is empty for a moment.
    if (existed && size === 0 && Date.now() - mtimeMs > BUSY_TIMEOUT_MS) {
      report(`The database ${file} is empty; the service starts with fresh data.`);
    }
    try {
      return openFile(file);
    } catch (error) {
      if (!isDamage(error)) {
        throw error;
      }
      // Another process that starts at the same time may have done this already.
      if (statSync(file).ino === ino) {
        const aside = setAside(file);
        report(`The database ${file} is damaged. It was kept as ${aside}; the service starts with fresh data.`);
      }
      createFile(file);
      return openFile(file);
    }
  } catch (error) {
    throw error instanceof DataError
      ? error
      : new DataError(`The database ${file} cannot be used (${codeOf(error)}). Name another folder with --data.`);
  }
}

/** Renames a file to `FILE.corrupt-<timestamp>`, with what SQLite keeps beside it. @returns the path that it has then */
export function setAside(file: string): string {
  const aside = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`;
  for (const suffix of ['', ...COMPANION_SUFFIXES]) {
    if (existsSync(file + suffix)) {
      renameSync(file + suffix, aside + suffix);
      chmodSync(aside + suffix, FILE_MODE);
    }
  }
  return aside;
}

/** The system's or SQLite's name for what went wrong. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'errstr' in error && typeof error.errstr === 'string') {
    return error.errstr;
  }
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** SQLite's primary result code (sqlite.org/rescode.html); `undefined` for an error of something else. */
export function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

/** Makes the folder, for its owner alone. One that also holds files of somebody else keeps its permissions. */
function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (readdirSync(folder).every((name) => OWN_FILES.test(name))) {
      chmodSync(folder, FOLDER_MODE);
    }
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile() === true) {
      throw new DataError(
        `${folder} is a file, but the data is kept in a folder. Name a folder with --data; to go on with the data of version 0.1.0, move the file there as data.json.`,
      );
    }
    throw new DataError(`The data folder ${folder} cannot be used (${codeOf(error)}). Name another one with --data.`);
  }
}

/** Makes the file where there is none, and keeps it from other users. SQLite gives its companions the same permissions. */
function createFile(file: string): boolean {
  const existed = existsSync(file);
  closeSync(openSync(file, 'a', FILE_MODE));
  for (const name of [file, ...COMPANION_SUFFIXES.map((suffix) => file + suffix)].filter(existsSync)) {
    chmodSync(name, FILE_MODE);
  }
  return existed;
}

function openFile(file: string): DatabaseSync {
  checkFile(file);
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Where the file system cannot do it (a network drive), SQLite goes on with its rollback journal.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // What is deleted is overwritten: tokens, and passwords of signing keys.
    database.exec('PRAGMA secure_delete = ON');
    return migrated(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws for a damaged database. It only reads, so that what is set aside is as it was found. */
function checkFile(file: string): void {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    if (database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') {
      throw new DamageError();
    }
  } finally {
    database.close();
  }
}

/** Brings a database to the version of this program. @throws DataError for a database of a later version */
function migrated(database: DatabaseSync): DatabaseSync {
  if (versionOf(database) < MIGRATIONS.length) {
    database.exec('BEGIN IMMEDIATE');
    // Read again: another process may have done it meanwhile.
    for (const [version, step] of [...MIGRATIONS.entries()].slice(versionOf(database))) {
      database.exec(`${step}; PRAGMA user_version = ${version + 1}`);
    }
    database.exec('COMMIT');
  }
  if (versionOf(database) > MIGRATIONS.length) {
    throw new DataError('The data was written by a later version of the service. Name another folder with --data.');
  }
  return database;
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

class DamageError extends Error {}

function isDamage(error: unknown): boolean {
  return error instanceof DamageError || DAMAGE_CODES.includes(resultCodeOf(error) ?? 0);
}
