import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, lstat, rename, rm, open, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const WRITE_BUFFER_BYTES = 1024 * 1024;

export interface WriteOptions {
  /** True when the person has agreed that a file of this name is replaced. */
  readonly mayReplace: boolean;
  /** Asks again when a file of this name has appeared in the meantime. */
  readonly confirmReplace: () => Promise<boolean>;
}

/**
 * Writes a stream to a file on disk, no faster than the disk takes it. The bytes go to a hidden file beside it, which is
 * renamed when it is complete: a file of the final name is never incomplete.
 *
 * @returns false when the person kept the file that was there.
 * @throws what the stream throws, or Node's error of the file system. The hidden file is deleted before.
 */
export async function writeToDisk(
  body: AsyncIterable<Uint8Array>,
  file: string,
  options: WriteOptions,
): Promise<boolean> {
  const partial = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID().slice(0, 8)}.part`);
  // Never through a link, and never into a file of another program.
  const stream = createWriteStream(partial, { flags: 'wx', flush: true, highWaterMark: WRITE_BUFFER_BYTES });
  const closed = new Promise<void>((resolve) => stream.once('close', resolve));
  const created = Promise.race([once(stream, 'open').then(() => true), closed.then(() => false)]).catch(() => false);
  try {
    await pipeline(body, stream);
    return await moveIntoPlace(partial, file, options);
  } finally {
    // When the body fails at once, the file is still being opened: it has to exist before it is removed.
    await closed;
    if (await created) {
      await rm(partial, { force: true, maxRetries: 3 });
    }
  }
}

async function moveIntoPlace(
  partial: string,
  file: string,
  { mayReplace, confirmReplace }: WriteOptions,
): Promise<boolean> {
  if (!mayReplace && (await linkUnlessTaken(partial, file))) {
    return true;
  }
  if (!mayReplace && (await exists(file)) && !(await confirmReplace())) {
    return false;
  }
  await rename(partial, file);
  return true;
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
  if (!(await lstat(file)).isFile()) {
    return false;
  }
  const [top, there] = await Promise.all([realpath(folder), realpath(file)]);
  const relative = path.relative(top, there);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Makes an empty file unless something of this name is there, also a link that leads nowhere. @throws Node's error */
export async function createUnlessThere(file: string): Promise<void> {
  try {
    await (await open(file, 'wx')).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw error;
    }
  }
}

/** Makes a file. Nothing that is there is written over, and no link is followed. @throws Node's error, `EEXIST` too */
export async function createFile(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes, { flag: 'wx' });
}
