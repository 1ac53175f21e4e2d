/**
 * Measures contenders in turn, each once a round, in an order that rotates: what the machine does meanwhile meets all of
 * them alike.
 *
 * @returns the measurements of each contender, round by round.
 */
export async function interleaved<Name extends string, T>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<T> | T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length];
      if (name !== undefined) {
        // The garbage of one contender is not the next one's to collect. A full collection would do more than that: it shrinks
        // the young generation, and whoever comes next pays for growing it again.
        globalThis.gc?.({ type: 'minor' });
        results[name].push(await contenders[name]());
      }
    }
  }
  return results;
}

/** Milliseconds that something takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
