import { addressOf } from './links.ts';
import type { Link } from './resource.ts';

/** The links of one resource, in order, and the one among them that is its own address. */
export class ResourceLinks {
  readonly #links: Link[] = [];
  readonly #keys = new Set<string>();
  #self: Link | undefined;

  /** The first link of the relation `self`. */
  get self(): Link | undefined {
    return this.#self;
  }

  /** @returns false when there is a link of this relation to this address */
  add(link: Link): boolean {
    const key = `${link.rel}\n${addressOf(link.target)}`;
    if (this.#keys.has(key)) {
      return false;
    }
    this.#keys.add(key);
    if (link.rel === 'self' && this.#self === undefined) {
      this.#self = link;
    } else {
      this.#links.push(link);
    }
    return true;
  }

  /**
   * The links that lead elsewhere, and those that lead back to the resource itself, such as the `first` of a list that has
   * one page. A request other than GET is no way back: it does something.
   *
   * @param documentUrl another address of the resource
   */
  split(documentUrl: string | undefined): { readonly elsewhere: readonly Link[]; readonly back: readonly Link[] } {
    const own = this.#self === undefined ? undefined : addressOf(this.#self.target);
    const back = this.#links.filter(({ target, method = 'GET' }) => {
      const address = withoutEmptyFragment(addressOf(target));
      return (address === own || address === documentUrl) && (method === 'GET' || method === 'HEAD');
    });
    if (back.length === 0) {
      return { elsewhere: this.#links, back };
    }
    const isBack = new Set(back);
    return { elsewhere: this.#links.filter((link) => !isBack.has(link)), back };
  }
}

function withoutEmptyFragment(url: string): string {
  return url.endsWith('#') ? url.slice(0, -1) : url;
}
