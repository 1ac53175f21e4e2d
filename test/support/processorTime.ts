import assert from 'node:assert/strict';

/** Milliseconds below which a difference is noise. */
const MEASURABLE_MS = 4;
/** Of four times the input: 4 is linear, 16 is quadratic. */
const MAX_GROWTH = 9;

/**
 * Asserts that some work takes a time that grows with its input, and no faster. What other processes do does not count.
 *
 * @param prepare makes the work for an input of a size
 * @param size so large that four times as much would take more than a few milliseconds if the time grew faster
 */
export function assertLinearTime(prepare: (size: number) => () => unknown, size: number): void {
  const [once, twice, fourTimes] = [1, 2, 4].map((factor) => shortestOf(prepare(factor * size)));
  assert.ok(once !== undefined && twice !== undefined && fourTimes !== undefined);
  const growth = fourTimes / Math.max(once, MEASURABLE_MS / 4);
  const times = [once, twice, fourTimes].map((each) => each.toFixed(1)).join(', ');
  assert.ok(fourTimes < MEASURABLE_MS || growth < MAX_GROWTH, `milliseconds for once, twice, four times: ${times}`);
}

/** The shortest of three times in milliseconds of this thread. */
function shortestOf(work: () => unknown): number {
  let shortest = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  return shortest;
}
