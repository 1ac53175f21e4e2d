/** The files beside the database: uploads, artifacts, logs, icons and signing keys. */
import { randomUUID } from 'node:crypto';
import { constants, mkdtempSync, readdirSync } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FILES_FOLDER, makeOwnFolder } from './dataFolder.ts';

export { FILE_MODE } from './database.ts';

/** A link is no file of ours. Windows has no such flag, and hardly links. */
const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

const WORK_PREFIX = 'app-build-work-';
/** The names that `mkdtemp` gives. Other folders are not the service's. */
const WORK_NAME = new RegExp(`^${WORK_PREFIX}[A-Za-z0-9]{6}$`);
/** The names that `randomUUID` gives. */
const FILE_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Files under random names, which the database refers to. A file that is kept is whole and on disk before a row names it; one
 * that no row names is removed at the next start. One process at a time works with them.
 */
export class DataFiles {
  /** Holds the files that are kept. */
  readonly #folder: string;
  /** Holds what is being made. */
  readonly #workFolder: string;
  readonly #isTemporary: boolean;

  /**
   * @param dataFolder `undefined`: a temporary folder, which {@link close} removes
   * @throws StartError for a folder that isn't the service's
   */
  constructor(dataFolder: string | undefined) {
    const root = dataFolder ?? mkdtempSync(join(tmpdir(), 'app-build-service-'));
    this.#isTemporary = dataFolder === undefined;
    this.#folder = join(root, FILES_FOLDER);
    this.#workFolder = join(root, 'work');
    makeOwnFolder(this.#folder);
    makeOwnFolder(this.#workFolder);
  }

  /** The path of a file that is kept. */
  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Gives `use` an empty folder for something that is being made, and removes it afterwards. */
  async withWorkFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(this.#workFolder, WORK_PREFIX));
    try {
      return await use(folder);
    } finally {
      // A folder that another program reads is removed at the next start.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    }
  }

  /**
   * Keeps a file that was made in a work folder: it is moved.
   *
   * @returns its name; when it resolves, the file is on disk
   * @throws the system's error, ELOOP for a link; nothing is kept then
   */
  async keep(path: string): Promise<string> {
    const name = randomUUID();
    // Windows flushes only what is open for writing.
    await sync(path, constants.O_RDWR | NO_FOLLOW);
    await rename(path, this.pathOf(name));
    try {
      // Windows has no such call for folders, and does it by itself.
      if (process.platform !== 'win32') {
        await sync(this.#folder, constants.O_RDONLY);
      }
    } catch (error) {
      await this.remove([name]);
      throw error;
    }
    return name;
  }

  /** Removes files that are no longer referred to. One that is gone already is fine. */
  async remove(names: readonly (string | null | undefined)[]): Promise<void> {
    const given = names.filter((name) => typeof name === 'string');
    await Promise.all(given.map((name) => rm(this.pathOf(name), { force: true })));
  }

  /**
   * Removes what an earlier process has left behind: files that nothing refers to, and work folders. To be called before this
   * process makes any.
   *
   * @param namesInUse the names of all files that the database refers to
   */
  async removeLeftovers(namesInUse: ReadonlySet<string>): Promise<void> {
    const files = readdirSync(this.#folder).filter((name) => FILE_NAME.test(name) && !namesInUse.has(name));
    const work = readdirSync(this.#workFolder).filter((name) => WORK_NAME.test(name));
    for (const path of [
      ...files.map((name) => this.pathOf(name)),
      ...work.map((name) => join(this.#workFolder, name)),
    ]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  /** Removes a temporary folder. A file that is being read stands in the way on Windows until that has ended. */
  async close(): Promise<void> {
    if (this.#isTemporary) {
      await rm(join(this.#folder, '..'), { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

/** Bytes of a file: `length` of them, or as many as it has. */
export async function readBytes(path: string, length: number, offset = 0): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Has a file, or the names of the files in a folder, on disk. */
async function sync(path: string, flags: number): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
