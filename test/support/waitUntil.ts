import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 10;

/**
 * Waits for a state that no event announces by calling `condition` repeatedly. It has no timeout, because the test has one.
 * @returns the first result that isn't `undefined`, `null`, or `false`
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
): Promise<Exclude<Awaited<T>, undefined | null | false>> {
  for (;;) {
    const answer = await condition();
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer as Exclude<Awaited<T>, undefined | null | false>;
    }
    await delay(POLL_INTERVAL_MS);
  }
}
