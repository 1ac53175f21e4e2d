import { setTimeout as sleep } from 'node:timers/promises';

/** One measured line of the tables. */
export interface Row {
  readonly group: string;
  readonly name: string;
  readonly expected: string;
  readonly got: string;
  /** The text that users read. */
  readonly sentence?: string;
  readonly milliseconds?: number;
  /** Empty when everything is as it should be. */
  readonly problems: readonly string[];
}

/** For a row that waits for what does not come, as the time limit of a test. */
export const TIMEOUT_MS = 120_000;

/** Runs a row, and measures how long it takes. What it throws is a problem of it. */
export async function measured(
  row: Pick<Row, 'group' | 'name' | 'expected'>,
  work: () => Promise<Pick<Row, 'got' | 'sentence' | 'problems'>>,
  timeoutMs = TIMEOUT_MS,
): Promise<Row> {
  const start = performance.now();
  const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`It has not ended after ${timeoutMs / 1000} s.`);
  });
  const outcome = await Promise.race([work(), timeout]).catch((error: unknown) => ({
    got: 'an error',
    problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  return { ...row, ...outcome, milliseconds: performance.now() - start };
}
