import type { Convention, Link, LinkTarget } from './resource.ts';

/** What the links of one array share. */
export class LinkList {
  readonly convention: Convention;
  readonly rel: string;
  /** JSON Pointer of the array. */
  readonly array: string;
  /** From an element to its address, with its slash; empty when the element is the address. */
  readonly step: string;
  readonly origin: string;

  constructor(convention: Convention, rel: string, array: string, step: string, origin: string) {
    this.convention = convention;
    this.rel = rel;
    this.array = array;
    this.step = step;
    this.origin = origin;
  }
}

/**
 * A link of an array that is a path on the document's origin and says nothing else. What it shares is kept once, and its
 * target is made when somebody looks at it: for each of a long list they would take twice the memory of the JSON.
 */
export class ListLink implements Link {
  readonly #position: number;
  readonly #list: LinkList;
  readonly #path: string;

  constructor(list: LinkList, path: string, position: number) {
    this.#position = position;
    this.#list = list;
    this.#path = path;
  }

  get convention(): Convention {
    return this.#list.convention;
  }

  get rel(): string {
    return this.#list.rel;
  }

  get pointer(): string {
    const { array, step } = this.#list;
    return `${array}/${this.#position}${step}`;
  }

  get target(): LinkTarget {
    return { kind: 'internal', url: this.#list.origin + this.#path };
  }
}
