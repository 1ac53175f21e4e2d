import { CancelledError } from './cancelledError.ts';
import type { BuildServiceError } from './errors.ts';
import { NetworkError } from './networkError.ts';

/**
 * When a call ends at the latest: its caller cancels it, or its time is up.
 *
 * Without an AbortController of its own: with its events it costs more than a small request does. AbortSignal.timeout and
 * .any would moreover leave a timer and weak references behind until the garbage collector finds them.
 */
export class Deadline {
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #over: (until: Deadline) => void;
  #listeners: (() => void)[] = [];
  #reason: 'cancelled' | 'timedOut' | undefined;

  /**
   * @param caller cancels the call.
   * @param milliseconds for the whole call; Infinity for none.
   * @param over called by {@link end}.
   */
  constructor(caller: AbortSignal | undefined, milliseconds: number, over: (until: Deadline) => void) {
    this.#caller = caller;
    this.#over = over;
    this.#timer = Number.isFinite(milliseconds) ? setTimeout(() => this.#finish('timedOut'), milliseconds).unref() : undefined;
    caller?.addEventListener('abort', this.cancel, { once: true });
    if (caller?.aborted === true) {
      this.cancel();
    }
  }

  readonly cancel = (): void => this.#finish('cancelled');

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

  /** Calls the listener when the call ends, whichever way: at once, when it was cancelled or its time was up before. */
  onEnd(listener: () => void): void {
    if (this.#reason === undefined) {
      this.#listeners.push(listener);
    } else {
      listener();
    }
  }

  /** What a promise gives, unless the call ends first: whoever resolves proxies or reads certificates may hang. */
  async within<T>(promise: Promise<T>): Promise<T> {
    let listener: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      listener = () => reject(new CancelledError());
      this.onEnd(listener);
    });
    try {
      return await Promise.race([promise, aborted]);
    } finally {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    }
  }

  /** To be called when the call is over: lets go of the timer and of the caller, and ends what is still under way. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.cancel);
    this.#abort();
    this.#over(this);
  }

  #finish(reason: 'cancelled' | 'timedOut'): void {
    if (this.#reason === undefined) {
      this.#reason = reason;
      this.#abort();
    }
  }

  #abort(): void {
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) {
      listener();
    }
  }
}
