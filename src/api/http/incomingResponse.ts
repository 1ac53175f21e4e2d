import { Readable } from 'node:stream';

import type { Dispatcher } from 'undici';

import type { Deadline } from './deadline.ts';
import { BodyTooLargeError } from '../errors/responseErrors.ts';

/** Bytes that are buffered for a slow reader; then the sender has to wait. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Bytes of an unwanted body that are read, so that its connection can be used again. */
const MAX_DISCARDED_BYTES = 64 * 1024;

/**
 * A response of which the headers have arrived. Its body is read once: as a whole, as a stream, or not at all.
 *
 * It implements undici's dispatch handler, because `undici.request` makes a Readable for every body. That takes a fifth of
 * the time of a small request (`npm run bench -- --only get`), and does not fail at once when a request is cancelled that
 * waits for a connection.
 */
export class IncomingResponse implements Dispatcher.DispatchHandler {
  status = 0;
  /** Lower-case names; repeated headers are joined with a comma, cookies are left out. */
  headers: Readonly<Record<string, string>> = {};
  /** Length of the body as it is sent; undefined when it was not announced, or when no body follows. */
  announcedBytes: number | undefined;
  readonly #isHead: boolean;
  readonly #onHeaders: (response: IncomingResponse) => void;
  readonly #onFailure: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  /** Parts of the body that have arrived and are not read yet. */
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #maxBufferedBytes = MAX_BUFFERED_BYTES;
  #ended = false;
  #error: Error | undefined;
  /** Called when a chunk, the end or a failure has arrived. */
  #onProgress: (() => void) | undefined;

  private constructor(
    isHead: boolean,
    onHeaders: (response: IncomingResponse) => void,
    onFailure: (error: Error) => void,
  ) {
    this.#isHead = isHead;
    this.#onHeaders = onHeaders;
    this.#onFailure = onFailure;
  }

  /**
   * Sends one request. Follows no redirects and decodes no content encodings.
   *
   * @param deadline aborts the request.
   * @returns the response, when its headers have arrived.
   * @throws undici's and Node's own errors.
   */
  static request(
    dispatcher: Dispatcher,
    options: Dispatcher.DispatchOptions,
    deadline: Deadline,
  ): Promise<IncomingResponse> {
    return new Promise((resolve, reject) => {
      const response = new IncomingResponse(options.method === 'HEAD', resolve, (error) => {
        reject(error);
        // undici does not destroy a body that it has not begun to send.
        if (options.body instanceof Readable) {
          options.body.on('error', () => undefined).destroy();
        }
      });
      deadline.register(response);
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
    // RFC 9110 §15.2: interim responses come before the final one.
    if (status >= 200) {
      this.status = status;
      this.headers = singleValues(headers);
      const length = this.headers['content-length'];
      // RFC 9110 §6.4.1: these responses have no content, whatever length they announce.
      this.announcedBytes = length === undefined || this.#isHead || status === 304 ? undefined : Number(length);
      this.#onHeaders(this);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes > this.#maxBufferedBytes) {
      controller.pause();
    }
    this.#onProgress?.();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#onProgress?.();
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
      this.#maxBufferedBytes = Infinity;
      this.#onProgress = () => {
        if (this.#bufferedBytes > limit) {
          reject(new BodyTooLargeError(limit));
          this.abort();
        } else if (this.#error !== undefined) {
          reject(this.#error);
        } else if (this.#ended) {
          resolve(
            this.#chunks.length === 1 && this.#chunks[0] !== undefined ? this.#chunks[0] : Buffer.concat(this.#chunks),
          );
        }
      };
      this.#onProgress();
      this.#controller?.resume();
    });
  }

  /**
   * The body in chunks. Reading slowly slows the sender down; leaving the loop closes the connection.
   *
   * @throws undici's and Node's own errors.
   */
  async *chunks(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#bufferedBytes -= chunk.length;
          yield chunk;
        } else if (this.#error !== undefined) {
          throw this.#error;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#onProgress = resolve;
            this.#controller?.resume();
          });
        }
      }
    } finally {
      this.abort();
    }
  }

  /** Drops the body. A short one is read to its end, so that its connection can be used again. */
  discard(): void {
    this.bytes(MAX_DISCARDED_BYTES).catch(() => undefined);
  }

  /** Ends the request and closes its connection, unless all of the response has arrived. */
  abort(): void {
    if (this.#ended || this.#error !== undefined) {
      return;
    }
    const error = new Error('The request was ended.');
    this.#controller?.abort(error);
    // While a request waits for a connection there is no controller: it is aborted when it gets one, and fails here at once.
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#error === undefined) {
      this.#error = error;
      this.#onFailure(error);
      this.#onProgress?.();
    }
  }
}

/** The response that a call ends with, after redirects. */
export interface FinalResponse {
  readonly response: IncomingResponse;
  /** Without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absolute URL that answered, without credentials. */
  readonly url: string;
  /** Of this URL and the addresses in the `Link` header, those in which a secret was hidden. */
  readonly masked: readonly string[];
}

function singleValues(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // A header may be called __proto__; none of use is.
    if (value !== undefined && name !== 'set-cookie' && name !== '__proto__') {
      single[name] = typeof value === 'string' ? value : value.join(', ');
    }
  }
  return single;
}
