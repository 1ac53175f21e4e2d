/** Opens the SQLite database in the data folder, protects it from other users, and detects damage. */
import { chmodSync, closeSync, existsSync, openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { OTHER_PROCESS_TIMEOUT_MS } from '../limits.ts';
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { FILE_MODE } from '../../android-package/index.ts';

/** Thrown when the service can't start or its data can't be used. The message is for the user. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const DATABASE_FILE = 'service.db';
/** Suffixes of the files that SQLite writes next to the database while it's in use. */
const COMPANION_SUFFIXES: readonly string[] = ['-wal', '-shm'];

/** Result codes for a damaged database: SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE_CODES: readonly number[] = [11, 26];

/**
 * Opens the database in `folder`, which no other process may be serving, and creates it if it doesn't exist. Renames a
 * damaged database to `service.db.corrupt-<timestamp>` and never overwrites it.
 *
 * @param folder `undefined` for an in-memory database
 * @param report receives a line for the user if the database had a problem
 * @throws StartError if the database can't be used, or if an unsupported version of the service wrote it
 */
export function openDatabase(folder: string | undefined, report: (line: string) => void): DatabaseSync {
  if (folder === undefined) {
    return withTables(':memory:', new DatabaseSync(':memory:'));
  }
  const file = join(folder, DATABASE_FILE);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.size === 0) {
      report(`The database ${file} is empty. The service starts with new data.`);
    }
    createFile(file);
    if (isDamaged(file)) {
      report(`The database ${file} is damaged and was moved to ${quarantine(file)}. The service starts with new data.`);
      createFile(file);
    }
    return openFile(file);
  } catch (error) {
    throw error instanceof StartError
      ? error
      : new StartError(`The database ${file} can’t be used (${errorCode(error)}). Specify another folder with --data.`);
  }
}

/**
 * Opens the database in a folder that another process is serving, without changing its format.
 *
 * @returns `undefined` if that process hasn't created the database yet
 * @throws StartError for a database of another version, or SQLite's error while the database is being created
 */
export function openServedDatabase(folder: string): DatabaseSync | undefined {
  const file = join(folder, DATABASE_FILE);
  // Opening the file would create it.
  if (!existsSync(file)) {
    return undefined;
  }
  const database = new DatabaseSync(file, { timeout: OTHER_PROCESS_TIMEOUT_MS });
  let version = 0;
  try {
    version = readSchemaVersion(database);
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
      `Another version of the service uses the data folder ${folder}. Stop it, or reload all windows of the editor, and try again.`,
    );
  }
  return database;
}

/** Renames a file and SQLite's companion files to `FILE.corrupt-<timestamp>`. @returns the file's new path */
function quarantine(file: string): string {
  const backup = `${file}.corrupt-${new Date().toISOString().replaceAll(':', '-')}`;
  for (const suffix of ['', ...COMPANION_SUFFIXES]) {
    if (existsSync(file + suffix)) {
      renameSync(file + suffix, backup + suffix);
      chmodSync(backup + suffix, FILE_MODE);
    }
  }
  return backup;
}

/** Returns the name of a system or SQLite error. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'errstr' in error && typeof error.errstr === 'string') {
    return error.errstr;
  }
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Returns SQLite's primary result code (sqlite.org/rescode.html), or `undefined` for other errors. */
export function getResultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

/**
 * Creates the database file if it doesn't exist, and protects it from other users. SQLite gives its companion files the
 * same permissions.
 */
function createFile(file: string): void {
  closeSync(openSync(file, 'a', FILE_MODE));
  for (const name of [file, ...COMPANION_SUFFIXES.map((suffix) => file + suffix)].filter(existsSync)) {
    chmodSync(name, FILE_MODE);
  }
}

function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OTHER_PROCESS_TIMEOUT_MS });
  try {
    // If the file system doesn't support WAL, as on a network drive, SQLite uses its rollback journal instead.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // Overwrite deleted data, such as tokens and passwords of signing keys.
    database.exec('PRAGMA secure_delete = ON');
    return withTables(file, database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reports whether a database is damaged. Only reads the file, so that a damaged file isn't changed. */
function isDamaged(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: OTHER_PROCESS_TIMEOUT_MS, readOnly: true });
  try {
    return database.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok';
  } catch (error) {
    if (DAMAGE_CODES.includes(getResultCode(error) ?? 0)) {
      return true;
    }
    throw error;
  } finally {
    database.close();
  }
}

/** Creates the tables, or migrates the tables of an earlier version. @throws StartError if neither is possible */
function withTables(file: string, database: DatabaseSync): DatabaseSync {
  const version = readSchemaVersion(database);
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
          ? `The database ${file} is from a later version of the service. Update this version, or specify another folder with --data.`
          : `The database ${file} is from a version of the service that’s too old. Move its folder, or specify another one with --data.`,
      );
    }
    migrate(database);
  }
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  return database;
}

/** Returns the version of the tables, or 0 if they don't exist. */
function readSchemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** System error codes for a full disk, an exceeded quota, and a file that's too large. */
const FILE_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];
/** SQLITE_FULL. */
const SQLITE_FULL = 13;
/**
 * SQLITE_IOERR codes for writing, flushing, and enlarging a file (sqlite.org/rescode.html). A full disk causes them for
 * SQLite's companion files.
 */
const SQLITE_WRITE_ERRORS: readonly unknown[] = [778, 1034, 1290, 1546, 4874];

/** Reports whether a write to a file or the database failed for lack of space. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && FILE_CODES.includes(error.code)) ||
      getResultCode(error) === SQLITE_FULL ||
      ('errcode' in error && SQLITE_WRITE_ERRORS.includes(error.errcode)))
  );
}
