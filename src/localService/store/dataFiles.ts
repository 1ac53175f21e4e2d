/** The files beside the database: uploads, artifacts, logs, icons and signing keys. */
import { randomUUID } from 'node:crypto';
import { chmodSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createProcessName, hasEnded } from './serviceProcess.ts';

/** Files may be read by their owner alone. */
export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Name of the folder, in that of the data, for the files that are kept. */
const FILES_FOLDER = 'files';

/** A link is no file of ours. Windows has no such flag, and hardly links. */
const NO_FOLLOW = (constants as Partial<typeof constants>).O_NOFOLLOW ?? 0;

/** For another process to name a file that it has kept. */
const UNNAMED_FILE_MS = 5 * 60_000;
/** Work folders of processes of which nothing is known are taken for leftovers when they are older. */
const FOREIGN_WORK_MS = 24 * 60 * 60_000;

/**
 * Files under random names, which the database refers to. A file that is kept is whole and on disk before a row names it; one
 * that no row names is nobody's, and removed at the next start.
 */
export class DataFiles {
  /** Holds the files that are kept. */
  readonly #folder: string;
  /** Holds what is being made. */
  readonly #workFolder: string;
  readonly #isTemporary: boolean;
  /** Names the process that works with these files. */
  readonly processName = createProcessName();

  /** @param dataFolder `undefined`: a temporary folder, which {@link close} removes */
  constructor(dataFolder: string | undefined) {
    const root = dataFolder ?? mkdtempSync(join(tmpdir(), 'app-build-service-'));
    this.#isTemporary = dataFolder === undefined;
    this.#folder = join(root, FILES_FOLDER);
    this.#workFolder = join(root, 'work');
    for (const folder of [this.#folder, this.#workFolder]) {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, FOLDER_MODE);
    }
  }

  /** The path of a file that is kept. */
  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Gives `use` an empty folder for something that is being made, and removes it afterwards. */
  async withWorkFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
    const folder = await this.createWorkFolder();
    try {
      return await use(folder);
    } finally {
      await removeFolder(folder);
    }
  }

  /** Makes an empty folder for something that is being made. Who asks for it removes it. */
  createWorkFolder(): Promise<string> {
    return mkdtemp(join(this.#workFolder, `${this.processName}_`));
  }

  /**
   * Keeps a file that was made in a work folder: it is moved.
   *
   * @returns its name; when it resolves, the file is on disk
   * @throws the system's error, ELOOP for a link; nothing is kept then
   */
  async keep(path: string): Promise<string> {
    const name = randomUUID();
    await syncFile(path);
    await rename(path, this.pathOf(name));
    try {
      await syncFolder(this.#folder);
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
   * Removes what processes that have ended have left behind: files that nothing refers to, and work folders. To be called
   * before this process makes any.
   *
   * @param namesInUse the names of all files that the database refers to
   */
  async removeLeftovers(namesInUse: () => ReadonlySet<string>): Promise<void> {
    // In this order: who keeps a file has a work folder until the file is named.
    const files = readdirSync(this.#folder);
    const work = readdirSync(this.#workFolder);
    const leftovers: string[] = [];
    for (const name of work) {
      const path = join(this.#workFolder, name);
      if (hasEnded(name) || (await ageOf(path)) > FOREIGN_WORK_MS) {
        leftovers.push(path);
      }
    }
    const othersWork = leftovers.length < work.length;
    const names = files.length === 0 ? new Set<string>() : namesInUse();
    for (const path of files.filter((name) => !names.has(name)).map((name) => this.pathOf(name))) {
      if (!othersWork || (await ageOf(path)) > UNNAMED_FILE_MS) {
        leftovers.push(path);
      }
    }
    for (const path of leftovers) {
      await rm(path, { recursive: true, force: true });
    }
  }

  close(): void {
    if (this.#isTemporary) {
      rmSync(join(this.#folder, '..'), { recursive: true, force: true });
    }
  }
}

/**
 * Renames the files of a database that is not there any more to `files.unused-<timestamp>`: the next one refers to none of
 * them, and they would be removed as leftovers.
 *
 * @param report receives a line for a person
 */
export function setFilesAside(dataFolder: string, report: (line: string) => void): void {
  const folder = join(dataFolder, FILES_FOLDER);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    const aside = `${folder}.unused-${new Date().toISOString().replaceAll(':', '-')}`;
    renameSync(folder, aside);
    report(`The files of an earlier database were kept as ${aside}.`);
  }
}

/** What cannot be removed, because another program reads it, is removed at the next start. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

async function syncFile(path: string): Promise<void> {
  // Windows flushes only what is open for writing.
  const handle = await open(path, constants.O_RDWR | NO_FOLLOW);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Has the names of the files in a folder on disk, too. Windows has no such call, and does it by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Milliseconds since a file got its name, or a folder its latest entry. */
async function ageOf(path: string): Promise<number> {
  try {
    return Date.now() - (await stat(path)).ctimeMs;
  } catch {
    // It is gone.
    return 0;
  }
}
