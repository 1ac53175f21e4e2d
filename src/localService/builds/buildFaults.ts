/** Uncaught errors, such as an error event without a listener. One that a build has caused ends that build only. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './builder.ts';

/** Receives the uncaught errors of the build that the running code belongs to. */
const running = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs a build.
 *
 * @param build gets a signal that is aborted with an uncaught error of anything that the build has started
 * @param onLateFault receives such errors after the build has ended
 */
export async function withFaults<T>(
  build: (fault: AbortSignal) => Promise<T>,
  onLateFault: (error: unknown) => void,
): Promise<T> {
  const controller = new AbortController();
  let hasEnded = false;
  const fail = (error: unknown): void => (hasEnded ? onLateFault(error) : controller.abort(error));
  try {
    return await running.run(fail, () => build(controller.signal));
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
