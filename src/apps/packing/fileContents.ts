import type { PlannedFile } from './packageContents.ts';

/** Reads the files that are packed. Each method throws what the file system throws. */
export interface FileContents {
  /** A small file as a whole. */
  read(file: PlannedFile): Promise<Uint8Array>;
  /** A large file. */
  stream(file: PlannedFile): AsyncIterable<Uint8Array>;
}
