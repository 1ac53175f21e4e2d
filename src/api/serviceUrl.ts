import { sentence, type Sentence } from './errors/sentence.ts';
import { InvalidInputError } from './errors/buildServiceError.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';

/** The `{base_url}` of the contract, checked. */
export interface ServiceUrl {
  /** Normalised, without a trailing slash. */
  readonly href: string;
  readonly origin: string;
  /** Host and port, as people read it. */
  readonly host: string;
  /** Path that the service lives under, without a trailing slash; empty at the root. */
  readonly prefix: string;
}

const API_PATH = '/api/v1';
const EXAMPLE = 'https://build.example.com';
/** Exactly the three names for which the contract allows http; 127.0.0.2 or localhost.example are not among them. */
const PLAIN_HTTP_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/** True for a host that may be asked over plain HTTP, which nothing but this machine reads. */
export function mayUsePlainHttp({ hostname }: URL): boolean {
  return PLAIN_HTTP_HOSTS.includes(hostname);
}

/** True for this machine by any of its names: loopback addresses, `localhost` and the names below it (RFC 6761 §6.3). */
export function isLoopback({ hostname }: URL): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);
}

/**
 * Reads the address of a service as a person types it: as {@link parseServiceUrl}, and without a scheme too. Then it is https,
 * or http for this machine.
 *
 * @throws {@link InvalidInputError}
 */
export function parseTypedServiceUrl(text: string): ServiceUrl {
  const trimmed = text.trim();
  const withoutScheme = trimmed !== '' && !trimmed.includes('://') && !/^[/?#\\]/.test(trimmed);
  const onThisMachine = URL.parse(`http://${trimmed}`);
  const scheme = onThisMachine !== null && mayUsePlainHttp(onThisMachine) ? 'http' : 'https';
  return parseServiceUrl(withoutScheme ? `${scheme}://${trimmed}` : trimmed);
}

/**
 * Reads the address of a service.
 *
 * @param text https, or http for this machine only; a path prefix is allowed, and a pasted `/api/v1` is dropped.
 * @throws {@link InvalidInputError} that names what is wrong and shows an example. It does not repeat the text, which may hold
 * a password.
 */
export function parseServiceUrl(text: string): ServiceUrl {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS_LENGTH) {
    throw invalid(sentence('The address of the service is too long.'));
  }
  if (trimmed === '') {
    throw invalid(sentence('The address of the service is empty.'));
  }
  // The URL parser removes tabs and newlines and reads a backslash as a slash: the address would not be the one that is seen.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(trimmed)) {
    throw invalid(sentence('The address of the service contains spaces, backslashes or invisible characters.'));
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(trimmed)) {
    throw invalid(sentence('The address of the service is not a complete URL.'));
  }
  const url = new URL(trimmed);
  if (scheme !== 'https' && scheme !== 'http') {
    throw invalid(sentence('The address of the service must start with https://.'));
  }
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(trimmed)) {
    throw invalid(sentence('The address of the service must not contain a user name or a password.'));
  }
  if (trimmed.includes('?')) {
    throw invalid(sentence('The address of the service must not contain a query (the part after “?”).'));
  }
  if (trimmed.includes('#')) {
    throw invalid(sentence('The address of the service must not contain a fragment (the part after “#”).'));
  }
  if (scheme === 'http' && !mayUsePlainHttp(url)) {
    throw invalid(
      sentence(
        'The address of the service must start with https://; http:// is for this computer only (127.0.0.1, [::1], localhost).',
      ),
    );
  }
  let prefix = withoutTrailingSlashes(url.pathname);
  // Repeated, so that reading the stored address again gives the same address.
  while (prefix.endsWith(API_PATH)) {
    prefix = withoutTrailingSlashes(prefix.slice(0, -API_PATH.length));
  }
  return { href: url.origin + prefix, origin: url.origin, host: url.host, prefix };
}

/** The path without slashes at its end. Without the look-behind, slashes that are not at the end would take quadratic time. */
export function withoutTrailingSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}

function invalid(what: Sentence): InvalidInputError {
  return new InvalidInputError(what, sentence('Enter an address such as {0}.', EXAMPLE), 'connect');
}

/** Absolute URL of a path of the contract, below the service's path prefix. `path` starts with a slash. */
export function endpoint(service: ServiceUrl, path: `/${string}`): string {
  return service.href + path;
}

/**
 * Resolves a link found in a response.
 *
 * RFC 3986 §5 against the response's URL, with one exception: links of the contract are paths without a host
 * (`/api/v1/apps`) that know nothing of a path prefix the service is mounted under. So on the service's origin a link that
 * starts with `/api/v1`, and not with the prefix, is taken to be below the prefix.
 *
 * @param base absolute URL of the response that holds the link.
 * @returns the absolute URL, of any scheme; undefined when the link cannot be read.
 */
export function resolveLink(service: ServiceUrl, href: string, base: string): URL | undefined {
  const belowPrefix =
    service.prefix !== '' && isApiPath(href) && !hasPrefix(href, service) && URL.parse(base)?.origin === service.origin;
  return URL.parse(belowPrefix ? service.href + href : href, base) ?? undefined;
}

/** True for a path that has the service's prefix already. Below `/api`, `/api/v1/me` has not: it is the contract's own. */
export function hasPrefix(path: string, { prefix }: ServiceUrl): boolean {
  return path.startsWith(isApiPath(path) ? prefix + API_PATH : `${prefix}/`);
}

function isApiPath(path: string): boolean {
  return path.startsWith(API_PATH) && ['/', '?', '#', undefined].includes(path[API_PATH.length]);
}
