import { randomUUID } from 'node:crypto';
import { unlinkSync, watch } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { readRecord, recordText, type WatchRecord } from './watchRecord.ts';

/** A window that asks and is gone, as one that is loaded anew, holds the others up no longer than this. */
const MAX_QUESTION_MS = 15_000;
/** A state that was told is not told again for this long. */
const MAX_CLAIM_AGE_MS = 7 * 24 * 60 * 60_000;
/** A build that nobody has looked at is forgotten after this time. */
const MAX_RECORD_AGE_MS = 24 * 60 * 60_000;

const RECORD_SUFFIX = '.json';
const QUESTION_SUFFIX = '.asking';

/**
 * The files by which windows agree: a record for each watched build, and claims, which the window has that created the file.
 * The names are hashes.
 */
export class WatchFiles {
  readonly #folder: string;
  readonly #claims: string;
  /** Questions of this window that are under way. */
  readonly #questions = new Set<string>();

  /** @param folder that all windows share. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#claims = path.join(folder, 'told');
  }

  /** Makes the folders, and deletes what is too old to matter. @param now milliseconds since 1970 */
  async open(now: number): Promise<void> {
    await mkdir(this.#claims, { recursive: true });
    await this.#deleteOld(this.#claims, now - MAX_CLAIM_AGE_MS);
    await this.#deleteOld(this.#folder, now - MAX_RECORD_AGE_MS);
  }

  /** Calls back when a file has changed, in any window. Where the system cannot tell, a window finds out when it asks next. */
  observe(listener: () => void): { dispose(): void } {
    try {
      const watcher = watch(this.#folder, { persistent: false }, listener);
      watcher.on('error', () => {
        watcher.close();
      });
      return {
        dispose: () => {
          watcher.close();
        },
      };
    } catch {
      return { dispose: () => undefined };
    }
  }

  /** The records of all accounts, by their names. */
  async all(): Promise<ReadonlyMap<string, WatchRecord>> {
    const names = (await readdir(this.#folder).catch(() => []))
      .filter((name) => name.endsWith(RECORD_SUFFIX))
      .map((name) => name.slice(0, -RECORD_SUFFIX.length));
    const records = await Promise.all(names.map(async (name) => [name, await this.read(name)] as const));
    return new Map(records.filter((entry): entry is [string, WatchRecord] => typeof entry[1] === 'object'));
  }

  /** A record; `absent` when there is none, `damaged` when it cannot be read. */
  async read(name: string): Promise<WatchRecord | 'absent' | 'damaged'> {
    try {
      return readRecord(await readFile(this.#record(name), 'utf8')) ?? 'damaged';
    } catch (error) {
      return isMissing(error) ? 'absent' : 'damaged';
    }
  }

  /** Replaces a record in one step. */
  async write(name: string, record: WatchRecord): Promise<void> {
    const temporary = path.join(this.#folder, `${randomUUID()}.new`);
    try {
      await writeFile(temporary, recordText(record), { mode: 0o600 });
      await rename(temporary, this.#record(name));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    await rm(this.#record(name), { force: true });
  }

  /** Claims the next question about a build. @returns false while another window asks. */
  async startQuestion(name: string, now: number): Promise<boolean> {
    const file = this.#question(name);
    let claimed = await createdExclusively(file, now);
    if (!claimed && (await isOlder(file, now, MAX_QUESTION_MS))) {
      await rm(file, { force: true });
      claimed = await createdExclusively(file, now);
    }
    if (claimed) {
      this.#questions.add(name);
    }
    return claimed;
  }

  async endQuestion(name: string): Promise<void> {
    this.#questions.delete(name);
    await rm(this.#question(name), { force: true });
  }

  /** Claims to tell of a state. @returns true in one window. */
  async claim(state: string, now: number): Promise<boolean> {
    return createdExclusively(path.join(this.#claims, state), now);
  }

  /** Gives up what this window has claimed; another one may ask at once. */
  dispose(): void {
    for (const name of this.#questions) {
      try {
        unlinkSync(this.#question(name));
      } catch {
        // It is taken for given up after a while.
      }
    }
    this.#questions.clear();
  }

  #record(name: string): string {
    return path.join(this.#folder, `${name}${RECORD_SUFFIX}`);
  }

  #question(name: string): string {
    return path.join(this.#folder, `${name}${QUESTION_SUFFIX}`);
  }

  async #deleteOld(folder: string, before: number): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: before }));
      if (entry.isFile() && mtimeMs < before) {
        await rm(file, { force: true });
      }
    }
  }
}

/**
 * Creates an empty file.
 *
 * @param now its time, in milliseconds since 1970.
 * @returns false when it exists; true also where it cannot be created, so that a window goes on alone.
 */
async function createdExclusively(file: string, now: number): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.utimes(now / 1000, now / 1000);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    return codeOf(error) !== 'EEXIST';
  }
}

async function isOlder(file: string, now: number, age: number): Promise<boolean> {
  try {
    // A clock that was set back makes files of the future.
    return Math.abs(now - (await stat(file)).mtimeMs) > age;
  } catch {
    return false;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
