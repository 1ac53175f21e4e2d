import type { Addresses } from './addresses.ts';
import { readSteps } from './longList.ts';
import type { Embedded, Link, Skipped } from './resource.ts';
import { SeenLinks } from './seen.ts';

/** Lists that grew one by one have room for more, which short ones give back. */
const SHORT = 32;

/** Entries of `skipped`; a body of nothing but broken links must not fill the memory. */
const MOST_SKIPPED = 500;

/** Where a long list was left, with what was found in front of it. */
interface Break {
  readonly seen: SeenLinks | undefined;
  readonly embedded: Embedded[];
  readonly skipped: readonly Skipped[];
  /** Reads the rest of the list. */
  readonly rest: Generator<undefined, void>;
}

/** What was found in one part of a document, in the document's order, also where a part of a list is read later. */
export class Findings {
  readonly #addresses: Addresses;
  #seen: SeenLinks | undefined;
  #embedded: Embedded[] = [];
  #skipped: Skipped[] = [];
  #isCut = false;
  #breaks: Break[] | undefined;
  #isResting = false;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  get links(): readonly Link[] {
    const links = this.#seen?.links ?? [];
    return links.length > 1 && links.length < SHORT ? links.slice() : links;
  }

  get embedded(): readonly Embedded[] {
    return this.#embedded;
  }

  get skipped(): readonly Skipped[] {
    const last = this.#isCut ? this.#skipped.at(-1) : undefined;
    return last === undefined
      ? this.#skipped
      : [...this.#skipped.slice(0, -1), { ...last, reason: `${last.reason} Further ones are not listed.` }];
  }

  /**
   * Adds a link unless there is one of the same relation and target.
   *
   * @param hash of the target's address, where it is known
   */
  link(link: Link, hash?: number): void {
    this.#seen ??= new SeenLinks();
    this.#seen.add(link, this.#addresses, hash);
  }

  embed(embedded: Embedded): void {
    this.#embedded.push(embedded);
  }

  skip(skipped: Skipped): void {
    if (this.#skipped.length < MOST_SKIPPED) {
      this.#skipped.push(skipped);
    } else {
      this.#isCut = true;
    }
  }

  /**
   * Calls `read` with every item of a list, which may add to what was found. What is beyond the first few thousand is left
   * for {@link rest}, which puts it where it belongs in the order of the document.
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
    for (const { rest, ...front } of this.#breaks ?? []) {
      this.#put(front);
      yield* rest;
    }
    this.#put(behind);
  }

  #take(): Omit<Break, 'rest'> {
    const taken = { seen: this.#seen, embedded: this.#embedded, skipped: this.#skipped };
    this.#seen = undefined;
    this.#embedded = [];
    this.#skipped = [];
    return taken;
  }

  #put({ seen, embedded, skipped }: Omit<Break, 'rest'>): void {
    if (this.#seen === undefined) {
      this.#seen = seen;
    } else {
      seen?.links.forEach((link) => {
        this.link(link);
      });
    }
    if (this.#embedded.length === 0) {
      this.#embedded = embedded;
    } else {
      embedded.forEach((item) => {
        this.embed(item);
      });
    }
    skipped.forEach((item) => {
      this.skip(item);
    });
  }
}
