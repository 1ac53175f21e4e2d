import { processorMs } from './processes.ts';

/** What one round measured. */
export interface Sample {
  /** In the unit of its row. */
  readonly value: number;
  /** Milliseconds of processors; undefined where they are not known. */
  readonly processorMs?: number | undefined;
}

/**
 * Measures contenders in turn, each once a round, in an order that rotates: what else the machine does affects all of them
 * alike.
 *
 * @param contenders functions that measure once, by name.
 * @returns the measurements of each contender, one for each round.
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
        // So that no contender collects the garbage of the one before. A full collection would shrink the young generation, and
        // the next contender would pay for growing it again.
        globalThis.gc?.({ type: 'minor' });
        results[name].push(await contenders[name]());
      }
    }
  }
  return results;
}

/**
 * Milliseconds that a function takes, until its promise has settled, and what processors did for it.
 *
 * @param pids of processes that work for it, besides this one and the programs that it runs.
 */
export async function timed(work: () => unknown, ...pids: readonly number[]): Promise<Sample> {
  const before = processorMs(pids);
  const start = performance.now();
  await work();
  const value = performance.now() - start;
  const after = processorMs(pids);
  return { value, processorMs: before === undefined || after === undefined ? undefined : after - before };
}
