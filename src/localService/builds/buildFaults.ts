/** Errors that nothing catches: an event without a listener, a promise that nothing awaits. A build's own end that build alone. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Takes the errors of the build that started the code that runs now. */
const running = new AsyncLocalStorage<(error: unknown) => void>();

/**
 * Runs a build.
 *
 * @param build gets a signal that is aborted with an error that nothing catches, of anything that the build has started
 * @param onLateFault receives such errors when the build has ended
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

/**
 * Has the program go on after an error of a build, and after a promise that nothing awaits. Any other error that nothing
 * catches ends it, as Node would.
 */
export function surviveFaults(report: (line: string) => void): void {
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

/** An error as the service reports a failure of its own. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
