import { addressOf } from './links.ts';
import type { Link } from './resource.ts';

/** Up to so many links, looking through them is faster than a table of them. */
const FEW = 8;

/** The links of one resource, in order, and the one among them that is its own address. */
export class ResourceLinks {
  readonly #links: Link[] = [];
  #keys: Set<string> | undefined;
  #self: Link | undefined;

  /** The first link of the relation `self`. */
  get self(): Link | undefined {
    return this.#self;
  }

  /** @returns false when there is a link of this relation to this address */
  add(link: Link): boolean {
    if (link.rel === 'self' && this.#self === undefined) {
      this.#self = link;
      return true;
    }
    if ((this.#self !== undefined && isSame(this.#self, link)) || this.#has(link)) {
      return false;
    }
    this.#links.push(link);
    return true;
  }

  /** Among the links that are in order. With a table of them, the link is in it from then on. */
  #has(link: Link): boolean {
    if (this.#links.length <= FEW) {
      return this.#links.some((other) => isSame(other, link));
    }
    this.#keys ??= new Set(this.#links.map(keyOf));
    const { size } = this.#keys;
    return this.#keys.add(keyOf(link)).size === size;
  }

  /**
   * The links that lead elsewhere, and those that lead back to the resource itself, such as the `first` of a list that has
   * one page. A request other than GET is no way back: it does something.
   *
   * @param documentUrl another address of the resource
   */
  split(documentUrl: string | undefined): { readonly elsewhere: readonly Link[]; readonly back: readonly Link[] } {
    const own = this.#self === undefined ? undefined : addressOf(this.#self.target);
    const leadsBack = ({ target, method = 'GET' }: Link): boolean => {
      const address = withoutEmptyFragment(addressOf(target));
      return (address === own || address === documentUrl) && (method === 'GET' || method === 'HEAD');
    };
    return this.#links.some(leadsBack)
      ? { elsewhere: this.#links.filter((link) => !leadsBack(link)), back: this.#links.filter(leadsBack) }
      : { elsewhere: this.#links, back: [] };
  }
}

function isSame(a: Link, b: Link): boolean {
  return a.rel === b.rel && addressOf(a.target) === addressOf(b.target);
}

function keyOf({ rel, target }: Link): string {
  return `${rel}\n${addressOf(target)}`;
}

function withoutEmptyFragment(url: string): string {
  return url.endsWith('#') ? url.slice(0, -1) : url;
}
