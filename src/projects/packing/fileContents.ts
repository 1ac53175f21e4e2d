import { open } from 'node:fs/promises';
import { cancellable } from './cancellation.ts';
import type { PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

/** Reads the files that are packed. Each method throws what the file system throws. */
export interface FileContents {
  /** A small file as a whole. */
  read(file: PlannedFile): Promise<Uint8Array>;
  /** A large file. */
  stream(file: PlannedFile): AsyncIterable<Uint8Array>;
}

/** Files up to this size are read as a whole. */
const MAX_WHOLE_BYTES = 256 * 1024;

/** Reads a file of any size, in pieces. @throws what the file system throws; CancelledError */
export async function* piecesOf(
  file: PlannedFile,
  contents: FileContents,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (file.sizeBytes <= MAX_WHOLE_BYTES) {
    yield await cancellable(contents.read(file), signal);
    return;
  }
  const pieces = contents.stream(file)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await cancellable(pieces.next(), signal);
      if (next.done === true) {
        return;
      }
      yield next.value;
    }
  } finally {
    // A file system that never answers does not answer this either: nobody waits for it.
    pieces.return?.().then(undefined, () => undefined);
  }
}

/** Files on a disk. */
export const diskContents: FileContents = { read, stream };

/** With fewer calls than `readFile`, which asks for the size first: of many small files these take most of the time. */
async function read({ uri, sizeBytes }: PlannedFile): Promise<Uint8Array> {
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

/** @throws PackingError when the file changes while it is read */
async function* stream({ uri, path }: PlannedFile): AsyncGenerator<Uint8Array> {
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
