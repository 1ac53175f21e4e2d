import type { Addresses } from './addresses.ts';
import { readSteps } from './longList.ts';
import type { Link, Skipped } from './resource.ts';
import { SeenLinks } from './seen.ts';

/** Lists that grew one by one have room for more, which short ones give back. */
const SHORT = 32;

/** Where a long list was left, with what was found in front of it. */
interface Break {
  readonly seen: SeenLinks | undefined;
  readonly skipped: readonly Skipped[];
  /** Reads the rest of the list. */
  readonly rest: Generator<undefined, void>;
}

/** The links of one part of a document and what was skipped in it, in the document's order, also where a part is read later. */
export class Findings {
  readonly #addresses: Addresses;
  #seen: SeenLinks | undefined;
  #skipped: Skipped[] = [];
  #breaks: Break[] | undefined;
  #isResting = false;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  get links(): readonly Link[] {
    const links = this.#seen?.links ?? [];
    return links.length > 1 && links.length < SHORT ? links.slice() : links;
  }

  get skipped(): readonly Skipped[] {
    return this.#skipped;
  }

  /**
   * Adds a link unless there is one of the same relation and target.
   *
   * @param hash of the target's address, where it is known
   */
  add(link: Link, hash?: number): void {
    this.#seen ??= new SeenLinks();
    this.#seen.add(link, this.#addresses, hash);
  }

  skip(skipped: Skipped): void {
    this.#skipped.push(skipped);
  }

  /**
   * Calls `read` with every item of a list, which may add links. What is beyond the first few thousand is left for
   * {@link rest}, which puts the links where they belong in the order of the document.
   */
  each<Item>(items: readonly Item[], read: (item: Item, index: number) => void): void {
    const rest = readSteps(items, read);
    while (rest.next().done !== true) {
      if (!this.#isResting) {
        (this.#breaks ??= []).push({ ...this.#take(), rest });
        return;
      }
    }
  }

  /** True when {@link each} has left something. */
  get isLong(): boolean {
    return this.#breaks !== undefined;
  }

  /** Reads what {@link each} has left, in steps. */
  *rest(): Generator<undefined, void> {
    const behind = this.#take();
    this.#isResting = true;
    for (const { seen, skipped, rest } of this.#breaks ?? []) {
      this.#put(seen, skipped);
      yield* rest;
    }
    this.#put(behind.seen, behind.skipped);
  }

  #take(): Pick<Break, 'seen' | 'skipped'> {
    const taken = { seen: this.#seen, skipped: this.#skipped };
    this.#seen = undefined;
    this.#skipped = [];
    return taken;
  }

  #put(seen: SeenLinks | undefined, skipped: readonly Skipped[]): void {
    if (this.#seen === undefined) {
      this.#seen = seen;
    } else {
      seen?.links.forEach((link) => this.add(link));
    }
    this.#skipped.push(...skipped);
  }
}
