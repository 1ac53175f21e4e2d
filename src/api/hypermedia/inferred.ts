import type { Addresses } from './addresses.ts';
import type { Node } from './node.ts';
import type { Pointer } from './pointer.ts';

/** Longer strings are texts, whatever they start with. */
const LONGEST_ADDRESS = 4096;

/** The service's own paths (contract, "API v1"), of this and of other versions. */
const API_PATH = '/api/v';

/** Everything up to the API's version: the path prefix under which the service is mounted. */
const MOUNTED = /^(.*?\/api\/v)\d+(?=\/|$)/;

/** Recognises addresses in members whose names say nothing. A guess: such links are never followed by themselves. */
export class Inference {
  /** Origin and, where the response came from under one, the path up to the API's version. */
  readonly #urlPrefix: string | undefined;
  readonly #pathPrefix: string | undefined;

  readonly #addresses: Addresses;

  /** @param responseUrl absolute URL of the response */
  constructor(responseUrl: string, addresses: Addresses) {
    this.#addresses = addresses;
    const url = URL.parse(responseUrl);
    this.#pathPrefix = url === null ? undefined : MOUNTED.exec(url.pathname)?.[1];
    this.#urlPrefix = url === null ? undefined : `${url.origin}${this.#pathPrefix ?? '/'}`;
  }

  /** True for `/api/v1/…`, also under the prefix that the service is mounted at. */
  isApiPath(text: string): boolean {
    return (
      text.charCodeAt(0) === 47 /* / */ &&
      ((text.startsWith(API_PATH) && isDigit(text.charCodeAt(API_PATH.length))) ||
        (this.#pathPrefix !== undefined && text.startsWith(this.#pathPrefix))) &&
      // a plain path is one word, and is looked at anyway when it becomes a link
      ((text.length <= LONGEST_ADDRESS && this.#addresses.isPlain(text)) || isOneWord(text))
    );
  }

  /**
   * Adds a link for a string that is a path of the API, a URL under it, or a URL of another origin, which can only be
   * opened in a browser. URLs elsewhere on the API's origin are no links: nothing says that they belong to the API.
   */
  read(node: Node, name: string, value: string, pointer: Pointer): void {
    const first = value.charCodeAt(0) | 32;
    if (first !== 47 /* / */ && first !== 104 /* h, H */) {
      return;
    }
    if (this.isApiPath(value) || this.#isForeignOrApiUrl(value)) {
      node.link('inferred', name, value, pointer);
    }
  }

  #isForeignOrApiUrl(text: string): boolean {
    if ((text.charCodeAt(0) | 32) !== 104 /* h */ || !/^https?:\/\/[^/]/i.test(text) || !isOneWord(text)) {
      return false;
    }
    const url = URL.parse(text);
    return (
      url !== null &&
      (this.#urlPrefix === undefined ||
        url.href.startsWith(this.#urlPrefix) ||
        !this.#urlPrefix.startsWith(`${url.origin}/`))
    );
  }
}

function isOneWord(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && !/[\s{}\\]/.test(text);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
