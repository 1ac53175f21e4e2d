/** Reads request bodies from Node's request, because a web Request would keep a large body in memory. */
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { HttpBindings } from '@hono/node-server';

import { MAX_FIELDS_BYTES, MAX_FORM_PARTS } from '../limits.ts';
import { HttpError } from './errors.ts';
import { createPlainObject } from './fields.ts';
import { FILE_MODE } from '../../android-package/index.ts';

/** A field of a form. */
export type FormEntry = readonly [name: string, value: string];

/** An uploaded file. */
export interface ReceivedFile {
  /** Path in a work folder that's deleted after the request. */
  readonly path: string;
  /** Name from the client, without folders. */
  readonly fileName: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Where to write the files of a form. */
interface FileTarget {
  /** An empty folder. */
  readonly folder: string;
  /** Maximum total size of all files, in bytes. Fields have a separate limit. */
  readonly maxBytes: number;
}

interface MultipartForm {
  readonly entries: readonly FormEntry[];
  /** Files, keyed by field name. If a name is repeated, the last file wins. The object doesn't have a prototype. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

/**
 * Size of the buffer between the connection and the disk. A larger buffer uses more memory, and a smaller one needs
 * more writes.
 */
const BUFFER_BYTES = 64 * 1024;
/** Size of the pieces for the form parser, which must be smaller than the parser's buffer. */
const PIECE_BYTES = BUFFER_BYTES / 2;

/**
 * Returns a body's media type in lowercase, without parameters. Returns an empty string if the request has no type or
 * no body.
 */
export function getMediaType({ headers }: IncomingMessage): string {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return hasBody ? ((headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '') : '';
}

/**
 * Reads a whole body without files. Returns an empty string if the request has no body.
 *
 * @throws HttpError 413 if the body is too large, or an error that `isClientGone` recognizes
 */
export async function readBody(bindings: HttpBindings): Promise<string> {
  return (await buffer(streamBody(bindings, MAX_FIELDS_BYTES, fieldsTooLarge))).toString('utf8');
}

/**
 * Reads a multipart/form-data form (RFC 7578) and writes its files to disk as they arrive. Once the promise rejects,
 * nothing writes to the folder anymore.
 *
 * @param target where to write files, or `undefined` to skip them, as for a page's form
 * @throws HttpError 400 for a malformed form or too many parts, 413 for a form that's too large
 * @throws the system's error if a file can't be written, or an error that `isClientGone` recognizes
 */
export async function readMultipart(bindings: HttpBindings, target?: FileTarget): Promise<MultipartForm> {
  const parser = createParser(bindings.incoming.headers['content-type'] ?? '');
  const entries: FormEntry[] = [];
  const files = createPlainObject<ReceivedFile>();
  const writes: Promise<void>[] = [];
  const stopped = new AbortController();
  let fieldBytes = 0;
  let hasEnded = false;

  parser.on('field', (name: string | undefined, value, _nameTruncated, valueTruncated) => {
    fieldBytes += value.length + (name ?? '').length;
    if (valueTruncated || fieldBytes > MAX_FIELDS_BYTES) {
      parser.destroy(fieldsTooLarge());
    } else if (name === undefined) {
      parser.destroy(malformedForm());
    } else {
      entries.push([name, value]);
    }
  });
  parser.on('partsLimit', () => parser.destroy(new HttpError(400, 'The form has too many fields or files.')));
  if (target !== undefined) {
    parser.on('file', (name: string | undefined, content, fileName: string | undefined) => {
      const path = join(target.folder, String(writes.length));
      const write = writeFormFile(content, path, stopped.signal).then((size) => {
        // An empty file without a name comes from a file input without a selection.
        if (name !== undefined && (size > 0 || fileName)) {
          files[name] = { path, fileName: fileName ?? '', size };
        }
      });
      write.catch((error: unknown) => parser.destroy(error as Error));
      writes.push(write);
    });
  }
  const body =
    target === undefined
      ? streamBody(bindings, MAX_FIELDS_BYTES, fieldsTooLarge)
      : streamBody(bindings, target.maxBytes + MAX_FIELDS_BYTES, () => uploadTooLarge(target.maxBytes));
  const { promise: isRead, resolve, reject } = Promise.withResolvers<undefined>();
  parser.once('finish', () => (hasEnded = true));
  // The parser has received the whole body. After some malformed endings, it would wait for more data, and `pipeline`
  // would wait for the parser.
  parser.once('prefinish', () => {
    void Promise.allSettled(writes).then(() =>
      setImmediate(() => (hasEnded ? resolve(undefined) : reject(malformedForm()))),
    );
  });
  try {
    await Promise.race([pipeline(body, parser), isRead]);
    await Promise.all(writes);
    return { entries, files };
  } catch (error) {
    stopped.abort();
    await Promise.allSettled(writes);
    // The parser's own errors don't have a code.
    throw error instanceof HttpError || (error instanceof Error && 'code' in error) ? error : malformedForm();
  }
}

/**
 * Yields the bytes of a body as fast as the caller consumes them. If the caller stops early, the connection stays open
 * for the response, and the rest of the body isn't read.
 *
 * @throws HttpError 413 if the body is too large. With a Content-Length, it's thrown before reading the body
 */
async function* streamBody(
  { incoming, outgoing }: HttpBindings,
  maxBytes: number,
  tooLarge: () => HttpError,
): AsyncGenerator<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge();
  }
  // With `Expect: 100-continue`, the client waits for this before it sends the body (RFC 9110 §10.1.1).
  if (incoming.headers.expect?.toLowerCase() === '100-continue') {
    outgoing.writeContinue();
  }
  let received = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) {
      throw tooLarge();
    }
    // The form parser hangs if it skips a piece that fills its buffer.
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      yield chunk.subarray(start, start + PIECE_BYTES);
    }
  }
}

/** Matches a media type with a boundary of at least one character (RFC 2046 §5.1.1). */
const HAS_BOUNDARY = /;\s*boundary=(?:"[^"]|[^\s;"])/i;

/**
 * Creates a form parser.
 *
 * @throws HttpError 400 if the media type doesn't specify the boundary between parts
 */
function createParser(type: string): BusboyInstance {
  // The parser itself accepts an empty boundary, which occurs in other content.
  if (!HAS_BOUNDARY.test(type)) {
    throw malformedForm();
  }
  try {
    return new Busboy({
      headers: { 'content-type': type },
      highWaterMark: BUFFER_BYTES,
      fileHwm: BUFFER_BYTES,
      limits: { parts: MAX_FORM_PARTS, fieldSize: MAX_FIELDS_BYTES },
      // `curl -F data=@file` sends the JSON as a file.
      isPartAFile: (name, type, fileName) =>
        name !== 'data' && (fileName !== undefined || type === 'application/octet-stream'),
    });
  } catch {
    throw malformedForm();
  }
}

/**
 * Writes a file of a form.
 *
 * @returns its size in bytes, after the file is closed
 */
async function writeFormFile(content: Readable, path: string, signal: AbortSignal): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: FILE_MODE, highWaterMark: BUFFER_BYTES });
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
  try {
    await pipeline(content, file, { signal });
  } finally {
    await closed;
  }
  return file.bytesWritten;
}

function malformedForm(): HttpError {
  return new HttpError(400, 'The form in the body is malformed.');
}

function fieldsTooLarge(): HttpError {
  return new HttpError(413, `The body is larger than ${MAX_FIELDS_BYTES} bytes.`);
}

function uploadTooLarge(maxBytes: number): HttpError {
  return new HttpError(
    413,
    `The upload is larger than ${maxBytes / 1_000_000} MB, the limit of this service. Remove files that the app doesn’t need, or start the service with a larger --max-upload.`,
  );
}
