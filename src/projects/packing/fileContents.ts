import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { cancellable, throwIfCancelled } from './cancellation.ts';
import type { PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

const MAX_WHOLE_BYTES = 256 * 1024;

/** Reads a file of any size, in pieces. @throws what the file system throws; CancelledError */
export async function* piecesOf(file: PlannedFile, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
  if (file.sizeBytes <= MAX_WHOLE_BYTES) {
    yield await cancellable(readWhole(file), signal);
    return;
  }
  for await (const piece of streamOf(file)) {
    throwIfCancelled(signal);
    yield piece;
  }
}

/** A small file as a whole, with fewer calls than `readFile`, which asks for the size once more: of many small files these take most of the time. */
export async function readWhole(file: PlannedFile): Promise<Uint8Array> {
  const handle = await openPlanned(file);
  try {
    // One byte more shows that a file has grown.
    const bytes = Buffer.allocUnsafe(file.sizeBytes + 1);
    let length = 0;
    let bytesRead: number;
    do {
      ({ bytesRead } = await handle.read(bytes, length, bytes.length - length, length));
      length += bytesRead;
    } while (bytesRead > 0 && length < file.sizeBytes);
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** A large file. @throws PackingError when it changes while it is read */
export async function* streamOf(file: PlannedFile): AsyncGenerator<Uint8Array> {
  const handle = await openPlanned(file);
  try {
    yield* handle.createReadStream({ autoClose: false });
    await refuseChanged(file, handle);
  } finally {
    await handle.close();
  }
}

/** What was looked at is what is read: links may lead elsewhere since. @throws PackingError; what the file system throws */
async function openPlanned(file: PlannedFile): Promise<FileHandle> {
  // A pipe that took the place of a file would keep `open` waiting for its other end.
  const handle = await open(file.uri.fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await refuseChanged(file, handle);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function refuseChanged({ path, inode, sizeBytes, modifiedMs }: PlannedFile, handle: FileHandle): Promise<void> {
  const { ino, size, mtimeMs } = await handle.stat();
  if (ino !== inode || size !== sizeBytes || mtimeMs !== modifiedMs) {
    throw PackingError.changed(path);
  }
}
