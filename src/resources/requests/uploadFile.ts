import { createReadStream } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

import { tooLargeForMemory } from '../downloads/fileError.ts';
import { MAX_IN_MEMORY_BYTES } from '../limits.ts';
import type { UploadFile } from './multipart.ts';

/**
 * A file to be sent. Files on disk are streamed, all others are read into memory.
 *
 * @throws what `vscode.workspace.fs` throws, or {@link tooLargeForMemory}: see `fileFailure`.
 */
export async function uploadFile(uri: vscode.Uri): Promise<UploadFile> {
  const { size } = await vscode.workspace.fs.stat(uri);
  const name = path.posix.basename(uri.path);
  if (uri.scheme === 'file') {
    return {
      name,
      size,
      bytes: () => checkLength(size, size === 0 ? [] : createReadStream(uri.fsPath, { end: size - 1 })),
    };
  }
  if (size > MAX_IN_MEMORY_BYTES) {
    throw tooLargeForMemory();
  }
  return { name, size, bytes: () => checkLength(size, piecesOf(uri)) };
}

async function* piecesOf(uri: vscode.Uri): AsyncGenerator<Uint8Array> {
  yield* new Blob([new Uint8Array(await vscode.workspace.fs.readFile(uri))]).stream();
}

/** Fails when a file has changed since its length was announced: no other length may be sent (RFC 9112 §6.3). */
async function* checkLength(
  size: number,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const piece of source) {
    read += piece.length;
    yield piece;
  }
  if (read !== size) {
    throw Object.assign(new Error('The file changed while it was read.'), { code: 'FILE_CHANGED' });
  }
}
