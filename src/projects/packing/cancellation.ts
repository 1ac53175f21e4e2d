import { CancelledError } from '../../api/errors/cancelledError.ts';

/** @throws CancelledError */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new CancelledError();
  }
}

/** Waits for a promise until the signal aborts: a file system of another extension may never answer. @throws CancelledError */
export async function cancellable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  throwIfCancelled(signal);
  if (signal === undefined) {
    return work;
  }
  let cancel = (): void => undefined;
  const cancelled = new Promise<never>((_resolve, reject) => {
    cancel = () => reject(new CancelledError());
  });
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Opening many small files takes longer than reading them. */
const FILES_AT_ONCE = 16;

/**
 * Does the same with each item, a few at once. After the first failure no other is begun.
 *
 * @param work its signal aborts with `signal`, and when another item has failed
 * @throws what `work` throws first
 */
export async function forEachFile<T>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (either.aborted) {
        return;
      }
      await work(item, either);
    }
  };
  try {
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker));
  } finally {
    stop.abort();
  }
}
