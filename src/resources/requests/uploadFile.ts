import { createReadStream } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

import type { UploadFile } from './requestBody.ts';

const longestPiece = 64 * 1024;
/** Bytes. Files of a file system that cannot stream are read into memory as a whole. */
const mostInMemory = 64 * 1024 * 1024;

/**
 * A file of the workspace, to be sent. Files on disk are streamed.
 *
 * @throws what `vscode.workspace.fs` throws, or an error with code APP_BUILD_TOO_LARGE.
 */
export async function uploadFile(uri: vscode.Uri): Promise<UploadFile> {
  const { size } = await vscode.workspace.fs.stat(uri);
  const name = path.posix.basename(uri.path);
  if (uri.scheme === 'file') {
    return {
      name,
      size,
      bytes: () => exactly(size, size === 0 ? [] : createReadStream(uri.fsPath, { end: size - 1 })),
    };
  }
  if (size > mostInMemory) {
    throw Object.assign(new Error('Too large to be read at once.'), { code: 'APP_BUILD_TOO_LARGE' });
  }
  return { name, size, bytes: () => exactly(size, pieces(uri)) };
}

async function* pieces(uri: vscode.Uri): AsyncGenerator<Uint8Array> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  for (let start = 0; start < bytes.length; start += longestPiece) {
    yield bytes.subarray(start, start + longestPiece);
  }
}

/** The announced length is a promise (RFC 9112 §6.3): a file that has changed since must not be sent as if it had not. */
async function* exactly(
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
