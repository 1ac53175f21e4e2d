import { removeCredentials, withoutCredentialValues } from '../credentials.ts';
import { MAX_ADDRESS_LENGTH } from '../limits.ts';
import { sentence, type Sentence } from '../../errors/index.ts';
import { REPLACEMENT } from '../redaction.ts';
import { label } from './label.ts';
import type { Link, LinkTarget } from './resource.ts';
import { isTemplate, getLiterals, templateVariables } from './templates.ts';
import { hasUserInfo, isHttp, resolveReference, type ResolveUrl } from './url.ts';

/**
 * Matches a scheme, including schemes with tabs, newlines, and leading spaces, which the URL parser removes (WHATWG URL
 * §4.4).
 */
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;

/**
 * Matches a reference that doesn't use the path of its base. For example, `https:x` uses it if the base has the same
 * scheme.
 */
const HAS_OWN_PATH = /^(?:[a-z][a-z0-9+.-]*:)?\//i;

const USER_INFO = sentence('The address contains a user name or password.');
/**
 * Reason for skipping an address that can't be followed because a secret in it was replaced. Asterisks alone aren't a
 * reliable sign, because a service's own addresses may contain them.
 */
const HIDDEN = sentence('The address contains one of your secrets.');

/** Converts the references in a response to link targets. */
export class LinkResolver {
  /**
   * Origin of the response. Links to it are internal. Undefined if the response's URL isn't http(s), so that no link is
   * internal.
   */
  readonly origin: string | undefined;
  /** URL of the response, without credentials. */
  readonly base: string;
  readonly #resolve: ResolveUrl;
  readonly #masked: Set<string>;

  /** @param masked strings of the response in which a secret was replaced. */
  constructor(responseUrl: string, resolve: ResolveUrl = resolveReference, masked: ReadonlySet<string> = new Set()) {
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

  /** Marks an address as masked if any of its source strings is masked. @returns the address. */
  withMask(address: string, ...sources: readonly string[]): string {
    if (sources.some((source) => this.#masked.has(source))) {
      this.#masked.add(address);
    }
    return address;
  }

  /** Resolves a URI reference. Returns its target, or the reason why it doesn't have one. Never throws. */
  target(href: string, base = this.base): LinkTarget | Sentence {
    if (href.length > MAX_ADDRESS_LENGTH) {
      return sentence('The address is longer than 8 KiB.');
    }
    if (href.includes('{')) {
      return this.#template(href, base);
    }
    if (href.includes('\\')) {
      return sentence('The address contains a backslash, which programs interpret differently.');
    }
    let url: URL | undefined;
    try {
      url = this.#resolve(href, base);
    } catch {
      url = undefined;
    }
    if (url === undefined) {
      return sentence('The address isn’t a valid URL.');
    }
    // Check the protocol before the origin: the origin of `blob:https://api/…` is `https://api`.
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
      return sentence('The address isn’t a valid URI template (RFC 6570).');
    }
    const scheme = SCHEME.exec(href.replace(/[\p{Cc} ]/gu, ''))?.[1]?.toLowerCase();
    if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') {
      return unsupported(`${scheme}:`);
    }
    const constant = URL.parse(getLiterals(href), base);
    if (constant !== null && hasUserInfo(constant)) {
      return USER_INFO;
    }
    const address = withoutCredentialValues(href);
    return this.#isHidden(address, href) ||
      (!HAS_OWN_PATH.test(href) && this.#isHidden(URL.parse(base)?.pathname ?? '', base))
      ? HIDDEN
      : { kind: 'template', template: address, base, variables: templateVariables(href) };
  }

  /** Reports whether an address contains the replacement of a secret in its source text. */
  #isHidden(address: string, source: string): boolean {
    return address.includes(REPLACEMENT) && this.#masked.has(source);
  }
}

function unsupported(protocol: string): Sentence {
  return sentence('Addresses that start with {0} aren’t supported. Use http: or https:.', protocol);
}

/** Returns the address of a target: its URL or its template. */
export function getTargetAddress(target: LinkTarget): string {
  return target.kind === 'template' ? target.template : target.url;
}

/** Unvalidated members of a link, other than its address. */
export type LinkDetails = Readonly<Partial<Record<'title' | 'name' | 'type' | 'method' | 'deprecated', unknown>>>;

/** Returns the details of a link that have the correct type. */
export function checkedDetails({ title, name, type, method, deprecated }: LinkDetails): Partial<Link> {
  return {
    ...(typeof title === 'string' && label(title) !== '' && { title: label(title) }),
    ...(typeof name === 'string' && { name }),
    ...(typeof type === 'string' && { type }),
    ...(isMethod(method) && { method: method.toUpperCase() }),
    ...(deprecated !== undefined && deprecated !== null && deprecated !== false && { deprecated: true }),
  };
}

/** Reports whether a value is the name of an HTTP method. */
export function isMethod(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]{1,20}$/i.test(value);
}
