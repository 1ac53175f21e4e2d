/** The SQLite database in the data folder: opening it, keeping it from other users, and noticing damage. */
import { chmodSync, closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { OTHER_PROCESS_TIMEOUT_MS } from '../limits.ts';
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** The service cannot start, or its data cannot be used. The message is for a user. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const DATABASE_FILE = 'service.db';
/** Files that SQLite writes beside the database while it is in use. */
const COMPANION_SUFFIXES: readonly string[] = ['-wal', '-shm'];

/** Files may be read by their owner alone. */
export const FILE_MODE = 0o600;

/** SQLITE_CORRUPT, and SQLITE_NOTADB. */
const DAMAGE_CODES: readonly number[] = [11, 26];

/**
 * Opens the database in `folder`, which this process alone serves, and makes it where there is none yet. A damaged database is
 * renamed to `service.db.corrupt-<timestamp>`, never overwritten.
 *
 * @param folder `undefined`: the database is in memory
 * @param report receives a line for a person when something was wrong with the database
 * @throws StartError when the database cannot be used, or was written by another version
 */
export function openDatabase(folder: string | undefined, report: (line: string) => void): DatabaseSync {
  if (folder === undefined) {
    return withTables(':memory:', new DatabaseSync(':memory:'));
  }
  const file = join(folder, DATABASE_FILE);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.size === 0) {
      report(`The database ${file} is empty; the service starts with fresh data.`);
    }
    createFile(file);
    if (isDamaged(file)) {
      report(
        `The database ${file} is damaged. It was kept as ${quarantine(file)}; the service starts with fresh data.`,
      );
      createFile(file);
    }
    return openFile(file);
  } catch (error) {
    throw error instanceof StartError
      ? error
      : new StartError(`The database ${file} cannot be used (${errorCode(error)}). Name another folder with --data.`);
  }
}

/**
 * Opens the database in a folder that another process serves, and leaves it as it is.
 *
 * @returns `undefined` while that process has not made it
 * @throws StartError for a database of another version; SQLite's error while it is being made
 */
export function openServedDatabase(folder: string): DatabaseSync | undefined {
  const file = join(folder, DATABASE_FILE);
  // Opening it would make it.
  if (!existsSync(file)) {
    return undefined;
  }
  const database = new DatabaseSync(file, { timeout: OTHER_PROCESS_TIMEOUT_MS });
  let version = 0;
  try {
    version = versionOf(database);
  } finally {
    if (version !== SCHEMA_VERSION) {
      database.close();
    }
  }
  if (version === 0) {
    return undefined;
  }
  if (version !== SCHEMA_VERSION) {
    throw new StartError(
      `Another version of the service uses the data folder ${folder}. End it, or reload all windows of the editor, and try again.`,
    );
  }
  return database;
}

/** Renames a file to `FILE.corrupt-<timestamp>`, with what SQLite keeps beside it. @returns the path that it has then */
function quarantine(file: string): string {
  const kept = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`;
  for (const suffix of ['', ...COMPANION_SUFFIXES]) {
    if (existsSync(file + suffix)) {
      renameSync(file + suffix, kept + suffix);
      chmodSync(kept + suffix, FILE_MODE);
    }
  }
  return kept;
}

/** The system's or SQLite's name for what went wrong. */
export function errorCode(error: unknown): string {
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

/** Makes the file where there is none, and keeps it from other users. SQLite gives its companions the same permissions. */
function createFile(file: string): void {
  closeSync(openSync(file, 'a', FILE_MODE));
  for (const name of [file, ...COMPANION_SUFFIXES.map((suffix) => file + suffix)].filter(existsSync)) {
    chmodSync(name, FILE_MODE);
  }
}

function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OTHER_PROCESS_TIMEOUT_MS });
  try {
    // Where the file system cannot do it (a network drive), SQLite goes on with its rollback journal.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // Deleted tokens, and passwords of signing keys, are overwritten.
    database.exec('PRAGMA secure_delete = ON');
    return withTables(file, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** It only reads, so that a damaged file is kept as it was found. */
function isDamaged(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: OTHER_PROCESS_TIMEOUT_MS, readOnly: true });
  try {
    return database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok';
  } catch (error) {
    if (DAMAGE_CODES.includes(resultCodeOf(error) ?? 0)) {
      return true;
    }
    throw error;
  } finally {
    database.close();
  }
}

/** Makes the tables, or carries those of an earlier version over. @throws StartError where neither is possible */
function withTables(file: string, database: DatabaseSync): DatabaseSync {
  const version = versionOf(database);
  if (version === SCHEMA_VERSION) {
    return database;
  }
  database.exec('BEGIN IMMEDIATE');
  if (version === 0) {
    database.exec(SCHEMA);
  }
  for (let step = version; step !== 0 && step !== SCHEMA_VERSION; step += 1) {
    const migrate = MIGRATIONS.get(step);
    if (migrate === undefined) {
      throw new StartError(
        version > SCHEMA_VERSION
          ? `The database ${file} was written by a later version of the service. Update this one, or name another folder with --data.`
          : `The database ${file} was written by a version of the service that is too old. Move its folder away, or name another one with --data.`,
      );
    }
    migrate(database);
  }
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  return database;
}

/** The version of the tables; 0 where there are none. */
function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** The system's names for: no space, over the quota, over the size that a file may have. */
const FILE_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** SQLITE_FULL. */
const SQLITE_FULL = 13;
/** SQLITE_IOERR of writing, flushing and enlarging (sqlite.org/rescode.html): how a full disk shows in its companion files. */
const SQLITE_WRITE_ERRORS: readonly unknown[] = [778, 1034, 1290, 1546, 4874];

/** Whether a write to a file or to the database failed for lack of space. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && FILE_CODES.includes(error.code)) ||
      resultCodeOf(error) === SQLITE_FULL ||
      ('errcode' in error && SQLITE_WRITE_ERRORS.includes(error.errcode)))
  );
}
