import type { Link, LinkTarget } from './resource.ts';

/** From here on a list is searched by index. */
const FEW = 8;

/**
 * The relations and addresses of a resource's links, so that each is listed once. Short lists are compared one by one:
 * most resources have few links, and an index for each of ten thousand would cost more than reading them.
 */
export class SeenLinks {
  /** Relations by address. Most addresses have one relation, which needs no set. */
  #index: Map<string, string | Set<string>> | undefined;

  readonly #originLength: number;

  /** @param origin of every internal link */
  constructor(origin = '') {
    this.#originLength = origin.length;
  }

  /** True when no link of the list (or `self`) has this relation and target; the caller then adds it. */
  isFirst(rel: string, target: LinkTarget, href: string, links: readonly Link[], self: Link | undefined): boolean {
    if (links.length < FEW) {
      const address = addressOf(target);
      for (const link of links) {
        if (link.rel === rel && addressOf(link.target) === address) {
          return false;
        }
      }
      return !(rel === 'self' && self !== undefined && addressOf(self.target) === address);
    }
    if (this.#index === undefined) {
      this.#index = new Map();
      for (const link of self === undefined ? links : [self, ...links]) {
        remember(this.#index, link.rel, this.#keyOf(link.target));
      }
    }
    return remember(this.#index, rel, this.#keyOf(target, href));
  }

  /**
   * What the index finds a link by: the path of internal ones. A reference that is the path already is taken as it is,
   * which saves putting whole URLs together only to compare them.
   */
  #keyOf(target: LinkTarget, href = ''): string {
    if (target.kind !== 'internal') {
      return addressOf(target);
    }
    return href.startsWith('/') && target.url.length === this.#originLength + href.length ? href : target.url.slice(this.#originLength);
  }
}

function addressOf(target: LinkTarget): string {
  return target.kind === 'template' ? target.template : target.url;
}

/** Adds a relation to an address; false when it was known. */
function remember(index: Map<string, string | Set<string>>, rel: string, address: string): boolean {
  const rels = index.get(address);
  if (rels === undefined) {
    index.set(address, rel);
    return true;
  }
  if (rels === rel || (typeof rels !== 'string' && rels.has(rel))) {
    return false;
  }
  if (typeof rels === 'string') {
    index.set(address, new Set([rels, rel]));
  } else {
    rels.add(rel);
  }
  return true;
}
