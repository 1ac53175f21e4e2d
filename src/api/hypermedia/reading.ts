import type { JsonObject } from './json.ts';
import type { LinkResolver } from './links.ts';
import { Node } from './node.ts';
import type { Place } from './node.ts';
import type { Embedded, Field, Skipped } from './resource.ts';
import { Shapes } from './shape.ts';

/** Entries of `skipped` in a whole document; a body of nothing but broken links must not fill the memory. */
const MOST_SKIPPED = 500;

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
  readonly shapes = new Shapes();
  /** The fields of the node that is being read: a list that grows leaves more garbage than one that is copied at its end. */
  readonly fields: Field[] = [];
  /** Set when a number was met that printing may change. */
  rounded = false;
  /** What is still to be read; a list instead of recursion, so that depth never uses the call stack. */
  readonly #pending: Batch[] = [];
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

  /** An entry of `skipped`; undefined when there have been enough. */
  skipped(pointer: string, reason: string): Skipped | undefined {
    this.#skipped += 1;
    if (this.#skipped > MOST_SKIPPED) {
      return undefined;
    }
    return { pointer, reason: this.#skipped === MOST_SKIPPED ? `${reason} Further ones are not listed.` : reason };
  }
}
