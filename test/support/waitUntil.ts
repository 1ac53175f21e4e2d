import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 10;

/**
 * Waits for what no event announces: asks `condition` again and again until it answers with something. It has no time limit of
 * its own: the test that waits has one.
 *
 * @returns the first answer that is not `undefined`, `null` or `false`
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
