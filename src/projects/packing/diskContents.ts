import { open } from 'node:fs/promises';

import type { FileContents } from './fileContents.ts';
import type { PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

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
