import { Readable } from 'node:stream';

import type { Dispatcher } from 'undici';

import type { Deadline } from './deadline.ts';
import { BodyTooLargeError } from '../errors/bodyTooLargeError.ts';

/** Bytes that may wait for a reader; then the sender has to wait. */
const mostWaiting = 256 * 1024;
/** Bytes of an unwanted body that are read, so that its connection can be used again. */
const mostDiscarded = 64 * 1024;

/**
 * An answer as undici receives it: once it has started, its body is read as a whole, as a stream, or not at all.
 *
 * It is a dispatch handler, the innermost interface of undici. `undici.request` would make a stream of every body, which for
 * short ones costs more than all the rest.
 */
export class IncomingResponse implements Dispatcher.DispatchHandler {
  status = 0;
  /** Lower-case names; repeated headers are joined with a comma, cookies are left out. */
  headers: Readonly<Record<string, string>> = {};
  /** Length of the body as it is sent; undefined when it was not announced, or when no body follows. */
  announcedBytes: number | undefined;
  readonly #isHead: boolean;
  readonly #started: (response: IncomingResponse) => void;
  readonly #failed: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #pieces: Buffer[] = [];
  #waiting = 0;
  #most = mostWaiting;
  #ended = false;
  #error: Error | undefined;
  /** Whoever reads the body learns by this that there is more of it, its end or its failure. */
  #news: (() => void) | undefined;

  private constructor(isHead: boolean, started: (response: IncomingResponse) => void, failed: (error: Error) => void) {
    this.#isHead = isHead;
    this.#started = started;
    this.#failed = failed;
  }

  /**
   * Sends one request. Follows no redirects and decodes no content encodings.
   *
   * @param until ends the request.
   * @returns the answer, when its headers have arrived.
   * @throws undici's and Node's own errors.
   */
  static to(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, until: Deadline): Promise<IncomingResponse> {
    return new Promise((resolve, reject) => {
      const response = new IncomingResponse(options.method === 'HEAD', resolve, (error) => {
        reject(error);
        // undici leaves a body alone that it has not begun to send.
        if (options.body instanceof Readable) {
          options.body.on('error', () => undefined).destroy();
        }
      });
      until.covers(response);
      try {
        if (response.#error === undefined) {
          dispatcher.dispatch(options, response);
        }
      } catch (error) {
        response.#fail(error instanceof Error ? error : new Error('The request could not be sent.'));
      }
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#error !== undefined) {
      controller.abort(this.#error);
    }
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // RFC 9110 §15.2: interim answers come before the one that counts
    if (status >= 200) {
      this.status = status;
      this.headers = flatten(headers);
      const length = this.headers['content-length'];
      // RFC 9110 §6.4.1: these answers have no content, whatever length they announce
      this.announcedBytes = length === undefined || this.#isHead || status === 304 ? undefined : Number(length);
      this.#started(this);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece);
    this.#waiting += piece.length;
    if (this.#waiting > this.#most) {
      controller.pause();
    }
    this.#news?.();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#news?.();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  /**
   * Reads the body into memory.
   *
   * @param limit bytes.
   * @throws {@link BodyTooLargeError}; else undici's and Node's own errors.
   */
  bytes(limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#most = Infinity;
      this.#news = () => {
        if (this.#waiting > limit) {
          reject(new BodyTooLargeError(limit));
          this.abort();
        } else if (this.#error !== undefined) {
          reject(this.#error);
        } else if (this.#ended) {
          resolve(
            this.#pieces.length === 1 && this.#pieces[0] !== undefined ? this.#pieces[0] : Buffer.concat(this.#pieces),
          );
        }
      };
      this.#news();
      this.#controller?.resume();
    });
  }

  /**
   * The body piece by piece; reading it slowly slows the sender down, leaving it ends the connection.
   *
   * @throws undici's and Node's own errors.
   */
  async *pieces(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          this.#waiting -= piece.length;
          yield piece;
        } else if (this.#error !== undefined) {
          throw this.#error;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#news = resolve;
            this.#controller?.resume();
          });
        }
      }
    } finally {
      this.abort();
    }
  }

  /** Drops the body; a short one is read, so that its connection can be used again. */
  discard(): void {
    this.bytes(mostDiscarded).catch(() => undefined);
  }

  /** Ends the request and its connection, unless the answer is here as a whole. */
  abort(): void {
    if (this.#ended || this.#error !== undefined) {
      return;
    }
    const error = new Error('The request was ended.');
    this.#controller?.abort(error);
    // One that has not been sent yet is waiting for a connection, and fails when it gets one.
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#error === undefined) {
      this.#error = error;
      this.#failed(error);
      this.#news?.();
    }
  }
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.keys(headers).every((name) => typeof headers[name] === 'string' && isWanted(name))
    ? (headers as Readonly<Record<string, string>>)
    : rewritten(headers);
}

function rewritten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && isWanted(name)) {
      flat[name] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return flat;
}

/** A header may be called __proto__; no answer of use has one. */
function isWanted(name: string): boolean {
  return name !== 'set-cookie' && name !== '__proto__';
}
