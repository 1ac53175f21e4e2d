import type { Skipped } from './resource.ts';

/** Entries that are kept; a body of nothing but broken links must not fill the memory. */
const MAX_SKIPPED = 500;

/** What of one resource could not be used, and what is more than is read. */
export class SkippedParts {
  readonly #parts: Skipped[] = [];
  #hasMore = false;

  /** Notes what looked like a link or a resource and could not be used. */
  add(pointer: string, reason: string): void {
    if (this.#parts.length < MAX_SKIPPED) {
      this.#parts.push({ pointer, reason });
    } else {
      this.#hasMore = true;
    }
  }

  /**
   * The first of many values; what is left out is noted.
   *
   * @param what the values are, in the plural
   * @param pointer of what holds them
   */
  first<Value>(values: readonly Value[], max: number, what: string, pointer: string): readonly Value[] {
    if (values.length <= max) {
      return values;
    }
    this.add(pointer, `Only the first ${max} of ${values.length} ${what} are listed.`);
    return values.slice(0, max);
  }

  /** True when one more than `count` of something is too many; that is noted once, when it is reached. */
  isTooMany(count: number, max: number, what: string, pointer: string): boolean {
    if (count === max) {
      this.add(pointer, `Only the first ${max} ${what} are listed.`);
    }
    return count >= max;
  }

  /** All entries; the last says when there were more. */
  list(): readonly Skipped[] {
    const last = this.#hasMore ? this.#parts.at(-1) : undefined;
    return last === undefined
      ? this.#parts
      : [...this.#parts.slice(0, -1), { ...last, reason: `${last.reason} Further ones are not listed.` }];
  }
}
