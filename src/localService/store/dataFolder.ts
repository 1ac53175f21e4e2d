/** The folder of the data: which one may be used, that one process alone serves it, and opening what is in it. */
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

import { errorCode, StartError, FILE_MODE, openDatabase, resultCodeOf } from './database.ts';
import { insertDemoData } from './demoData.ts';
import { insertOwner, ownerName } from './owner.ts';
import { createPassword } from './secrets.ts';
import { setServedAddress, Store } from './store.ts';

/** Name of the folder, in that of the data, for the files that are kept. */
export const FILES_FOLDER = 'files';

const LOCK_FILE = 'service.lock';
/** SQLite's lock is held by another process (SQLITE_BUSY). */
const BUSY_CODE = 5;

/** Names that only a folder of the service has: its database, also one that was damaged, and its lock. */
const MARKS = /^service\.(?:db|lock)/;
/** The folders that `--install-engine` makes, also where there is no data yet. */
const ENGINE_FOLDERS = /^engine(?:$|-partial-)/;
/** All names that the service makes in its folder. */
const OWN_NAMES =
  /^(?:service\.(?:db|lock)|files(?:$|\.unused-)|work$|android-test-key\.pem(?:$|\.new$)|engine(?:$|-partial-))/;

/** Only the owner may read the data: it holds tokens and the owner's credentials. */
const FOLDER_MODE = 0o700;

/**
 * Makes the folder where there is none, for its owner alone. One that also holds other files keeps its permissions.
 *
 * @throws StartError for a folder that cannot be used, and for one without data of the service that holds other files: the
 *   service renames and removes files in its folder
 */
export function prepareFolder(folder: string): void {
  let names: readonly string[];
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    names = readdirSync(folder);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile() === true) {
      throw new StartError(`${folder} is a file, but the data is kept in a folder. Name a folder with --data.`);
    }
    throw new StartError(
      `The data folder ${folder} cannot be used (${errorCode(error)}). Name another one with --data.`,
    );
  }
  const isOwn = names.some((name) => MARKS.test(name)) || names.every((name) => ENGINE_FOLDERS.test(name));
  if (!isOwn) {
    throw new StartError(
      `The folder ${folder} holds other files, and no data of the service. Name an empty folder with --data, or one that is not there yet.`,
    );
  }
  if (names.every((name) => OWN_NAMES.test(name))) {
    chmodSync(folder, FOLDER_MODE);
  }
}

/** Makes a folder in that of the data, for its owner alone. @throws StartError where there is a link or a file instead */
export function makeOwnFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new StartError(
      `${path} is a link or a file, where the service keeps a folder of its own. Remove it, or name another folder with --data.`,
    );
  }
  mkdirSync(path, { recursive: true });
  chmodSync(path, FOLDER_MODE);
}

/**
 * Takes a prepared folder for this process. The lock is one of SQLite, on an empty file of its own: the system gives it back when the
 * process ends, on every system that the database works on, and the database can be read meanwhile.
 *
 * @returns gives the folder back; `undefined` while another process has it
 * @throws StartError when the file of the lock cannot be used
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const file = join(folder, LOCK_FILE);
  let database: DatabaseSync | undefined;
  try {
    // Never opened again by this process: closing it would give the lock back (POSIX).
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', FILE_MODE));
    }
    database = new DatabaseSync(file);
    // Without a journal there is no other file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const lock = database;
    return () => lock.close();
  } catch (error) {
    database?.close();
    if (resultCodeOf(error) === BUSY_CODE) {
      return undefined;
    }
    throw new StartError(
      `The data folder ${folder} cannot be used (${errorCode(error)}). Name another one with --data.`,
    );
  }
}

/**
 * Opens the data in `folder`, which this process alone serves; where there is none yet, it is made: with its owner alone,
 * or as demo data.
 *
 * @param folder `undefined`: nothing is kept
 * @param report receives a line for a person when something was wrong with the data
 * @param options `demo`: data that is made is demo data
 * @throws StartError when the data cannot be used
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
 * Renames the files of a database that is not there any more to `files.unused-<timestamp>`: the next one refers to none of
 * them, and they would be removed as leftovers.
 */
function quarantineFiles(dataFolder: string, report: (line: string) => void): void {
  const folder = join(dataFolder, FILES_FOLDER);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    const kept = `${folder}.unused-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(folder, kept);
    report(`The files of an earlier database were kept as ${kept}.`);
  }
}
