/** Uncaught errors, such as an error event without a listener. One that a build has caused ends that build only. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './builder.ts';

/** Receives the uncaught errors of the build that the running code belongs to. */
const running = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs a part of a build. It ends with the first uncaught error of anything that it has started: after that, it may never end by itself.
 *
 * @param work gets a signal that is aborted with such an error
 * @param onLateFault receives those that come after its end
 */
export async function withFaults<T>(
  work: (fault: AbortSignal) => Promise<T>,
  onLateFault: (error: unknown) => void,
): Promise<T> {
  const controller = new AbortController();
  let hasEnded = false;
  const fail = (error: unknown): void => (hasEnded ? onLateFault(error) : controller.abort(error));
  const failed = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error), { once: true });
  });
  try {
    return await running.run(fail, () => Promise.race([work(controller.signal), failed]));
  } finally {
    hasEnded = true;
  }
}

/** Keeps the program running after an uncaught error of a build, and after an unhandled rejection. Any other uncaught error ends it. */
export function surviveFaults(report: Log): void {
  process.on('unhandledRejection', (error) => {
    const fail = running.getStore() ?? ((reason) => report(`The service goes on after an error: ${stackOf(reason)}`));
    fail(error);
  });
  process.on('uncaughtException', (error) => {
    const fail = running.getStore();
    if (fail === undefined) {
      report(`The service ends after an error: ${stackOf(error)}`);
      process.exit(1);
    }
    fail(error);
  });
}

/** The text with which the service reports an error of its own. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
