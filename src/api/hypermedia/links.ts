import { Addresses } from './addresses.ts';
import type { LinkTarget } from './resource.ts';
import { blankSecrets, isTemplate, templateVariables } from './templates.ts';
import { hasUserInfo, isHttp, resolveReference, withoutCredentials } from './url.ts';
import type { Resolve } from './url.ts';

/** A scheme, or what the URL parser takes for one (WHATWG URL §4.4 drops tabs, newlines and leading spaces). */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** Turns references into targets, as seen from the response they came in. */
export class LinkResolver {
  /** Origin of the response: what "internal" means. Undefined when its URL is not http(s); then nothing is internal. */
  readonly origin: string | undefined;
  /** URL of the response, without user name, password and credentials in the query. */
  readonly base: string;
  readonly addresses: Addresses;
  /** Hash of the target that was asked for last, where it came with it; undefined otherwise. */
  hash: number | undefined;
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
    this.addresses = new Addresses(this.origin);
    this.#resolve = resolve ?? resolveReference;
    this.#fast = resolve === undefined;
  }

  /** True when the target of a reference is internal, and its URL the origin with the reference behind it. */
  isPlain(href: string, base: string): boolean {
    const isPlain = this.#fast && base === this.base && this.origin !== undefined && this.addresses.isPlain(href);
    this.hash = isPlain ? this.addresses.plainHash : undefined;
    return isPlain;
  }

  /** The target of a URI reference; a string says why there is none. Never throws. */
  target(href: string, base = this.base): LinkTarget | string {
    if (this.isPlain(href, base)) {
      return { kind: 'internal', url: `${this.origin}${href}` };
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

function unsupported(protocol: string): string {
  return `Addresses that start with ${protocol} are not supported, only http: and https:.`;
}
