import type { JsonObject } from './json.ts';
import type { LinkResolver } from './links.ts';
import type { MemberName } from './memberName.ts';
import { memberName } from './memberName.ts';
import { Node } from './node.ts';
import type { Place } from './node.ts';
import type { Embedded, Skipped } from './resource.ts';

/** Entries of `skipped` in a whole document; a body of nothing but broken links must not fill the memory. */
const MOST_SKIPPED = 500;

/** Names that are remembered; documents of more names than this have names that are data. */
const MOST_NAMES = 1000;

/** Values that are still to be read. Their nodes are made one at a time, so that the memory of long lists stays young. */
export interface Batch {
  readonly values: readonly (JsonObject | readonly unknown[])[];
  readonly place: Place;
  /** JSON Pointer of the value, or of the array that holds the values. */
  readonly pointer: string;
  /** Position of the first value in that array; -1 for a value that is in none. */
  readonly first: number;
  /** Where the resources go: one after the other, from a position on. */
  readonly slots: (Embedded | undefined)[];
  readonly slot: number;
  next: number;
}

/** The state of reading one document. */
export class Reading {
  readonly links: LinkResolver;
  /** Set when a number was met that printing may change. */
  rounded = false;
  /** What is still to be read; a list instead of recursion, so that depth never uses the call stack. */
  readonly #pending: Batch[] = [];
  readonly #names = new Map<string, MemberName>();
  #skipped = 0;

  constructor(links: LinkResolver) {
    this.links = links;
  }

  /** Keeps values for later. */
  later(batch: Batch): void {
    this.#pending.push(batch);
  }

  /** The next part to read; undefined when the document is finished. */
  next(): Node | undefined {
    for (let batch = this.#pending.at(-1); batch !== undefined; batch = this.#pending.at(-1)) {
      const position = batch.next;
      const value = batch.values[position];
      batch.next += 1;
      if (value !== undefined) {
        return new Node(this, value, batch, position);
      }
      this.#pending.pop();
    }
    return undefined;
  }

  /** What the name of a member says; worked out once for the many objects of a list. */
  name(name: string): MemberName {
    let known = this.#names.get(name);
    if (known === undefined) {
      known = memberName(name);
      if (this.#names.size < MOST_NAMES) {
        this.#names.set(name, known);
      }
    }
    return known;
  }

  /** An entry of `skipped`; undefined when there have been enough. */
  skipped(pointer: string, reason: string): Skipped | undefined {
    this.#skipped += 1;
    if (this.#skipped > MOST_SKIPPED) {
      return undefined;
    }
    return { pointer, reason: this.#skipped === MOST_SKIPPED ? `${reason} Further ones are not listed.` : reason };
  }
}
