/** Stores files next to the database: uploads, packages, logs, icons, and signing keys. */
import { randomUUID } from 'node:crypto';
import { constants, mkdtempSync, readdirSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { removeAbandonedFolders, temporaryPrefix } from '../../android-package/index.ts';
import { FILES_FOLDER, makeOwnFolder } from './dataFolder.ts';

/**
 * Flag that rejects links, which the service never creates. Windows doesn't have this flag, but links are rare there.
 */
const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

const WORK_PREFIX = 'app-build-work-';
/** Matches the folder names that `mkdtemp` creates. Other folders don't belong to the service. */
const WORK_NAME = new RegExp(`^${WORK_PREFIX}[A-Za-z0-9]{6}$`);
/** Matches the file names that `randomUUID` creates. */
const FILE_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Files with random names that the database refers to. A file is complete and on disk before a row refers to it. Files
 * that no row refers to are deleted at the next start. Only one process can use the files at a time.
 */
export class DataFiles {
  /** Folder of the stored files. */
  readonly #folder: string;
  /** Folder of unfinished files. */
  readonly #workFolder: string;
  readonly #isTemporary: boolean;

  /**
   * @param dataFolder `undefined` for a temporary folder, which {@link close} deletes
   * @throws StartError if the folder doesn't belong to the service
   */
  constructor(dataFolder: string | undefined) {
    const root = dataFolder ?? mkdtempSync(temporaryPrefix());
    this.#isTemporary = dataFolder === undefined;
    this.#folder = join(root, FILES_FOLDER);
    this.#workFolder = join(root, 'work');
    makeOwnFolder(this.#folder);
    makeOwnFolder(this.#workFolder);
  }

  /** Returns the path of a stored file. */
  getPath(name: string): string {
    return join(this.#folder, name);
  }

  /** Passes an empty work folder to `use`, and deletes the folder afterward. */
  async withWorkFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(this.#workFolder, WORK_PREFIX));
    try {
      return await use(folder);
    } finally {
      // If another program is still reading the folder, the next start deletes it.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }

  /**
   * Moves a file from a work folder to the stored files.
   *
   * @returns the file's name, after the file is on disk
   * @throws the system's error, such as ELOOP for a link. Nothing is stored in that case.
   */
  async store(path: string): Promise<string> {
    const name = randomUUID();
    // Windows can flush a file only if it's open for writing.
    await sync(path, constants.O_RDWR | NO_FOLLOW);
    await rename(path, this.getPath(name));
    try {
      // Windows doesn't have this call for folders and doesn't need it.
      if (process.platform !== 'win32') {
        await sync(this.#folder, constants.O_RDONLY);
      }
    } catch (error) {
      await this.remove([name]);
      throw error;
    }
    return name;
  }

  /** Deletes files that the database no longer refers to. Ignores missing ones. */
  async remove(names: readonly (string | null | undefined)[]): Promise<void> {
    const given = names.filter((name) => typeof name === 'string');
    await Promise.all(given.map((name) => rm(this.getPath(name), { force: true })));
  }

  /**
   * Deletes the leftovers of earlier processes: files that nothing refers to, work folders, and temporary folders. Must be
   * called before this process creates files or folders.
   *
   * @param namesInUse names of all files that the database refers to
   */
  async removeLeftovers(namesInUse: ReadonlySet<string>): Promise<void> {
    const files = readdirSync(this.#folder).filter((name) => FILE_NAME.test(name) && !namesInUse.has(name));
    const work = readdirSync(this.#workFolder).filter((name) => WORK_NAME.test(name));
    for (const path of [
      ...files.map((name) => this.getPath(name)),
      ...work.map((name) => join(this.#workFolder, name)),
    ]) {
      await rm(path, { recursive: true, force: true });
    }
    await removeAbandonedFolders();
  }

  /**
   * Deletes the folder if it's temporary. Retries a few times, because on Windows, a file in it may still be in use.
   */
  async close(): Promise<void> {
    if (this.#isTemporary) {
      await rm(join(this.#folder, '..'), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

/** Flushes a file, or the names of the files in a folder, to disk. */
async function sync(path: string, flags: number): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
