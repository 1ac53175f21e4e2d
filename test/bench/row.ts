/** One line of the table. Figures are medians; their unit is in the name. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  /** Null where the limit is absolute and there is no peer. */
  readonly peer: number | null;
  /** Median of the ratios of each round, which need not be `ours / peer`: noise between rounds is larger than within one. */
  readonly ratio: number | null;
  readonly limit: string;
  readonly holds: boolean;
}

/** Figures of ours and of a peer, one for each round. */
export interface Comparison {
  readonly ours: readonly number[];
  readonly peer: readonly number[];
}

export function ratioAtLeast(name: string, figures: Comparison, minRatio: number): Row {
  const row = compare(name, figures);
  return { ...row, limit: `≥ ${minRatio} ×`, holds: row.ratio >= minRatio };
}

export function ratioAtMost(name: string, figures: Comparison, maxRatio: number): Row {
  const row = compare(name, figures);
  return { ...row, limit: `≤ ${maxRatio} ×`, holds: row.ratio <= maxRatio };
}

/** Without a limit: shown for comparison. */
export function listed(name: string, figures: Comparison): Row {
  return { ...compare(name, figures), limit: 'none', holds: true };
}

/** @param peer shown beside ours; the limit does not depend on it. */
export function atMost(name: string, ours: readonly number[], max: number, peer?: readonly number[]): Row {
  const row =
    peer === undefined ? { name, ours: median(ours), peer: null, ratio: null } : compare(name, { ours, peer });
  return { ...row, limit: `≤ ${max}`, holds: row.ours <= max };
}

/** Holds when the median of the differences of each round is at most this much. */
export function addsAtMost(name: string, figures: Comparison, maxDifference: number): Row {
  const differences = figures.ours.map((figure, round) => figure - (figures.peer[round] ?? NaN));
  return { ...compare(name, figures), limit: `≤ + ${maxDifference}`, holds: median(differences) <= maxDifference };
}

/** Holds when every round gave exactly the expected figure. */
export function exactly(name: string, ours: readonly number[], expected: number): Row {
  return {
    name,
    ours: median(ours),
    peer: expected,
    ratio: median(ours) / expected,
    limit: `= ${expected}`,
    holds: ours.every((figure) => figure === expected),
  };
}

function compare(name: string, { ours, peer }: Comparison): Row & { readonly ratio: number; readonly peer: number } {
  const ratios = ours.map((figure, round) => figure / (peer[round] ?? NaN));
  return { name, ours: median(ours), peer: median(peer), ratio: median(ratios), limit: '', holds: false };
}

export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5);
}

/** @param share from 0 to 1. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
