import { open, readFile } from 'node:fs/promises';

import type { FileContents } from './fileContents.ts';
import type { PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

/** Files on a disk. */
export const diskContents: FileContents = {
  read: ({ uri }) => readFile(uri.fsPath),
  stream,
};

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
