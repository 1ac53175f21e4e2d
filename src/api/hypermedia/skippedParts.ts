import { sentence, type Sentence } from '../errors/sentence.ts';
import type { Skipped } from './resource.ts';

/** Entries that are kept; a body of nothing but broken links must not fill the memory. */
const MAX_SKIPPED = 500;

/** Parts of one resource that could not be used, or are more than are read. */
export class SkippedParts {
  readonly #parts: Skipped[] = [];
  #hasMore = false;

  /** Notes what looked like a link or a resource and could not be used. */
  add(pointer: string, reason: Sentence): void {
    if (this.#parts.length < MAX_SKIPPED) {
      this.#parts.push({ pointer, reason });
    } else {
      this.#hasMore = true;
    }
  }

  /**
   * The first of many values; what is left out is noted.
   *
   * @param pointer of what holds them
   * @param reason says that only the first `max` of `all` are there
   */
  first<Value>(
    values: readonly Value[],
    max: number,
    pointer: string,
    reason: (max: string, all: string) => Sentence,
  ): readonly Value[] {
    if (values.length <= max) {
      return values;
    }
    this.add(pointer, reason(String(max), String(values.length)));
    return values.slice(0, max);
  }

  /** True when one more than `count` of something is too many; that is noted once, when it is reached. */
  isTooMany(count: number, max: number, pointer: string, reason: (max: string) => Sentence): boolean {
    if (count === max) {
      this.add(pointer, reason(String(max)));
    }
    return count >= max;
  }

  /** All entries; the last says when there were more. */
  list(): readonly Skipped[] {
    return this.#hasMore
      ? [...this.#parts.slice(0, -1), { pointer: '', reason: sentence('Further ones are not listed.') }]
      : this.#parts;
  }
}
