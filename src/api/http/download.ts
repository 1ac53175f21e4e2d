import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { parse as parseDisposition } from 'content-disposition';

import { BodyTooLargeError, InvalidResponseError } from '../errors/responseErrors.ts';
import { toBuildServiceError } from './failures.ts';
import type { Deadline, IncomingResponse } from './transport.ts';

export interface DownloadOptions {
  readonly signal?: AbortSignal;
  /** Bytes received so far, and the announced total when there is one. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
}

export interface Download {
  /** 2xx, unless the call takes any. */
  readonly status: number;
  /** Absolute URL that answered, after redirects, without credentials. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Announced length; absent when unknown. A body that ends before it fails as truncated. */
  readonly totalBytes?: number;
  /** File name that the service proposes. Untrusted: make a base name of it before use. */
  readonly suggestedName?: string;
  /** Has to be read to its end, or left by `break` or `return()`. Throws typed errors. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The response that a call ends with, after redirects. Its headers are without secrets. */
export interface FinalResponse extends IncomingResponse {
  /** Absolute URL that answered, without credentials. */
  readonly url: string;
  /** Of this URL and the addresses in the `Link` header, those in which a secret was hidden. */
  readonly masked: readonly string[];
}

/** Makes a download of a response. The deadline is disposed when the body has been read or left. */
export function toDownload(
  final: FinalResponse,
  deadline: Deadline,
  onProgress: DownloadOptions['onProgress'],
): Download {
  const { status, headers, url } = final;
  // Content-Length counts the encoded bytes, progress the decoded ones.
  const length = headers['content-length'];
  const totalBytes =
    encodingOf(final) === undefined && length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
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
  { signal, dispose }: Deadline,
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

/** Value of Accept-Encoding: the content encodings that {@link decodedBody} undoes. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Names in the IANA registry of content encodings that are not undone here. */
const REGISTERED_ENCODINGS = ['zstd', 'compress', 'exi', 'dcb', 'dcz', 'aes128gcm', 'gzip', 'deflate', 'br'];

/**
 * Reads a body into memory and undoes its content encoding.
 *
 * @param limit bytes, for what it unpacks to.
 * @throws {@link InvalidResponseError} truncated or encoding; BodyTooLargeError; NetworkError when it stalls; CancelledError.
 */
export async function readBody(response: FinalResponse, limit: number, signal: AbortSignal): Promise<Buffer> {
  const announced = response.announcedBytes;
  if (announced !== undefined && announced > limit) {
    response.body.destroy();
    throw new BodyTooLargeError(limit, encodingOf(response) === undefined ? announced : undefined);
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

/** The body in chunks, with its content encoding undone. Reading slowly slows the sender down. @throws typed errors only */
async function* decodedBody(response: FinalResponse, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    const encoding = encodingOf(response);
    const decoder = encoding === undefined ? undefined : decoderFor(encoding);
    const chunks = response.body[Symbol.asyncIterator]() as AsyncGenerator<Buffer>;
    const first = await chunks.next();
    if (first.done === true) {
      return;
    }
    const whole = startingWith(first.value, chunks);
    if (decoder !== undefined) {
      // pipeline() ends both streams; an error reaches the reader of `decoder`.
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

function encodingOf({ headers }: IncomingResponse): string | undefined {
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
      // Anything else may be a text of the service's own.
      throw new InvalidResponseError('encoding', REGISTERED_ENCODINGS.find((name) => encoding.includes(name)) ?? '…');
  }
}
