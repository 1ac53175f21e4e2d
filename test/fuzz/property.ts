/** Properties with a budget: `APP_BUILD_FUZZ_RUNS` inputs for each, divided by the cost of an input. */
import fc from 'fast-check';

/** Number of inputs per property. */
export const budget = Number(process.env.APP_BUILD_FUZZ_RUNS ?? 200);
const seed = process.env.APP_BUILD_FUZZ_SEED === undefined ? undefined : Number(process.env.APP_BUILD_FUZZ_SEED);

/** Maximum processor time per input, in ms. The wall clock of a busy computer would include waiting. */
const bounded = 3000;
/** Time, in ms, after which a waiting input counts as hanging. */
const hanging = 60_000;

/**
 * Adds a test that looks for an input for which `property` doesn't hold or takes longer than {@link bounded}. The failure contains the
 * smallest such input and the seed that finds it again (`APP_BUILD_FUZZ_SEED`).
 * @param cost cost of an input relative to a function call
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

/** Replaces lone surrogates with U+FFFD, because UTF-8 can't represent them. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/** Splits a line into words. */
export function words(line: string): readonly string[] {
  return line.split(' ');
}
