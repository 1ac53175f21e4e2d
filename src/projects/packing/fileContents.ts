import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

/** Bytes that are read at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * The content of a file, in pieces.
 *
 * @throws PackingError when it isn't what was planned, or changes meanwhile; what the file system throws
 */
export async function* readPlanned(file: PlannedFile): AsyncGenerator<Uint8Array, void> {
  const { path, sizeBytes } = file;
  // A pipe that took the place of a file would keep `open` waiting for its other end.
  const handle = await open(file.uri.fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // What was looked at is what is read: links may lead elsewhere since.
    await refuseChanged(file, handle);
    for (let left = sizeBytes; left > 0;) {
      const piece = Buffer.allocUnsafe(Math.min(left, PIECE_BYTES));
      const { bytesRead } = await handle.read(piece);
      if (bytesRead === 0) {
        throw PackingError.changed(path);
      }
      left -= bytesRead;
      yield piece.subarray(0, bytesRead);
    }
    await refuseChanged(file, handle);
  } finally {
    await handle.close();
  }
}

async function refuseChanged({ path, inode, sizeBytes, modifiedMs }: PlannedFile, handle: FileHandle): Promise<void> {
  const { ino, size, mtimeMs } = await handle.stat();
  if (ino !== inode || size !== sizeBytes || mtimeMs !== modifiedMs) {
    throw PackingError.changed(path);
  }
}
