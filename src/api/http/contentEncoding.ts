import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress, createUnzip, inflateRaw, unzip } from 'node:zlib';
import { pipeline } from 'node:stream';

import type { Deadline } from './deadline.ts';
import { toBuildServiceError } from './toBuildServiceError.ts';
import { BodyTooLargeError } from '../errors/bodyTooLargeError.ts';
import { InvalidResponseError } from '../errors/invalidResponseError.ts';
import type { IncomingResponse } from './incomingResponse.ts';

/** Value of Accept-Encoding: the content encodings that {@link readBody} and {@link decodedChunks} undo. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Names in the IANA registry of content encodings that are not undone here. */
const REGISTERED_ENCODINGS = ['zstd', 'compress', 'exi', 'dcb', 'dcz', 'aes128gcm', 'gzip', 'deflate', 'br'];

const decompress = { gzip: promisify(unzip), br: promisify(brotliDecompress), raw: promisify(inflateRaw) };

/**
 * Reads a body into memory and undoes its content encoding.
 *
 * @param limit bytes, for what arrives and for what it unpacks to.
 * @param url where the response comes from, for the sentence of an error.
 * @throws {@link InvalidResponseError} truncated or encoding; BodyTooLargeError; NetworkError when it stalls; CancelledError.
 */
export async function readBody(
  response: IncomingResponse,
  limit: number,
  url: string,
  deadline: Deadline,
): Promise<Buffer> {
  try {
    const encoding = encodingOf(response);
    const announced = response.announcedBytes;
    if (announced !== undefined && announced > limit) {
      throw new BodyTooLargeError(limit, encoding === undefined ? announced : undefined);
    }
    const bytes = await response.bytes(limit);
    return encoding === undefined || bytes.length === 0 ? bytes : await decompressBytes(bytes, encoding, limit);
  } catch (error) {
    response.abort();
    const { host } = new URL(url);
    throw deadline.failure(host) ?? toBuildServiceError(error, { host, responded: true });
  }
}

async function decompressBytes(bytes: Buffer, encoding: 'gzip' | 'br', limit: number): Promise<Buffer> {
  // Some servers send `deflate` without the zlib header that RFC 9110 §8.4.1.2 asks for.
  const raw = encoding === 'gzip' && ((bytes[0] ?? 0) & 0x0f) !== 8 && bytes[0] !== 0x1f;
  try {
    return await decompress[raw ? 'raw' : encoding](bytes, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new BodyTooLargeError(limit);
    }
    throw new InvalidResponseError('encoding', raw ? 'deflate' : encoding);
  }
}

/**
 * The body in chunks, with its content encoding undone. Reading slowly slows the sender down.
 *
 * @throws {@link InvalidResponseError} encoding; while it is read, undici's and Node's own errors.
 */
export function decodedChunks(response: IncomingResponse): AsyncIterable<Uint8Array> {
  const encoding = encodingOf(response);
  if (encoding === undefined) {
    return response.chunks();
  }
  const decompressor = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // pipeline() ends both streams; an error reaches the reader of `decompressor`.
  pipeline(response.chunks(), decompressor, () => undefined);
  return decompressor as AsyncIterable<Uint8Array>;
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
      response.abort();
      // Anything else may be a text of the service's own.
      throw new InvalidResponseError('encoding', REGISTERED_ENCODINGS.find((name) => encoding.includes(name)) ?? '…');
  }
}
