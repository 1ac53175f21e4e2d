import type { Row } from '../row.ts';

/** Runs a row, and measures how long it takes. What it throws is a problem of it. */
export async function measured(
  row: Pick<Row, 'group' | 'name' | 'expected'>,
  work: () => Promise<Pick<Row, 'got' | 'sentence' | 'problems'>>,
): Promise<Row> {
  const start = performance.now();
  const outcome = await work().catch((error: unknown) => ({
    got: 'an error',
    problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  return { ...row, ...outcome, milliseconds: performance.now() - start };
}
