/** One line of the table. Figures are medians; the unit stands in the name. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  /** Null where the limit is absolute and nothing is beside it. */
  readonly peer: number | null;
  /** Median of the rounds' own ratios, which need not be `ours / peer`: noise between rounds is larger than within one. */
  readonly ratio: number | null;
  readonly limit: string;
  readonly holds: boolean;
}

/** Figures of ours and of a peer, round by round. */
export interface Beside {
  readonly ours: readonly number[];
  readonly peer: readonly number[];
}

export function ratioAtLeast(name: string, figures: Beside, least: number): Row {
  const row = beside(name, figures);
  return { ...row, limit: `≥ ${least} ×`, holds: row.ratio >= least };
}

export function ratioAtMost(name: string, figures: Beside, most: number): Row {
  const row = beside(name, figures);
  return { ...row, limit: `≤ ${most} ×`, holds: row.ratio <= most };
}

/** Shown for comparison; nothing was promised. */
export function listed(name: string, figures: Beside): Row {
  return { ...beside(name, figures), limit: 'none', holds: true };
}

/** @param peer shown beside it, without a bearing on whether the limit holds. */
export function atMost(name: string, ours: readonly number[], most: number, peer?: readonly number[]): Row {
  const row = peer === undefined ? { name, ours: median(ours), peer: null, ratio: null } : beside(name, { ours, peer });
  return { ...row, limit: `≤ ${most}`, holds: row.ours <= most };
}

/** Holds when ours is at most this much more than the peer, by the median of the rounds' own differences. */
export function addsAtMost(name: string, figures: Beside, most: number): Row {
  const added = figures.ours.map((figure, round) => figure - (figures.peer[round] ?? NaN));
  return { ...beside(name, figures), limit: `≤ + ${most}`, holds: median(added) <= most };
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

function beside(name: string, { ours, peer }: Beside): Row & { readonly ratio: number; readonly peer: number } {
  const ratios = ours.map((figure, round) => figure / (peer[round] ?? NaN));
  return { name, ours: median(ours), peer: median(peer), ratio: median(ratios), limit: '', holds: false };
}

export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5);
}

/** @param part from 0 to 1. */
export function percentile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
