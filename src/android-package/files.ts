/** Reads and creates files on disk. */
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reads up to `length` bytes of a file. */
export async function readBytes(path: string, length: number, offset = 0): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Permissions of new files: only the owner can read and write them. */
export const FILE_MODE = 0o600;

/** Matches the names of temporary folders: the ID of the process that uses the folder, and the six characters of `mkdtemp`. */
const TEMPORARY_NAME = /^app-build-([1-9]\d*)-[A-Za-z0-9]{6}$/;

/** Returns the beginning of a temporary folder's path, for `mkdtemp`. */
export function temporaryPrefix(parent = tmpdir()): string {
  return join(parent, `app-build-${process.pid}-`);
}

/**
 * Creates a folder that only its owner can access (0700). Deletes those that earlier processes didn't delete.
 *
 * @param parent folder that contains temporary folders
 * @throws the system's error if the folder can't be created
 */
export async function createTemporaryFolder(parent = tmpdir()): Promise<string> {
  await removeAbandonedFolders(parent);
  return mkdtemp(temporaryPrefix(parent));
}

/** Deletes the temporary folders of processes that ended without deleting them. Never rejects: the next call tries again. */
export async function removeAbandonedFolders(parent = tmpdir()): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const abandoned = entries.filter((entry) => {
    const owner = TEMPORARY_NAME.exec(entry.name)?.[1];
    return owner !== undefined && entry.isDirectory() && !isRunning(Number(owner));
  });
  await Promise.allSettled(abandoned.map(({ name }) => rm(join(parent, name), { recursive: true, force: true })));
}

/** Reports whether a process exists. Another user's process counts. */
function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
