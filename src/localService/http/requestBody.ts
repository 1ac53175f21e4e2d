/** The body of a request, from Node's own request: a web Request would hold a large one in memory. */
import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

import { HttpError } from './errors.ts';

/** Bytes of a body without files. */
export const MAX_FORM_BYTES = 1024 * 1024;

/** What a body may have. */
export interface BodyLimit {
  readonly maxBytes: number;
  /** Status 413. */
  readonly tooLarge: HttpError;
}

export const FORM_LIMIT: BodyLimit = {
  maxBytes: MAX_FORM_BYTES,
  tooLarge: new HttpError(413, `The body is larger than ${MAX_FORM_BYTES} bytes.`),
};

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The media type of a body, in lower case, without parameters; empty where it is not said. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Tells whether a request is for the API, which alone takes uploads. */
export function mayUpload({ url = '' }: IncomingMessage): boolean {
  return /^(?:https?:\/\/[^/]*)?\/api\//i.test(url);
}

/** @throws HttpError 413 when the request announces a body that is too large, so that nothing of it has to be read */
export function refuseAnnounced({ headers }: IncomingMessage, { maxBytes, tooLarge }: BodyLimit): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge;
  }
}

/**
 * Refuses what is announced as larger than a form may be, also where no route reads it. Not for the API, which takes uploads:
 * there the readers of the body decide.
 */
export const refuseLargeForms: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
  const { incoming } = c.env;
  if (!mayUpload(incoming)) {
    refuseAnnounced(incoming, FORM_LIMIT);
  }
  await next();
};

/** Reads a whole body; one that is not there is empty. @throws as {@link pipeBody} */
export async function readBody(bindings: HttpBindings, limit: BodyLimit = FORM_LIMIT): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (!hasBody(bindings.incoming)) {
    return Buffer.alloc(0);
  }
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  await pipeBody(bindings, sink, limit);
  return Buffer.concat(chunks);
}

/**
 * Writes the body of a request to `sink`, as fast as that takes it. The connection is left open when it fails, so that
 * the client can be told why; the rest of the body is not read.
 *
 * @returns when `sink` has finished
 * @throws HttpError 413 for a body that is too large; the error of `sink`, which is destroyed; an error with the code
 * ECONNRESET when the client has gone
 */
export function pipeBody({ incoming, outgoing }: HttpBindings, sink: Writable, limit: BodyLimit): Promise<void> {
  refuseAnnounced(incoming, limit);
  if (incoming.destroyed) {
    return Promise.reject(clientGone());
  }
  return new Promise((resolve, reject) => {
    let received = 0;
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      if (received > limit.maxBytes) {
        fail(limit.tooLarge);
      }
    };
    const onClose = (): void => {
      if (!incoming.readableEnded) {
        fail(clientGone());
      }
    };
    const settle = (): void => {
      incoming.unpipe(sink).off('data', onData).off('error', fail).off('close', onClose);
    };
    const fail = (error: Error): void => {
      settle();
      sink.destroy();
      reject(error);
    };
    // A parser that is destroyed may still find faults in what it has.
    sink.on('error', fail).once('finish', () => {
      settle();
      resolve();
    });
    incoming.on('data', onData).on('error', fail).on('close', onClose).pipe(sink);
    // A client that asked whether to send a large body waits for this (RFC 9110 §10.1.1).
    if (mayUpload(incoming) && incoming.headers.expect?.toLowerCase() === '100-continue') {
      outgoing.writeContinue();
    }
  });
}

/** What reading a request throws when nobody waits for the answer any more. */
export function clientGone(): Error {
  return Object.assign(new Error('The client has gone.'), { code: 'ECONNRESET' });
}
