import { CancelledError } from './cancelledError.ts';
import type { BuildServiceError } from './errors.ts';
import { NetworkError } from './networkError.ts';

/** When a call ends at the latest: its caller cancels it, or its time is up. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the call has ended; undefined while it has not. */
  failure(host: string): BuildServiceError | undefined;
  cancel(): void;
  /** To be called when the call is over: lets go of the timer and of the caller. */
  end(): void;
}

/**
 * One controller for each call: AbortSignal.timeout and .any would leave a timer and weak references behind until the
 * garbage collector finds them, which costs more than the call.
 *
 * @param milliseconds for the whole call; Infinity for none.
 * @param ended called by `end`.
 */
export function deadline(caller: AbortSignal | undefined, milliseconds: number, ended: () => void): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let timedOut = false;
  const cancel = (): void => controller.abort();
  const expire = (): void => {
    timedOut = !signal.aborted;
    controller.abort();
  };
  const timer = Number.isFinite(milliseconds) ? setTimeout(expire, milliseconds).unref() : undefined;
  caller?.addEventListener('abort', cancel, { once: true });
  if (caller?.aborted) {
    cancel();
  }
  return {
    signal,
    failure: (host) => (signal.aborted ? (timedOut ? NetworkError.timeout('total', host) : new CancelledError()) : undefined),
    cancel,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', cancel);
      ended();
    },
  };
}
