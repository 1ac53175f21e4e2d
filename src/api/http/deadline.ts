import type { BuildServiceError } from '../errors/buildServiceError.ts';
import { CancelledError } from '../errors/cancelledError.ts';
import { NetworkError } from '../errors/connectionErrors.ts';

/**
 * Ends a call when its caller cancels it or when its time is up. AbortSignal.timeout and AbortSignal.any would leave a timer
 * behind, for two minutes after each call.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => this.abort('cancelled');
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onDispose: (deadline: Deadline) => void;
  #reason: 'cancelled' | 'timedOut' | undefined;

  /**
   * @param caller cancels the call.
   * @param timeoutMs for the whole call; Infinity for none.
   * @param onDispose called by {@link dispose}.
   */
  constructor(caller: AbortSignal | undefined, timeoutMs: number, onDispose: (deadline: Deadline) => void) {
    this.#caller = caller;
    this.#onDispose = onDispose;
    this.#timer = Number.isFinite(timeoutMs) ? setTimeout(() => this.abort('timedOut'), timeoutMs).unref() : undefined;
    caller?.addEventListener('abort', this.#cancel, { once: true });
    if (caller?.aborted === true) {
      this.abort('cancelled');
    }
  }

  /** Aborts when the call ends, early or by {@link dispose}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
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

  /**
   * Waits for a promise, but no longer than the call lasts: resolving a proxy or reading certificates may hang.
   *
   * @throws {@link CancelledError} when the call ends first; {@link failure} has the reason.
   */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new CancelledError());
      this.signal.addEventListener('abort', end, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', end));
      if (this.signal.aborted) {
        end();
      }
    });
  }

  /** Ends the call early. The first reason counts. */
  abort(reason: 'cancelled' | 'timedOut'): void {
    this.#reason ??= reason;
    this.#controller.abort();
  }

  /** To be called when the call is over: stops the timer, removes the listener and ends what has not finished. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
    this.#controller.abort();
    this.#onDispose(this);
  }
}
