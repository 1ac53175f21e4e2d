import assert from 'node:assert/strict';

/** How much longer four times as much may take: what grows with the square takes sixteen times as long. */
const MAX_GROWTH = 9;
/** Milliseconds below which a clock says little. That of Windows goes in steps of 16. */
const MEASURABLE_MS = process.platform === 'win32' ? 64 : 10;
/** Whatever else the machine does only adds to a time: the shortest of several counts. */
const ROUNDS = 5;

/** Milliseconds that this thread has worked: what other processes do does not count. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that this thread works for something. */
export function timeOf(work: () => unknown): number {
  const start = workedMs();
  work();
  return workedMs() - start;
}

/**
 * Asserts that time grows with the size of what is worked on, and not with its square.
 *
 * @param work is done with `size`, and with a quarter of it.
 */
export function assertLinear(name: string, size: number, work: (size: number) => unknown): void {
  // The first time is that of the compiler.
  work(size / 4);
  let whole = Infinity;
  let quarter = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    quarter = Math.min(
      quarter,
      timeOf(() => work(size / 4)),
    );
    whole = Math.min(
      whole,
      timeOf(() => work(size)),
    );
    // What takes less for the quarter cannot be told from nothing.
    if (whole < MAX_GROWTH * Math.max(quarter, MEASURABLE_MS / 4)) {
      return;
    }
  }
  assert.fail(`${name}: ${quarter.toFixed(1)} ms for a quarter, ${whole.toFixed(1)} ms for the whole`);
}
