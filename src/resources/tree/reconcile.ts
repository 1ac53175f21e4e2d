/** Something that can take over what a newer reading of the same thing says. */
export interface Lasting<Self> {
  /** The same for the same thing, unique among its siblings. */
  readonly id: string;
  /**
   * Takes over the value of `newer`, which has the same id.
   *
   * @returns what has to be drawn again: itself, some of what is below it, or nothing. Undefined when `newer` is of
   * another kind and has to take this one's place.
   */
  adopt(newer: Self): readonly Self[] | undefined;
}

export interface Reconciled<T> {
  /** The newer list, with the objects of the older one wherever it has the same thing. */
  readonly rows: readonly T[];
  /** False when rows came, went or moved: then the parent is drawn again, whatever `changed` says. */
  readonly sameRows: boolean;
  readonly changed: readonly T[];
}

/** Carries the objects of a list over into a newer reading of it. */
export function reconcile<T extends Lasting<T>>(older: readonly T[], newer: readonly T[]): Reconciled<T> {
  const known = new Map(older.map((row) => [row.id, row]));
  const changed: T[] = [];
  const rows = newer.map((row) => {
    const kept = known.get(row.id);
    const redraw = kept?.adopt(row);
    if (kept === undefined || redraw === undefined) {
      return row;
    }
    changed.push(...redraw);
    return kept;
  });
  return { rows, changed, sameRows: rows.length === older.length && rows.every((row, index) => row === older[index]) };
}

/** Only the rows without an ancestor in the list: drawing a row again draws what is below it. */
export function outermost<T extends { readonly parent: T | undefined }>(rows: readonly T[]): readonly T[] {
  const all = new Set(rows);
  return [...all].filter((row) => {
    for (let above = row.parent; above !== undefined; above = above.parent) {
      if (all.has(above)) {
        return false;
      }
    }
    return true;
  });
}
