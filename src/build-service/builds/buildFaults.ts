/** Handles uncaught errors, such as an error event without a listener. An error in a build fails only that build. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WriteLog } from '../../android-package/index.ts';

/** The handler for uncaught errors in the build that the current code belongs to. */
const running = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs part of a build. Rejects with the first uncaught error in anything that this part started, because the rest
 * might never finish after that.
 *
 * @param work receives a signal that's aborted after such an error
 * @param onLateFault receives errors that occur after the part has ended
 */
export async function runWithFaults<T>(
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

/**
 * Keeps the program running after uncaught errors in builds and after unhandled rejections. Any other uncaught error
 * stops the program.
 */
export function handleLateFaults(report: WriteLog): void {
  process.on('unhandledRejection', (error) => {
    const fail =
      running.getStore() ?? ((reason) => report(`The service continues after an error: ${getStack(reason)}`));
    fail(error);
  });
  process.on('uncaughtException', (error) => {
    const fail = running.getStore();
    if (fail === undefined) {
      report(`The service stops after an error: ${getStack(error)}`);
      process.exit(1);
    }
    fail(error);
  });
}

/** Returns the text that the service reports for an internal error. */
export function getStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
