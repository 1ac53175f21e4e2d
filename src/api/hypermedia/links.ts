import { removeCredentials, withoutCredentialValues } from '../credentials.ts';
import { MAX_ADDRESS_LENGTH } from '../limits.ts';
import { sentence, type Sentence } from '../errors/sentence.ts';
import { REPLACEMENT } from '../redaction.ts';
import { label } from './label.ts';
import type { Link, LinkTarget } from './resource.ts';
import { isTemplate, literalsOf, templateVariables } from './templates.ts';
import { hasUserInfo, isHttp, resolveReference, type Resolve } from './url.ts';

/** A scheme, or what the URL parser takes for one (WHATWG URL §4.4 drops tabs, newlines and leading spaces). */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/** A reference that takes no path from its base. `https:x` takes one, where the base has the same scheme. */
const HAS_OWN_PATH = /^(?:[a-z][a-z0-9+.-]*:)?\//i;

const USER_INFO = sentence('The address contains a user name or a password.');
/**
 * Of an address in which a secret was hidden nothing is left that could be followed. Asterisks alone say nothing: a service
 * may have some of its own.
 */
const HIDDEN = sentence('The address contains one of your secrets.');

/** Turns references into targets, as seen from the response they came in. */
export class LinkResolver {
  /** Origin of the response: what "internal" means. Undefined when its URL is not http(s); then nothing is internal. */
  readonly origin: string | undefined;
  /** URL of the response, without credentials. */
  readonly base: string;
  readonly #resolve: Resolve;
  readonly #masked: Set<string>;

  /** @param masked texts of the response in which a secret was hidden. */
  constructor(responseUrl: string, resolve: Resolve = resolveReference, masked: ReadonlySet<string> = new Set()) {
    this.#masked = new Set(masked);
    const url = URL.parse(responseUrl);
    if (url !== null && isHttp(url)) {
      this.origin = url.origin;
      this.base = this.withMask(removeCredentials(url).href, responseUrl);
    } else {
      this.base = '';
    }
    this.#resolve = resolve;
  }

  /** Remembers that a secret was hidden in an address, where one was in a text that it is made of. @returns the address */
  withMask(address: string, ...sources: readonly string[]): string {
    if (sources.some((source) => this.#masked.has(source))) {
      this.#masked.add(address);
    }
    return address;
  }

  /** The target of a URI reference; a sentence says why there is none. Never throws. */
  target(href: string, base = this.base): LinkTarget | Sentence {
    if (href.length > MAX_ADDRESS_LENGTH) {
      return sentence('The address is longer than 8 KiB.');
    }
    if (href.includes('{')) {
      return this.#template(href, base);
    }
    if (href.includes('\\')) {
      return sentence('The address contains a backslash, which programs read differently.');
    }
    let url: URL | undefined;
    try {
      url = this.#resolve(href, base);
    } catch {
      url = undefined;
    }
    if (url === undefined) {
      return sentence('The address is not a valid URL.');
    }
    // the protocol comes first: the origin of blob:https://api/… is https://api
    if (!isHttp(url)) {
      return unsupported(url.protocol);
    }
    if (hasUserInfo(url)) {
      return USER_INFO;
    }
    const { origin } = url;
    const { href: address } = removeCredentials(url);
    return this.#isHidden(address, href) || (!HAS_OWN_PATH.test(href) && this.#isHidden(address, base))
      ? HIDDEN
      : { kind: origin === this.origin ? 'internal' : 'external', url: address };
  }

  #template(href: string, base: string): LinkTarget | Sentence {
    if (!isTemplate(href)) {
      return sentence('The address is not a valid URI template (RFC 6570).');
    }
    const scheme = SCHEME.exec(href.replace(/[\p{Cc} ]/gu, ''))?.[1]?.toLowerCase();
    if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
      return unsupported(`${scheme}:`);
    }
    const constant = URL.parse(literalsOf(href), base);
    if (constant !== null && hasUserInfo(constant)) {
      return USER_INFO;
    }
    const address = withoutCredentialValues(href);
    return this.#isHidden(address, href) ||
      (!HAS_OWN_PATH.test(href) && this.#isHidden(URL.parse(base)?.pathname ?? '', base))
      ? HIDDEN
      : { kind: 'template', template: address, base, variables: templateVariables(href) };
  }

  /** True when an address still shows that a secret was hidden in a text that it is made of. */
  #isHidden(address: string, source: string): boolean {
    return address.includes(REPLACEMENT) && this.#masked.has(source);
  }
}

function unsupported(protocol: string): Sentence {
  return sentence('Addresses that start with {0} are not supported, only http: and https:.', protocol);
}

/** The address of a target: its URL or its template. */
export function addressOfTarget(target: LinkTarget): string {
  return target.kind === 'template' ? target.template : target.url;
}

/** The members of a link besides its address, before anything is checked. */
export type LinkDetails = Readonly<Partial<Record<'title' | 'name' | 'type' | 'method' | 'deprecated', unknown>>>;

/** The details of a link that are of the right type; the others are left out. */
export function checkedDetails({ title, name, type, method, deprecated }: LinkDetails): Partial<Link> {
  return {
    ...(typeof title === 'string' && label(title) !== '' && { title: label(title) }),
    ...(typeof name === 'string' && { name }),
    ...(typeof type === 'string' && { type }),
    ...(isMethod(method) && { method: method.toUpperCase() }),
    ...(deprecated !== undefined && deprecated !== null && deprecated !== false && { deprecated: true }),
  };
}

/** True for the name of an HTTP method. */
export function isMethod(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]{1,20}$/i.test(value);
}
