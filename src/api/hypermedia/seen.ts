import type { Addresses } from './addresses.ts';
import type { Link, LinkTarget } from './resource.ts';

/** From here on a list is searched by hash. */
const FEW = 8;

/**
 * The links of one resource, each once. Short lists are compared one by one: most resources have few links, and an index for
 * each of ten thousand would cost more than reading them.
 */
export class SeenLinks {
  /** In the order of the document. */
  readonly links: Link[] = [];
  #index: LinkIndex | undefined;

  /**
   * Adds a link unless there is one of the same relation and target.
   *
   * @param hash of the target's address, where it is known
   */
  add(link: Link, addresses: Addresses, hash: number | undefined): void {
    const { links } = this;
    if (links.length < FEW) {
      for (const other of links) {
        if (isSame(other, link)) {
          return;
        }
      }
    } else {
      this.#index ??= new LinkIndex(addresses, links);
      if (!this.#index.note(link, hash)) {
        return;
      }
    }
    links.push(link);
  }
}

/** A hash table of positions in a list: a Map of as many texts takes three times as long, and stops everything when it grows. */
class LinkIndex {
  readonly #addresses: Addresses;
  readonly #links: readonly Link[];
  /** Position + 1 in the list; 0 is empty. A power of two of them, at most half of them taken. */
  #slots = new Int32Array(64);
  /** The hash of each link, by position. */
  #hashes = new Int32Array(32);
  #count = 0;
  #rel = '';
  #relHash = 0;

  constructor(addresses: Addresses, links: readonly Link[]) {
    this.#addresses = addresses;
    this.#links = links;
    for (const link of links) {
      this.note(link, undefined);
    }
  }

  /** False when the link is in the list; else notes it as the next one. */
  note(link: Link, addressHash: number | undefined): boolean {
    const hash = (addressHash ?? this.#addresses.hashOf(addressOf(link.target))) ^ this.#hashOfRel(link.rel);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let position = this.#slots[slot] ?? 0; position !== 0; position = this.#slots[slot] ?? 0) {
      const other = this.#hashes[position - 1] === hash ? this.#links[position - 1] : undefined;
      if (other !== undefined && isSame(other, link)) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    this.#hashes[this.#count] = hash;
    this.#count += 1;
    this.#slots[slot] = this.#count;
    if (this.#count === this.#hashes.length) {
      this.#grow();
    }
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const hashes = new Int32Array(slots.length / 2);
    hashes.set(this.#hashes);
    for (let position = 1; position <= this.#count; position += 1) {
      let slot = (hashes[position - 1] ?? 0) & (slots.length - 1);
      while (slots[slot] !== 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = position;
    }
    this.#slots = slots;
    this.#hashes = hashes;
  }

  /** The links of a list share their relation. */
  #hashOfRel(rel: string): number {
    if (rel !== this.#rel) {
      this.#rel = rel;
      this.#relHash = this.#addresses.hash(rel);
    }
    return this.#relHash;
  }
}

/** True for the same relation to the same target. */
export function isSame(one: Link, other: Link): boolean {
  return one.rel === other.rel && addressOf(one.target) === addressOf(other.target);
}

function addressOf(target: LinkTarget): string {
  return target.kind === 'template' ? target.template : target.url;
}
