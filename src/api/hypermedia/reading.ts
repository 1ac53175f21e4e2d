import { Inference } from './inferred.ts';
import type { JsonObject } from './json.ts';
import type { LinkResolver } from './links.ts';
import type { Node } from './node.ts';
import type { Place } from './place.ts';
import type { Embedded, Field, Resource } from './resource.ts';
import { Shapes } from './shape.ts';

/** Reads an element of an array in the document. */
export type ReadElement = (value: JsonObject | readonly unknown[], place: Place, pointer: string) => Resource;

/** A part that is read with what it is in; `resource` is there when that has been read. */
interface Part {
  readonly node: Node;
  readonly embedded: { readonly rel: string; resource: Resource };
}

/** The state of reading one document. */
export class Reading {
  readonly links: LinkResolver;
  readonly inference: Inference;
  readonly shapes = new Shapes();
  readonly element: ReadElement;
  /** The fields of the node that is being read: a list that grows leaves more garbage than one that is copied at its end. */
  readonly fields: Field[] = [];
  /** Set when a number was met that printing may change. */
  rounded = false;
  /** What is still to be read; a list instead of recursion, so that depth never uses the call stack. */
  readonly #pending: Part[] = [];

  constructor(links: LinkResolver, element: ReadElement) {
    this.links = links;
    this.inference = new Inference(links.base, links.addresses);
    this.element = element;
  }

  /** Keeps a node for later. */
  later(node: Node): Embedded {
    const embedded = { rel: node.rel, resource: UNREAD };
    this.#pending.push({ node, embedded });
    return embedded;
  }

  get hasParts(): boolean {
    return this.#pending.length > 0;
  }

  /** The next part to read; undefined when there is none. */
  next(): Part | undefined {
    return this.#pending.pop();
  }
}

const UNREAD: Resource = { fields: [], links: [], embedded: [], forms: [], skipped: [], pointer: '' };
