import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { FormDataEncoder, type FormDataLike } from 'form-data-encoder';
import * as vscode from 'vscode';
import { tooLargeForMemory } from '../downloads/fileError.ts';
import { MAX_IN_MEMORY_BYTES } from '../limits.ts';

/** Body of a request. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly contentType: string; readonly text: string }
  | { readonly kind: 'multipart'; readonly parts: readonly FormPart[] };

/** One part of a multipart/form-data body (RFC 7578): a field or a file. */
export type FormPart = { readonly name: string } & ({ readonly value: string } | { readonly file: UploadFile });

/** File to send. It isn't read until it's being sent. */
export interface UploadFile {
  /** Base name that the service receives. */
  readonly name: string;
  /** Length in bytes, announced before the file is read. */
  readonly size: number;
  /** Reads the file in chunks of at most 64 KiB. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

interface EncodedMultipart {
  readonly headers: Readonly<Record<'content-type' | 'content-length', string>>;
  /** Reads the files while they're sent, at the receiver's speed. */
  readonly body: Readable;
}

interface MultipartEvents {
  /** Called with the number of bytes sent so far, and the total number of bytes. */
  readonly onProgress?: (sent: number, total: number) => void;
  /** Called when a file can't be read. The sender of the body sees only a connection failure. */
  readonly onUnreadable?: (error: unknown) => void;
}

/**
 * Encodes parts as multipart/form-data (RFC 7578). The length is known before any file is read.
 *
 * @returns the headers and the body. If reading a file fails, the body fails with its error.
 */
export function encodeMultipart(
  parts: readonly FormPart[],
  { onProgress, onUnreadable }: MultipartEvents = {},
): EncodedMultipart {
  const entries = parts.map((part): [string, string | FileEntry] => [
    part.name,
    'value' in part ? part.value : fileEntry(part.file),
  ]);
  const encoder = new FormDataEncoder(createFormData(entries), randomUUID());
  const total = Number(encoder.contentLength);

  async function* readPieces(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    // Failures of the receiver also arrive here, at the `yield`.
    let reading = true;
    try {
      for await (const piece of encoder.encode()) {
        sent += piece.length;
        onProgress?.(sent, total);
        reading = false;
        yield piece;
        reading = true;
      }
    } catch (error) {
      if (reading) {
        onUnreadable?.(error);
      }
      throw error;
    }
  }

  return {
    headers: { 'content-type': encoder.contentType, 'content-length': String(total) },
    body: Readable.from(readPieces(), { objectMode: false }),
  };
}

type FileEntry = ReturnType<typeof fileEntry>;

function fileEntry({ name, size, bytes }: UploadFile) {
  return { name, size, type: 'application/octet-stream', lastModified: 0, stream: bytes, [Symbol.toStringTag]: 'File' };
}

/** Creates a FormData object for the encoder. Node's own class would copy a file that isn't a Blob into memory. */
function createFormData(entries: readonly [string, string | FileEntry][]): FormDataLike {
  return {
    append: () => undefined,
    getAll: (name) => entries.filter(([key]) => key === name).map(([, value]) => value),
    entries: () => entries.values(),
    [Symbol.iterator]: () => entries.values(),
    [Symbol.toStringTag]: 'FormData',
  };
}

/**
 * Returns a file to send. Files on disk are streamed. Other files are read into memory.
 *
 * @throws the error of `vscode.workspace.fs`, or {@link tooLargeForMemory}; see `fileFailure`.
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
  return { name, size, bytes: () => checkLength(size, readChunks(uri)) };
}

async function* readChunks(uri: vscode.Uri): AsyncGenerator<Uint8Array> {
  yield* new Blob([new Uint8Array(await vscode.workspace.fs.readFile(uri))]).stream();
}

/**
 * Passes through the bytes of a file. Fails if its length has changed since it was announced, because the sent length
 * must match (RFC 9112 §6.3).
 */
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
