import { sentence, type Sentence } from '../errors/sentence.ts';
import { MAX_PARTS } from '../limits.ts';
import type { Skipped } from './resource.ts';

/** Parts of one resource that could not be used, or are more than are read. */
export class SkippedParts {
  readonly #parts: Skipped[] = [];
  #hasMore = false;

  /** Notes what looked like a link or a resource and could not be used. */
  add(pointer: string, reason: Sentence): void {
    if (this.#parts.length < MAX_PARTS) {
      this.#parts.push({ pointer, reason });
    } else {
      this.#hasMore = true;
    }
  }

  /**
   * The first {@link MAX_PARTS} of many values; what is left out is noted.
   *
   * @param pointer of what holds them
   * @param reason says that only the first `max` of `all` are there
   */
  first<Value>(
    values: readonly Value[],
    pointer: string,
    reason: (max: string, all: string) => Sentence,
  ): readonly Value[] {
    if (values.length <= MAX_PARTS) {
      return values;
    }
    this.add(pointer, reason(String(MAX_PARTS), String(values.length)));
    return values.slice(0, MAX_PARTS);
  }

  /** All entries; the last says when there were more. */
  list(): readonly Skipped[] {
    return this.#hasMore
      ? [...this.#parts.slice(0, -1), { pointer: '', reason: sentence('Further ones are not listed.') }]
      : this.#parts;
  }
}
