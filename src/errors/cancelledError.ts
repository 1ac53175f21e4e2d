import { BuildServiceError } from './buildServiceError.ts';
import { sentence } from './sentence.ts';

/** Thrown when the caller's signal was aborted or the transport was disposed. The user never sees it. */
export class CancelledError extends BuildServiceError {
  readonly kind = 'cancelled';

  constructor() {
    super({ what: sentence('The request was canceled.'), remedy: 'none' });
  }
}

/** Throws if the signal is aborted. @throws {@link CancelledError} */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new CancelledError();
  }
}

/**
 * Waits for a promise, or rejects when the signal is aborted. Use it for calls that may never settle, such as those to
 * another extension's file system provider.
 *
 * @throws {@link CancelledError}
 */
export function cancellable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(new CancelledError());
    signal?.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', cancel));
    if (signal?.aborted === true) {
      cancel();
    }
  });
}
