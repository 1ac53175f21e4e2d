import type { BuildServiceError } from '../errors/buildServiceError.ts';
import { CancelledError } from '../errors/cancelledError.ts';
import { NetworkError } from '../errors/connectionErrors.ts';

/** A part of a call, for example one request, that can be ended early. */
interface Abortable {
  abort(): void;
}

/**
 * Ends a call when its caller cancels it or when its time is up.
 *
 * It keeps a list of what to abort, where an AbortController would seem natural: every call ends by aborting what it left unread,
 * and the events of a controller for that take a tenth of the time of a small request (`npm run bench -- --only get`).
 * AbortSignal.timeout and AbortSignal.any would also leave a timer behind, for two minutes after each call.
 */
export class Deadline {
  readonly #signal: AbortSignal | undefined;
  readonly #cancel = (): void => this.abort('cancelled');
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onDispose: (deadline: Deadline) => void;
  #parts: Abortable[] = [];
  #reason: 'cancelled' | 'timedOut' | undefined;

  /**
   * @param signal of the caller; cancels the call.
   * @param timeoutMs for the whole call; Infinity for none.
   * @param onDispose called by {@link dispose}.
   */
  constructor(signal: AbortSignal | undefined, timeoutMs: number, onDispose: (deadline: Deadline) => void) {
    this.#signal = signal;
    this.#onDispose = onDispose;
    this.#timer = Number.isFinite(timeoutMs) ? setTimeout(() => this.abort('timedOut'), timeoutMs).unref() : undefined;
    signal?.addEventListener('abort', this.#cancel, { once: true });
    if (signal?.aborted === true) {
      this.abort('cancelled');
    }
  }

  /**
   * Why the call was ended early; undefined while it was not.
   *
   * @param host host and port, for the sentence.
   */
  failure(host: string): BuildServiceError | undefined {
    switch (this.#reason) {
      case undefined:
        return undefined;
      case 'cancelled':
        return new CancelledError();
      case 'timedOut':
        return NetworkError.timeout('total', host);
    }
  }

  /** Aborts a part of the call when the call ends: early, or by {@link dispose}. At once when it was ended early before. */
  register(part: Abortable): void {
    if (this.#reason === undefined) {
      this.#parts.push(part);
    } else {
      part.abort();
    }
  }

  /**
   * Waits for a promise, but no longer than the call lasts: resolving a proxy or reading certificates may hang.
   *
   * @throws {@link CancelledError} when the call ends first; {@link failure} has the reason.
   */
  async race<T>(promise: Promise<T>): Promise<T> {
    let part: Abortable | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      part = { abort: () => reject(new CancelledError()) };
      this.register(part);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      this.#parts = this.#parts.filter((registered) => registered !== part);
    }
  }

  /** Ends the call early. The first reason counts. */
  abort(reason: 'cancelled' | 'timedOut'): void {
    if (this.#reason === undefined) {
      this.#reason = reason;
      this.#abortParts();
    }
  }

  /** To be called when the call is over: stops the timer, removes the listener and aborts parts that have not finished. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#cancel);
    this.#abortParts();
    this.#onDispose(this);
  }

  #abortParts(): void {
    const parts = this.#parts;
    this.#parts = [];
    for (const part of parts) {
      part.abort();
    }
  }
}
