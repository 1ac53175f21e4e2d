import type { ResourceBuilder } from '../resourceBuilder.ts';

/** Longer strings are texts, whatever they start with. */
const MAX_ADDRESS_LENGTH = 4096;

/** The service's own paths (contract, "API v1"), of this and of other versions. */
const API_PATH = /^\/api\/v\d/;

const PATH = /^\/[^/]/;

const URL_WITH_HOST = /^https?:\/\/[^/]/i;

/** Everything up to the API's version: the path prefix under which the service is mounted. */
const MOUNTED = /^(.*?\/api\/v)\d+(?=\/|$)/;

/** Recognises addresses in members whose names say nothing. A guess: such links are never followed by themselves. */
export class LinkInference {
  /** Origin and, where the response came from under one, the path up to the API's version. */
  readonly #urlPrefix: string | undefined;
  readonly #pathPrefix: string | undefined;

  /** @param responseUrl absolute URL of the response */
  constructor(responseUrl: string) {
    const url = URL.parse(responseUrl);
    this.#pathPrefix = url === null ? undefined : MOUNTED.exec(url.pathname)?.[1];
    this.#urlPrefix = url === null ? undefined : `${url.origin}${this.#pathPrefix ?? '/'}`;
  }

  /** True for `/api/v1/…`, also under the prefix that the service is mounted at. */
  isApiPath(text: string): boolean {
    return (
      (API_PATH.test(text) || (this.#pathPrefix !== undefined && text.startsWith(this.#pathPrefix))) && isOneWord(text)
    );
  }

  /**
   * Adds a link for a string that is a path of the API, a URL under it, or a URL of another origin, which can only be
   * opened in a browser; in JSON-LD, whose values are often references, for any path. URLs elsewhere on the API's origin
   * are no links: nothing says that they belong to the API.
   *
   * @returns true when the value is shown as a link
   */
  read(builder: ResourceBuilder, name: string, value: unknown, pointer: string): boolean {
    if (typeof value !== 'string') {
      return false;
    }
    if (this.isApiPath(value) || (builder.format === 'hydra' && PATH.test(value) && isOneWord(value))) {
      return builder.inferLink(name, value, pointer);
    }
    return URL_WITH_HOST.test(value) && isOneWord(value) && builder.inferLink(name, value, pointer, this.#urlPrefix);
  }
}

function isOneWord(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && !/[\s{}\\]/.test(text);
}
