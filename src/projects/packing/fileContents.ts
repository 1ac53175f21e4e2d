import { open } from 'node:fs/promises';
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

/** A small file as a whole, with fewer calls than `readFile`, which asks for the size first: of many small files these take most of the time. */
export async function readWhole({ uri, sizeBytes }: PlannedFile): Promise<Uint8Array> {
  const handle = await open(uri.fsPath);
  try {
    // One byte more shows that a file has grown.
    const bytes = Buffer.allocUnsafe(sizeBytes + 1);
    let length = 0;
    let bytesRead: number;
    do {
      ({ bytesRead } = await handle.read(bytes, length, bytes.length - length, length));
      length += bytesRead;
    } while (bytesRead > 0 && length < sizeBytes);
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

/** A large file. @throws PackingError when it changes while it is read */
export async function* streamOf({ uri, path }: PlannedFile): AsyncGenerator<Uint8Array> {
  const handle = await open(uri.fsPath);
  try {
    const before = await handle.stat();
    yield* handle.createReadStream({ autoClose: false });
    const after = await handle.stat();
    if (after.mtimeMs !== before.mtimeMs) {
      throw PackingError.changed(path);
    }
  } finally {
    await handle.close();
  }
}
