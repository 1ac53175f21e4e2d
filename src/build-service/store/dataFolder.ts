/** The data folder: checks that it can be used, locks it for one process, and opens its contents. */
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

/** Names that exist only in a folder of the service: its database, including a damaged one, and its lock. */
const MARKS = /^service\.(?:db|lock)/;
/** Folders that `--install-engine` creates, which can exist before any data. */
const ENGINE_FOLDERS = /^engine(?:$|-partial-)/;
/** All names that the service creates in its folder. */
const OWN_NAMES =
  /^(?:service\.(?:db|lock)|files(?:$|\.unused-)|work$|android-test-key\.pem(?:$|\.new$)|engine(?:$|-partial-))/;

/** Only the owner can read the data, because it contains tokens and the owner's credentials. */
const FOLDER_MODE = 0o700;

/**
 * Creates the folder if it doesn't exist, accessible only to its owner. A folder that also contains other files keeps its permissions.
 *
 * @throws StartError if the folder can't be used, or if it contains other files and no data of the service, because the service renames and
 * deletes files in its folder
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
 * Locks a prepared folder for this process. The lock is an SQLite lock on a separate, empty file. The system releases it when the process
 * ends, on every system that the database supports, and the database stays readable.
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
    // With the journal in memory, SQLite doesn't create another file.
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
 * Opens the data in `folder`, which only this process serves. If no data exists, creates it with an owner only or with demo data.
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
  // A process that was killed may have left its address.
  setServedAddress(store, null);
  return store;
}

/**
 * Renames the files of a missing database to `files.unused-<timestamp>`. The next database doesn't refer to them, so they would be deleted
 * as leftovers.
 */
function quarantineFiles(dataFolder: string, report: (line: string) => void): void {
  const folder = join(dataFolder, FILES_FOLDER);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    const backup = `${folder}.unused-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(folder, backup);
    report(`The files of an earlier database were moved to ${backup}.`);
  }
}
