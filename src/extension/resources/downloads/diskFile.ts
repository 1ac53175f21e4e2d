import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, lstat, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { notPlainFile } from './fileError.ts';

const WRITE_BUFFER_BYTES = 1024 * 1024;

/**
 * Writes a stream to a file on disk at the speed of the disk. The bytes go to a hidden file in the same folder, which
 * is renamed when it's complete. A file with the final name is therefore never incomplete.
 *
 * @param confirmReplace called if a file with this name exists.
 * @returns false when the user kept the existing file.
 * @throws the error of the stream, or Node's file system error. The hidden file is deleted first.
 */
export async function writeToDisk(
  body: AsyncIterable<Uint8Array>,
  file: string,
  confirmReplace: () => Promise<boolean>,
): Promise<boolean> {
  const partial = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID().slice(0, 8)}.part`);
  // Never write through a link or into another program's file.
  const stream = createWriteStream(partial, { flags: 'wx', flush: true, highWaterMark: WRITE_BUFFER_BYTES });
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  const created = Promise.race([once(stream, 'open').then(() => true), closed.then(() => false)]).catch(() => false);
  try {
    await pipeline(body, stream);
    if (await linkUnlessTaken(partial, file)) {
      return true;
    }
    if ((await pathExists(file)) && !(await confirmReplace())) {
      return false;
    }
    await rename(partial, file);
    return true;
  } finally {
    // If the body fails immediately, the file is still being opened. A file can be deleted only after it exists.
    await closed;
    if (await created) {
      await rm(partial, { force: true, maxRetries: 3 });
    }
  }
}

/**
 * Gives a complete file its final name unless the name is taken. A hard link fails in that case, where a rename would
 * replace the file.
 */
async function linkUnlessTaken(partial: string, file: string): Promise<boolean> {
  try {
    await link(partial, file);
    return true;
  } catch {
    // The name exists, or the file system doesn't support hard links.
    return false;
  }
}

async function pathExists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return false;
    }
    throw error;
  }
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/**
 * Reports whether a path on disk is a regular file in a folder, not reached through a link.
 *
 * @throws Node's error, including `ENOENT`.
 */
export async function isPlainFile(folder: string, file: string): Promise<boolean> {
  return (await lstat(file)).isFile() && (await realPathBelow(folder, file)) !== undefined;
}

/**
 * Returns the real path of a file on disk, relative to a folder and with the system's separators. Missing parts at the
 * end of the path are ignored.
 *
 * @returns undefined when a link leads out of the folder.
 * @throws Node's error when the folder doesn't exist.
 */
export async function realPathBelow(folder: string, file: string): Promise<string | undefined> {
  const [top, there] = await Promise.all([realpath(folder), getExistingRealPath(file)]);
  const relative = path.relative(top, there);
  return relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative) ? undefined : relative;
}

async function getExistingRealPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    return getExistingRealPath(path.dirname(file));
  }
}

/**
 * Creates a file in a user's folder, including its parent folders. Never overwrites anything and never creates a file
 * at the end of a link, including a broken one.
 *
 * @param name path relative to the folder.
 * @throws {@link FileError} when a link leads out of the folder. Node's error otherwise, including `EEXIST`.
 */
export async function createFile(folder: string, name: string, content: Uint8Array | string): Promise<void> {
  const file = path.join(folder, name);
  if ((await realPathBelow(folder, path.dirname(file))) === undefined) {
    throw notPlainFile(name);
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { flag: 'wx' });
}
