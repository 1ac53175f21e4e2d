import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';

import type { WriteOptions } from './diskFile.ts';
import { MAX_IN_MEMORY_BYTES, tooLargeForMemory } from './fileError.ts';

/**
 * Writes a stream to a file of a remote or virtual workspace. `vscode.workspace.fs` takes a file as a whole: the stream is
 * collected in memory, then written to a file beside it, which is renamed when it is complete.
 *
 * @returns false when the person kept the file that was there.
 * @throws what the stream or the file system throws, or {@link tooLargeForMemory}: see `fileFailure`.
 */
export async function writeToWorkspace(
  body: AsyncIterable<Uint8Array>,
  target: vscode.Uri,
  { mayReplace, confirmReplace }: WriteOptions,
): Promise<boolean> {
  const bytes = await collect(body);
  const name = path.posix.basename(target.path);
  const partial = vscode.Uri.joinPath(target, '..', `.${name}.${randomUUID().slice(0, 8)}.part`);
  const { fs } = vscode.workspace;
  try {
    await fs.writeFile(partial, bytes);
    try {
      await fs.rename(partial, target, { overwrite: mayReplace });
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === 'FileExists')) {
        throw error;
      }
      if (!(await confirmReplace())) {
        return false;
      }
      await fs.rename(partial, target, { overwrite: true });
    }
    return true;
  } finally {
    // After a successful rename there is nothing to delete.
    await Promise.resolve(fs.delete(partial)).catch(() => undefined);
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_IN_MEMORY_BYTES) {
      throw tooLargeForMemory();
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
