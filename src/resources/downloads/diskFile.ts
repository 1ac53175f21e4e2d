import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { notPlainFile } from './fileError.ts';

const WRITE_BUFFER_BYTES = 1024 * 1024;

/**
 * Writes a stream to a file on disk, no faster than the disk takes it. The bytes go to a hidden file beside it, which is
 * renamed when it is complete: a file of the final name is never incomplete.
 *
 * @param confirmReplace is called when there is a file of this name.
 * @returns false when the person kept the file that was there.
 * @throws what the stream throws, or Node's error of the file system. The hidden file is deleted before.
 */
export async function writeToDisk(
  body: AsyncIterable<Uint8Array>,
  file: string,
  confirmReplace: () => Promise<boolean>,
): Promise<boolean> {
  const partial = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID().slice(0, 8)}.part`);
  // Never through a link, and never into a file of another program.
  const stream = createWriteStream(partial, { flags: 'wx', flush: true, highWaterMark: WRITE_BUFFER_BYTES });
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  const created = Promise.race([once(stream, 'open').then(() => true), closed.then(() => false)]).catch(() => false);
  try {
    await pipeline(body, stream);
    if (await linkUnlessTaken(partial, file)) {
      return true;
    }
    if ((await exists(file)) && !(await confirmReplace())) {
      return false;
    }
    await rename(partial, file);
    return true;
  } finally {
    // When the body fails at once, the file is still being opened: it has to exist before it is removed.
    await closed;
    if (await created) {
      await rm(partial, { force: true, maxRetries: 3 });
    }
  }
}

/** Gives a complete file its final name unless that is taken: then a link fails, where a rename would replace. */
async function linkUnlessTaken(partial: string, file: string): Promise<boolean> {
  try {
    await link(partial, file);
    return true;
  } catch {
    // Taken, or a file system without hard links.
    return false;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') {
      return false;
    }
    throw error;
  }
}

function codeOfError(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Whether a path on this disk is a file in a folder: itself, and not by way of a link. @throws Node's error, `ENOENT` too */
export async function isPlainFile(folder: string, file: string): Promise<boolean> {
  return (await lstat(file)).isFile() && (await realPathBelow(folder, file)) !== undefined;
}

/**
 * Where a path on this disk really leads, as far as it is there: below a folder, with the separators of the system.
 *
 * @returns undefined when a link leads out of the folder
 * @throws Node's error when the folder is not there
 */
export async function realPathBelow(folder: string, file: string): Promise<string | undefined> {
  const [top, there] = await Promise.all([realpath(folder), realPathOfExisting(file)]);
  const relative = path.relative(top, there);
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? undefined : relative;
}

async function realPathOfExisting(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return realPathOfExisting(path.dirname(file));
  }
}

/**
 * Makes a file in a person's folder, and the folders that it is in. Nothing that is there is written over, and nothing is made at
 * the end of a link, also one that leads nowhere.
 *
 * @param name its path below the folder
 * @throws FileError when a link leads out of the folder; Node's error, `EEXIST` too
 */
export async function createFile(folder: string, name: string, content: Uint8Array | string): Promise<void> {
  const file = path.join(folder, name);
  if ((await realPathBelow(folder, path.dirname(file))) === undefined) {
    throw notPlainFile(name);
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { flag: 'wx' });
}
