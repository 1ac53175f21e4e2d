import { CancelledError } from '../errors/cancelledError.ts';
import type { BuildServiceError } from '../errors/buildServiceError.ts';
import { NetworkError } from '../errors/networkError.ts';

/** Something that takes time, and can be ended before. */
interface Abortable {
  abort(): void;
}

/**
 * When a call ends at the latest: its caller cancels it, or its time is up.
 *
 * Without an AbortController of its own: with its events it costs more than a small request does. AbortSignal.timeout and
 * .any would moreover leave a timer and weak references behind until the garbage collector finds them.
 */
export class Deadline {
  readonly #caller: AbortSignal | undefined;
  readonly #cancel: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #over: (until: Deadline) => void;
  #parts: Abortable[] = [];
  #reason: 'cancelled' | 'timedOut' | undefined;

  /**
   * @param caller cancels the call.
   * @param milliseconds for the whole call; Infinity for none.
   * @param over called by {@link end}.
   */
  constructor(caller: AbortSignal | undefined, milliseconds: number, over: (until: Deadline) => void) {
    this.#over = over;
    this.#timer = Number.isFinite(milliseconds) ? setTimeout(expire, milliseconds, this).unref() : undefined;
    if (caller !== undefined) {
      this.#caller = caller;
      this.#cancel = () => this.finish('cancelled');
      caller.addEventListener('abort', this.#cancel, { once: true });
      if (caller.aborted) {
        this.finish('cancelled');
      }
    }
  }

  /** Why the call has ended; undefined while it has not. @param host host and port, for the sentence. */
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

  /** Aborts a part of the call when the call ends, whichever way: at once, when it was cancelled or its time was up before. */
  covers(part: Abortable): void {
    if (this.#reason === undefined) {
      this.#parts.push(part);
    } else {
      part.abort();
    }
  }

  /** What a promise gives, unless the call ends first: whoever resolves proxies or reads certificates may hang. */
  async within<T>(promise: Promise<T>): Promise<T> {
    let part: Abortable | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      part = { abort: () => reject(new CancelledError()) };
      this.covers(part);
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      this.#parts = this.#parts.filter((other) => other !== part);
    }
  }

  /** To be called when the call is over: lets go of the timer and of the caller, and ends what is still under way. */
  end(): void {
    clearTimeout(this.#timer);
    if (this.#cancel !== undefined) {
      this.#caller?.removeEventListener('abort', this.#cancel);
    }
    this.#abort();
    this.#over(this);
  }

  /** Ends the call. */
  finish(reason: 'cancelled' | 'timedOut'): void {
    if (this.#reason === undefined) {
      this.#reason = reason;
      this.#abort();
    }
  }

  #abort(): void {
    const parts = this.#parts;
    this.#parts = [];
    for (const part of parts) {
      part.abort();
    }
  }
}

function expire(until: Deadline): void {
  until.finish('timedOut');
}
