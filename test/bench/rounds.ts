/** A row of the table: the milliseconds of each round and, if there's a peer, the peer's. */
export interface Row {
  /** The operation that the user waits for. */
  readonly what: string;
  readonly ours: readonly number[];
  readonly peer?: { readonly name: string; readonly times: readonly number[] };
  /** Maximum of the median: of the ratio to the peer if there's a peer, otherwise of the milliseconds. */
  readonly max: number;
}

/**
 * Measures each contender once a round, in a rotating order, so that other load affects all of them alike.
 * @param contenders functions to time, by name
 * @param cleanUp called after each contender. Its time doesn't count
 * @returns milliseconds of each contender, one value per round
 */
export async function interleaved<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<unknown>>>,
  cleanUp: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length];
      if (name !== undefined) {
        const start = performance.now();
        await contenders[name]();
        times[name].push(performance.now() - start);
        await cleanUp();
      }
    }
  }
  return times;
}

/** Returns the ratio of each round, because times vary more between rounds than within one. */
export function getRatios({ ours, peer }: Row): readonly number[] | undefined {
  return peer && ours.map((time, round) => time / (peer.times[round] ?? NaN));
}

export function getMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

export function isWithinLimit(row: Row): boolean {
  return getMedian(getRatios(row) ?? row.ours) <= row.max;
}
