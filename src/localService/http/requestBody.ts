/** The body of a request, from Node's own request: a web Request would hold a large one in memory. */
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { HttpBindings } from '@hono/node-server';

import { MAX_FIELDS_BYTES, MAX_FORM_PARTS } from '../limits.ts';
import { FILE_MODE } from '../store/dataFiles.ts';
import { HttpError } from './errors.ts';
import { createPlainObject } from './fields.ts';

export type FormEntry = readonly [name: string, value: string];

export interface ReceivedFile {
  /** In a work folder, which is removed after the request. */
  readonly path: string;
  /** As the client sent it, without folders. */
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
}

/** Where the files of a form go. */
interface FileTarget {
  /** An empty folder. */
  readonly folder: string;
  /** Bytes of all files together. Beside them there is room for fields. */
  readonly maxBytes: number;
}

interface MultipartForm {
  readonly entries: readonly FormEntry[];
  /** By the names of their fields; of two with the same name the later one. Without prototype. */
  readonly files: Readonly<Record<string, ReceivedFile>>;
}

/** The buffer between the connection and the disk. More takes memory, less takes more writes. */
const BUFFER_BYTES = 64 * 1024;
/** Less than the buffer of the form parser. */
const PIECE_BYTES = BUFFER_BYTES / 2;

/** The media type of a body, in lower case, without parameters; empty without a type, and without a body. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return hasBody ? ((headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '') : '';
}

/**
 * Reads a whole body without files; one that is not there is empty.
 *
 * @throws HttpError 413 for one that is too large; an error for which `isClientGone` holds
 */
export async function readBody(bindings: HttpBindings): Promise<string> {
  return (await buffer(bodyOf(bindings, MAX_FIELDS_BYTES, fieldsTooLarge))).toString('utf8');
}

/**
 * Reads a form of the type multipart/form-data (RFC 7578), and writes its files to the disk as they arrive.
 *
 * @param target `undefined`: it is the form of a page, and files are left out
 * @throws HttpError 400 for a malformed form or too many parts, 413 for one that is too large; the system's error when a file
 * cannot be written; an error for which `isClientGone` holds. Nothing writes to the folder any more then.
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
      const write = writeFile(content, path, stopped.signal).then((size) => {
        // An empty one without a name is a file input in which nothing was chosen.
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
      ? bodyOf(bindings, MAX_FIELDS_BYTES, fieldsTooLarge)
      : bodyOf(bindings, target.maxBytes + MAX_FIELDS_BYTES, () => uploadTooLarge(target.maxBytes));
  const { promise: isRead, resolve, reject } = Promise.withResolvers<undefined>();
  parser.once('finish', () => (hasEnded = true));
  // The parser has the whole body. After some malformed ends it would still wait for more, and `pipeline` would wait with it.
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
    // The parser's own errors have no code.
    throw error instanceof HttpError || (error instanceof Error && 'code' in error) ? error : malformedForm();
  }
}

/**
 * The bytes of a body, as fast as they are taken. When that ends early the connection stays open for the answer, and the rest
 * of the body is not read.
 *
 * @throws HttpError 413 for a body that is too large, at once when it has a Content-Length
 */
async function* bodyOf(
  { incoming, outgoing }: HttpBindings,
  maxBytes: number,
  tooLarge: () => HttpError,
): AsyncGenerator<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge();
  }
  // A client that asked whether to send a large body waits for this (RFC 9110 §10.1.1).
  if (incoming.headers.expect?.toLowerCase() === '100-continue') {
    outgoing.writeContinue();
  }
  let received = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) {
      throw tooLarge();
    }
    // The form parser waits forever when it skips a piece that fills its buffer.
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      yield chunk.subarray(start, start + PIECE_BYTES);
    }
  }
}

/** @throws HttpError 400 when the type lacks the boundary between the parts */
function createParser(type: string): BusboyInstance {
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

/** @returns bytes, when the file is closed */
async function writeFile(content: Readable, path: string, signal: AbortSignal): Promise<number> {
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
    `The upload is larger than ${maxBytes / 1_000_000} MB, which is what this service takes. Leave out what the app does not need, or start the service with a larger --max-upload.`,
  );
}
