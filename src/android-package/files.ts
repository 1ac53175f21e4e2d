/** Reads and creates files on disk. */
import { open } from 'node:fs/promises';

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
