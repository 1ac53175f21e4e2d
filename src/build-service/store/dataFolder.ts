/** Checks the data folder, locks it for one process, and opens its contents. */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { errorCode, StartError, openDatabase, getResultCode } from './database.ts';
import { insertDemoData } from './demoData.ts';
import { insertOwner, ownerName } from './owner.ts';
import { createPassword } from './secrets.ts';
import { setServedAddress, Store } from './store.ts';
import { FILE_MODE } from '../../android-package/index.ts';

/** Name of the subfolder for stored files. */
export const FILES_FOLDER = 'files';

const LOCK_FILE = 'service.lock';
/** SQLITE_BUSY: another process holds SQLite's lock. */
const BUSY_CODE = 5;

/** Matches names that exist only in a data folder: the database, including a damaged one, and the lock. */
const MARKS = /^service\.(?:db|lock)/;
/** Matches folders that `--install-engine` creates, even before the data exists. */
const ENGINE_FOLDERS = /^engine(?:$|-partial-)/;
/** Matches all names that the service creates in its folder. */
const OWN_NAMES =
  /^(?:service\.(?:db|lock)|files(?:$|\.unused-)|work$|android-test-key\.pem(?:$|\.new$)|engine(?:$|-partial-))/;

/**
 * Permissions of the data folder: only the owner can read it, because it contains tokens and the owner's credentials.
 */
const FOLDER_MODE = 0o700;

/**
 * Creates the folder if it doesn't exist, and makes it accessible only to its owner. Keeps the permissions of a folder
 * that contains other files.
 *
 * @throws StartError if the folder can't be used, if another user could replace its data, or if it contains files but
 * no data of the service. The service renames and deletes files in its folder.
 */
export function prepareFolder(folder: string): void {
  let names: readonly string[];
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    names = readdirSync(folder);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile() === true) {
      throw new StartError(`${folder} is a file. Specify a folder with --data.`);
    }
    throw new StartError(
      `The data folder ${folder} can’t be used (${errorCode(error)}). Specify another one with --data.`,
    );
  }
  refuseUntrusted(folder, names);
  const isOwn = names.some((name) => MARKS.test(name)) || names.every((name) => ENGINE_FOLDERS.test(name));
  if (!isOwn) {
    throw new StartError(
      `The folder ${folder} contains other files and no data of the service. Specify an empty or new folder with --data.`,
    );
  }
  if (names.every((name) => OWN_NAMES.test(name))) {
    chmodSync(folder, FOLDER_MODE);
  }
}

/**
 * Rejects data that another user could replace: a folder of that user, and a database or lock that's a link.
 *
 * @throws StartError
 */
function refuseUntrusted(folder: string, names: readonly string[]): void {
  // Windows doesn't have user IDs.
  const user = process.getuid?.();
  if (user !== undefined && statSync(folder).uid !== user) {
    throw new StartError(`The folder ${folder} belongs to another user. Specify a folder of your own with --data.`);
  }
  // Another process may be deleting SQLite's companion files.
  const isLink = (name: string): boolean =>
    lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const link = names.find((name) => MARKS.test(name) && isLink(name));
  if (link !== undefined) {
    throw new StartError(
      `${join(folder, link)} is a link, but the service needs a file there. Delete it, or specify another folder with --data.`,
    );
  }
}

/** Creates a subfolder that only its owner can access. @throws StartError if the path is a link or a file */
export function makeOwnFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new StartError(
      `${path} is a link or a file, but the service needs a folder there. Delete it, or specify another folder with --data.`,
    );
  }
  mkdirSync(path, { recursive: true });
  chmodSync(path, FOLDER_MODE);
}

/**
 * Locks a prepared folder for this process. The lock is an SQLite lock on a separate, empty file. It works on every
 * system that SQLite supports, the system releases it when the process exits, and the database stays readable.
 *
 * @returns a function that unlocks the folder, or `undefined` if another process has locked it
 * @throws StartError if the lock file can't be used
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const file = join(folder, LOCK_FILE);
  let database: DatabaseSync | undefined;
  try {
    // This process must not open the file again, because closing it would release the lock (POSIX).
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', FILE_MODE));
    }
    database = new DatabaseSync(file);
    // A journal in memory keeps SQLite from creating another file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const lock = database;
    return () => lock.close();
  } catch (error) {
    database?.close();
    if (getResultCode(error) === BUSY_CODE) {
      return undefined;
    }
    throw new StartError(
      `The data folder ${folder} can’t be used (${errorCode(error)}). Specify another one with --data.`,
    );
  }
}

/**
 * Opens the data in `folder`, which no other process may be serving. If no data exists, creates it, either with just an
 * owner or with demo data.
 *
 * @param folder `undefined` to keep the data in memory
 * @param report receives a line for the user if the data had a problem
 * @param options `demo` adds demo data to new data
 * @throws StartError if the data can't be used
 */
export async function openStore(
  folder: string | undefined,
  report: (line: string) => void,
  { demo, now }: { readonly demo: boolean; readonly now?: () => number },
): Promise<Store> {
  if (folder !== undefined) {
    prepareFolder(folder);
  }
  const store = new Store(openDatabase(folder, report), now);
  if (store.get('SELECT 1 FROM service') === undefined) {
    if (folder !== undefined) {
      quarantineFiles(folder, report);
    }
    const password = await createPassword();
    if (demo) {
      insertDemoData(store, password);
    } else {
      insertOwner(store, ownerName(), password);
    }
  }
  // A process that was killed may have left its address in the data.
  setServedAddress(store, null);
  return store;
}

/**
 * Renames the files of a missing database to `files.unused-<timestamp>`. A new database wouldn't refer to them, so they
 * would be deleted as leftovers.
 */
function quarantineFiles(dataFolder: string, report: (line: string) => void): void {
  const folder = join(dataFolder, FILES_FOLDER);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    const backup = `${folder}.unused-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(folder, backup);
    report(`The files of an earlier database were moved to ${backup}.`);
  }
}
