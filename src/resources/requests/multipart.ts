import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import { FormDataEncoder, type FormDataLike } from 'form-data-encoder';

import type { Part, UploadFile } from './requestBody.ts';

export interface EncodedMultipart {
  readonly headers: Readonly<Record<'content-type' | 'content-length', string>>;
  /** Reads each file as it is sent, never faster than the receiver takes it. */
  readonly body: Readable;
}

export interface MultipartEvents {
  /** Bytes handed on so far, and their total. */
  readonly onProgress?: (sent: number, total: number) => void;
  /** A file could not be read. Whoever sends the body sees this only as a failure of the connection. */
  readonly onUnreadable?: (error: unknown) => void;
}

/** The parts as multipart/form-data (RFC 7578) with a length that is known before anything is read. */
export function encodeMultipart(
  parts: readonly Part[],
  { onProgress, onUnreadable }: MultipartEvents = {},
): EncodedMultipart {
  const entries = parts.map((part): [string, string | FileEntry] => [
    part.name,
    'value' in part ? part.value : fileEntry(part.file),
  ]);
  const encoder = new FormDataEncoder(formOf(entries), randomUUID());
  const total = Number(encoder.contentLength);

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    // The receiver's failures arrive here too, at the `yield`.
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
    body: Readable.from(pieces(), { objectMode: false }),
  };
}

type FileEntry = ReturnType<typeof fileEntry>;

function fileEntry({ name, size, bytes }: UploadFile) {
  return { name, size, type: 'application/octet-stream', lastModified: 0, stream: bytes, [Symbol.toStringTag]: 'File' };
}

/** What the encoder takes for a FormData. Node's own one would copy every file that is not a Blob into memory. */
function formOf(entries: readonly [string, string | FileEntry][]): FormDataLike {
  return {
    append: () => undefined,
    getAll: (name) => entries.filter(([key]) => key === name).map(([, value]) => value),
    entries: () => entries.values(),
    [Symbol.iterator]: () => entries.values(),
    [Symbol.toStringTag]: 'FormData',
  };
}
