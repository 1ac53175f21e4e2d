import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';

import type { WriteOptions } from './diskFile.ts';

/** Bytes. `vscode.workspace.fs` takes a file as a whole. */
const mostInMemory = 64 * 1024 * 1024;

/**
 * Writes a stream to a file of a remote or virtual workspace: in memory first, then to a file beside it, which gets the
 * final name once it is complete.
 *
 * @returns false when the person kept the file that was there.
 * @throws what the stream or the file system throws, or an error with code APP_BUILD_TOO_LARGE.
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
    // Gone already when all went well.
    await Promise.resolve(fs.delete(partial)).catch(() => undefined);
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > mostInMemory) {
      throw Object.assign(new Error('Too large to be written at once.'), { code: 'APP_BUILD_TOO_LARGE' });
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
