/** Properties with a budget: `APP_BUILD_FUZZ_RUNS` inputs for each, or that divided by what an input costs. */
import fc from 'fast-check';

/** Inputs for each property. */
export const budget = Number(process.env.APP_BUILD_FUZZ_RUNS ?? 200);
const seed = process.env.APP_BUILD_FUZZ_SEED === undefined ? undefined : Number(process.env.APP_BUILD_FUZZ_SEED);

/** Milliseconds of work that an input may take at most, whatever it is. A busy machine's clock goes on while nothing is done. */
export const bounded = 3000;
/** Milliseconds after which an input that waits for something hangs. */
const hanging = 60_000;

/**
 * A test that looks for an input for which `property` does not hold, or that takes longer than {@link bounded}. The failure
 * names the smallest such input and the seed that finds it again (`APP_BUILD_FUZZ_SEED`).
 *
 * @param cost how many times dearer an input is than a call of a function
 */
export function holds<T>(name: string, input: fc.Arbitrary<T>, property: (input: T) => unknown, cost = 1): void {
  it(name, async () => {
    const timed = fc.asyncProperty(input, async (value) => {
      const began = process.cpuUsage();
      await property(value);
      const { user, system } = process.cpuUsage(began);
      const took = (user + system) / 1000;
      if (took > bounded) {
        throw new Error(`This input took ${took.toFixed(0)} ms.`);
      }
    });
    const details = await fc.check(timed, {
      numRuns: Math.max(10, Math.ceil(budget / cost)),
      plugins: [fc.timeout(hanging)],
      ...(seed !== undefined && { seed }),
    });
    if (details.failed) {
      throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    }
  });
}

/** The text without halves of surrogate pairs, which cannot be sent. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** The words of a line. */
export function words(line: string): readonly string[] {
  return line.split(' ');
}
