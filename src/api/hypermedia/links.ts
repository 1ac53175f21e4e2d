import type { LinkTarget } from './resource.ts';
import { blankSecrets, isTemplate, templateVariables } from './templates.ts';
import { hasUserInfo, isHttp, resolveReference, withoutCredentials } from './url.ts';
import type { Resolve } from './url.ts';

const SLASH = 47;
const DOT = 46;

/** Characters that the URL parser leaves as they are in a path, by code. */
const PLAIN = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~!$&()*+,;=:@/.-') {
  PLAIN[character.charCodeAt(0)] = 1;
}

const PLAIN_QUERY = /^\?[\w~!$&()*+,;=:@/.?-]*$/;

/** A scheme, or what the URL parser takes for one (WHATWG URL §4.4 drops tabs, newlines and leading spaces). */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** Turns references into targets, as seen from the response they came in. */
export class LinkResolver {
  /** Origin of the response: what "internal" means. Undefined when its URL is not http(s); then nothing is internal. */
  readonly origin: string | undefined;
  /** URL of the response, without user name, password and credentials in the query. */
  readonly base: string;
  readonly #resolve: Resolve;
  readonly #fast: boolean;

  constructor(responseUrl: string, resolve?: Resolve) {
    const url = URL.parse(responseUrl);
    if (url !== null && isHttp(url)) {
      url.username = '';
      url.password = '';
      this.origin = url.origin;
      this.base = withoutCredentials(url);
    } else {
      this.base = '';
    }
    this.#resolve = resolve ?? resolveReference;
    this.#fast = resolve === undefined;
  }

  /** The target of a URI reference; a string says why there is none. Never throws. */
  target(href: string, base = this.base): LinkTarget | string {
    if (this.#fast && base === this.base && this.origin !== undefined && isPlainPath(href)) {
      return { kind: 'internal', url: this.origin + href };
    }
    if (href.includes('{')) {
      return this.#template(href, base);
    }
    if (href.includes('\\')) {
      return 'The address contains a backslash, which programs read differently.';
    }
    let url: URL | undefined;
    try {
      url = this.#resolve(href, base);
    } catch {
      url = undefined;
    }
    if (url === undefined) {
      return 'The address is not a valid URL.';
    }
    return this.#classify(url);
  }

  #classify(url: URL): LinkTarget | string {
    // the protocol comes first: the origin of blob:https://api/… is https://api
    if (!isHttp(url)) {
      return unsupported(url.protocol);
    }
    if (hasUserInfo(url)) {
      return 'The address contains a user name or a password.';
    }
    return { kind: url.origin === this.origin ? 'internal' : 'external', url: withoutCredentials(url) };
  }

  #template(href: string, base: string): LinkTarget | string {
    if (!isTemplate(href)) {
      return 'The address is not a valid URI template (RFC 6570).';
    }
    const scheme = SCHEME.exec(href.replace(/[\p{Cc} ]/gu, ''))?.[1]?.toLowerCase();
    if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
      return unsupported(`${scheme}:`);
    }
    return { kind: 'template', template: blankSecrets(href), base, variables: templateVariables(href) };
  }
}

/**
 * True when joining origin and path gives what the URL parser would give: no second slash that would start a host, no
 * segment that starts with a dot, nothing to encode, no credentials. `new URL` costs more than parsing the JSON around a
 * link, so that the common case goes without; a loop is twice as fast as a regular expression.
 */
export function isPlainPath(href: string): boolean {
  let previous = 0;
  for (let index = 0; index < href.length; index += 1) {
    const code = href.charCodeAt(index);
    if (code === SLASH ? index === 1 : index === 0) {
      return false;
    }
    if (PLAIN[code] !== 1) {
      const query = href.slice(index);
      return PLAIN_QUERY.test(query) && !query.includes('token');
    }
    if (code === DOT && previous === SLASH) {
      return false;
    }
    previous = code;
  }
  return previous !== 0;
}

function unsupported(protocol: string): string {
  return `Addresses that start with ${protocol} are not supported, only http: and https:.`;
}
