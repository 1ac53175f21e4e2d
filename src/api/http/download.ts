import { pipeline } from 'node:stream';
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
  const encoded = !['', 'identity'].includes(headers['content-encoding'] ?? '');
  const length = headers['content-length'];
  const totalBytes = !encoded && length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
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
    for await (const chunk of decodedBody(response)) {
      receivedBytes += chunk.length;
      onProgress(receivedBytes);
      yield chunk;
    }
  } catch (error) {
    throw toBuildServiceError(error, { signal, host: new URL(response.url).host, responded: true });
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
  try {
    const announced = response.announcedBytes;
    if (announced !== undefined && announced > limit) {
      throw new BodyTooLargeError(limit, encodingOf(response) === undefined ? announced : undefined);
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of decodedBody(response)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) {
        throw new BodyTooLargeError(limit);
      }
    }
    return Buffer.concat(chunks);
  } catch (error) {
    response.body.destroy();
    throw toBuildServiceError(error, { signal, host: new URL(response.url).host, responded: true });
  }
}

/**
 * The body in chunks, with its content encoding undone. Reading slowly slows the sender down.
 *
 * @throws {@link InvalidResponseError} encoding; undici's and Node's own errors.
 */
async function* decodedBody(response: IncomingResponse): AsyncGenerator<Uint8Array> {
  const encoding = encodingOf(response);
  const chunks = response.body[Symbol.asyncIterator]() as AsyncGenerator<Buffer>;
  if (encoding === undefined) {
    yield* chunks;
    return;
  }
  const first = await chunks.next();
  if (first.done === true) {
    return;
  }
  const decoder = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // pipeline() ends both streams; an error reaches the reader of `decoder`.
  pipeline(startingWith(first.value, chunks), decoder, () => undefined);
  yield* decoder as AsyncIterable<Uint8Array>;
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function encodingOf(response: IncomingResponse): 'gzip' | 'br' | undefined {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase();
  switch (encoding) {
    case undefined:
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return 'gzip';
    case 'br':
      return 'br';
    default:
      // Anything else may be a text of the service's own.
      throw new InvalidResponseError('encoding', REGISTERED_ENCODINGS.find((name) => encoding.includes(name)) ?? '…');
  }
}
