import { setTimeout as sleep } from 'node:timers/promises';

/** A measured row of the tables. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly expected: string;
  readonly got: string;
  /** The text that users read. */
  readonly sentence?: string;
  readonly milliseconds?: number;
  /** Empty if the result is as expected. */
  readonly problems: readonly string[];
}

/** Timeout, in ms, of rows that wait for an event. */
export const TIMEOUT_MS = 120_000;

/** Runs a row and measures its duration. An error counts as one of its problems. */
export async function measured(
  row: Pick<Row, 'group' | 'name' | 'expected'>,
  work: () => Promise<Pick<Row, 'got' | 'sentence' | 'problems'>>,
  timeoutMs = TIMEOUT_MS,
): Promise<Row> {
  const start = performance.now();
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`It hasn’t ended after ${timeoutMs / 1000} s.`);
  });
  const outcome = await Promise.race([work(), timeout]).catch((error: unknown) => ({
    got: 'an error',
    problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  return { ...row, ...outcome, milliseconds: performance.now() - start };
}
