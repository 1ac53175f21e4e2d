import { cancellable } from './cancellation.ts';
import type { PlannedFile } from './packageContents.ts';

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
