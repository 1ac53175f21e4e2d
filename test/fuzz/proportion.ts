/** Whether work takes time that grows with what is read, and pauses. */
import { budget } from './property.ts';
import { noteStall, workedFor, type Worked } from './stallMeter.ts';

/** Four times as much may take so many times as long; what grows with the square takes sixteen times. */
const MAX_GROWTH = 9;
/** Milliseconds below which a clock says little. That of Windows goes in steps of 16. */
const MEASURABLE_MS = process.platform === 'win32' ? 64 : 12;
/** Milliseconds of processor time without a pause; on a quiet machine it is 50, which the table of `npm run fuzz` shows. */
const MAX_STALL_MS = 250;
/** Whatever else the machine does only adds to a time: the shortest of so many counts. */
const ROUNDS = 5;
const MIN_ROUNDS = budget >= 2000 ? 2 : 1;

/**
 * What is wrong with the times for three inputs, each twice as large as the one before; undefined when nothing is.
 *
 * @param read returns false for an input that it refuses for its size or the number of its parts
 */
export async function disproportion<T>(
  name: string,
  inputs: readonly [quarter: T, half: T, whole: T],
  read: (input: T) => Promise<boolean>,
): Promise<string | undefined> {
  const best = inputs.map((): Worked => ({ total: Infinity, longest: Infinity }));
  let isWhole = true;
  for (let round = 0; round < ROUNDS && (round < MIN_ROUNDS || !isProportionate(best)); round += 1) {
    for (const [index, input] of inputs.entries()) {
      const { total, longest } = await workedFor(async () => {
        isWhole = await read(input);
      });
      const known = best[index];
      best[index] = {
        total: Math.min(total, known?.total ?? total),
        longest: Math.min(longest, known?.longest ?? longest),
      };
    }
  }
  noteStall({ input: name, shown: isWhole, milliseconds: best.at(-1)?.longest ?? 0 });
  const times = best.map(({ total, longest }) => `${total.toFixed(0)} (${longest.toFixed(0)} at once)`);
  return isProportionate(best) ? undefined : `${name}, 1, 2 and 4 times as large: ${times.join(', ')} ms`;
}

function isProportionate(worked: readonly Worked[]): boolean {
  const [quarter, , whole] = worked;
  return (
    quarter !== undefined &&
    whole !== undefined &&
    whole.total <= MAX_GROWTH * Math.max(quarter.total, MEASURABLE_MS / 4) &&
    whole.longest <= MAX_STALL_MS
  );
}
