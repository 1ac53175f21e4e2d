import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress, createUnzip, inflateRaw, unzip } from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';

import type { Deadline } from './deadline.ts';
import { toFailure } from './failure.ts';
import { InvalidResponseError } from './invalidResponseError.ts';
import type { TransportResponse } from './transport.ts';

/** Content encodings that {@link readBody} and {@link decodedBody} undo, for Accept-Encoding. */
export const acceptedEncodings = 'gzip, deflate, br';

const inflaters = { gzip: promisify(unzip), br: promisify(brotliDecompress), raw: promisify(inflateRaw) };

/**
 * Reads a body into memory and undoes its content encoding.
 *
 * @param limit bytes, for what arrives and for what it unpacks to.
 * @throws {@link InvalidResponseError} tooLarge, truncated or encoding; NetworkError when it stalls; CancelledError.
 */
export async function readBody(response: TransportResponse, limit: number, host: string, until: Deadline): Promise<Buffer> {
  try {
    return await unpack(await collect(response.body, limit), encodingOf(response), limit);
  } catch (error) {
    response.body.destroy();
    throw until.failure(host) ?? toFailure(error, { host, answered: true });
  }
}

/** Events: for short bodies an iterator costs more than all the rest. */
function collect(body: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    body.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        reject(tooLarge(limit));
        body.destroy();
      }
      chunks.push(chunk);
    });
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', reject);
    body.on('close', () => reject(new Error('The body was closed before its end.')));
  });
}

async function unpack(bytes: Buffer, encoding: 'gzip' | 'br' | undefined, limit: number): Promise<Buffer> {
  if (encoding === undefined || bytes.length === 0) {
    return bytes;
  }
  // Some servers send `deflate` without the zlib header that RFC 9110 §8.4.1.2 asks for.
  const raw = encoding === 'gzip' && ((bytes[0] ?? 0) & 0x0f) !== 8 && bytes[0] !== 0x1f;
  try {
    return await inflaters[raw ? 'raw' : encoding](bytes, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) {
      throw tooLarge(limit);
    }
    throw new InvalidResponseError('encoding', raw ? 'deflate' : encoding);
  }
}

/** The body as a stream, with its content encoding undone; reading it slowly slows the sender down. */
export function decodedBody(response: TransportResponse): Readable {
  const encoding = encodingOf(response);
  if (encoding === undefined) {
    return response.body;
  }
  const unpacked = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  // The reader of `unpacked` gets the error; pipeline() ends both streams.
  pipeline(response.body, unpacked, () => undefined);
  return unpacked;
}

function encodingOf({ headers, body }: TransportResponse): 'gzip' | 'br' | undefined {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  switch (encoding) {
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
      body.destroy();
      throw new InvalidResponseError('encoding', encoding.slice(0, 40));
  }
}

function tooLarge(limit: number): InvalidResponseError {
  return new InvalidResponseError('tooLarge', limit >= 1024 * 1024 ? `${Math.floor(limit / 1024 / 1024)} MiB` : `${limit} bytes`);
}
