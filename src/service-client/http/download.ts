import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { parse as parseDisposition } from 'content-disposition';

import { BodyTooLargeError, InvalidResponseError } from '../errors/responseErrors.ts';
import { toBuildServiceError } from './failures.ts';
import type { CallDeadline, IncomingResponse } from './transport.ts';

/** Options of a download. */
export interface DownloadOptions {
  readonly signal?: AbortSignal;
  /** Receives the number of bytes received so far, and the announced total if there is one. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
}

/** A download in progress. */
export interface Download {
  /** HTTP status: 2xx, unless the call accepts any status. */
  readonly status: number;
  /** The absolute URL of the response after redirects, without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Announced length in bytes. Absent when unknown. A shorter body fails as truncated. */
  readonly totalBytes?: number;
  /** File name that the service proposes. Untrusted: reduce it to a base name before use. */
  readonly suggestedName?: string;
  /** Body in chunks. Read it to the end, or stop with `break` or `return()`. All errors are typed. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The final response of a call, after redirects. Its headers don't contain secrets. */
export interface FinalResponse extends IncomingResponse {
  /** Absolute URL of the response, without credentials. */
  readonly url: string;
  /** Addresses in which a secret was replaced: this URL and those in the `Link` header. */
  readonly masked: readonly string[];
}

/**
 * Converts a response to a download. Disposes the deadline when the body is read or abandoned.
 *
 * @param onProgress receives decoded bytes.
 */
export function toDownload(
  final: FinalResponse,
  deadline: CallDeadline,
  onProgress: DownloadOptions['onProgress'],
): Download {
  const { status, headers, url } = final;
  // Content-Length counts encoded bytes, but progress counts decoded bytes.
  const length = headers['content-length'];
  const totalBytes =
    getContentEncoding(final) === undefined && length !== undefined && /^\d+$/.test(length)
      ? Number(length)
      : undefined;
  const suggestedName = fileNameIn(headers['content-disposition']);
  return {
    status,
    url,
    headers,
    ...(totalBytes !== undefined && { totalBytes }),
    ...(suggestedName !== undefined && { suggestedName }),
    body: readChunks(final, deadline, (received) => onProgress?.(received, totalBytes)),
  };
}

function fileNameIn(disposition: string | undefined): string | undefined {
  try {
    return disposition === undefined ? undefined : parseDisposition(disposition).parameters.filename;
  } catch {
    return undefined;
  }
}

async function* readChunks(
  response: FinalResponse,
  { signal, dispose }: CallDeadline,
  onProgress: (receivedBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0;
  try {
    for await (const chunk of decodedBody(response, signal)) {
      receivedBytes += chunk.length;
      onProgress(receivedBytes);
      yield chunk;
    }
  } finally {
    dispose();
  }
}

/** Value of Accept-Encoding: the content encodings that {@link decodedBody} decodes. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/**
 * Names in the IANA registry of content encodings. Error messages repeat an unsupported encoding only if it's one of
 * these.
 */
const REGISTERED_ENCODINGS = ['zstd', 'compress', 'exi', 'dcb', 'dcz', 'aes128gcm', 'gzip', 'deflate', 'br'];

/**
 * Reads a body into memory and decodes its content encoding.
 *
 * @param limit maximum size in bytes, after decoding.
 * @throws {@link InvalidResponseError} `truncated` or `encoding`; {@link BodyTooLargeError}; {@link NetworkError} when
 * the body stalls; {@link CancelledError}.
 */
export async function readBody(response: FinalResponse, limit: number, signal: AbortSignal): Promise<Buffer> {
  const announced = response.announcedBytes;
  if (announced !== undefined && announced > limit) {
    response.body.destroy();
    throw new BodyTooLargeError(limit, getContentEncoding(response) === undefined ? announced : undefined);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of decodedBody(response, signal)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) {
      throw new BodyTooLargeError(limit);
    }
  }
  return Buffer.concat(chunks);
}

/** Yields the decoded body in chunks. A slow reader slows the sender down. @throws typed errors only. */
async function* decodedBody(response: FinalResponse, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    const encoding = getContentEncoding(response);
    const decoder = encoding === undefined ? undefined : decoderFor(encoding);
    const chunks = response.body[Symbol.asyncIterator]() as AsyncGenerator<Buffer>;
    const first = await chunks.next();
    if (first.done === true) {
      return;
    }
    const whole = startingWith(first.value, chunks);
    if (decoder !== undefined) {
      // pipeline() closes both streams. The reader of `decoder` receives any error.
      pipeline(whole, decoder, () => undefined);
    }
    yield* decoder ?? whole;
  } catch (error) {
    response.body.destroy();
    throw toBuildServiceError(error, { signal, host: new URL(response.url).host, responded: true });
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function getContentEncoding({ headers }: IncomingResponse): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

function decoderFor(encoding: string): Duplex {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      // Any other value may be arbitrary text from the service.
      throw new InvalidResponseError('encoding', REGISTERED_ENCODINGS.find((name) => encoding.includes(name)) ?? '…');
  }
}
