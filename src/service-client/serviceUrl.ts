import { InvalidInputError, sentence, type Sentence } from '../errors/index.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';

/** The validated `{base_url}` of the contract. */
export interface ServiceUrl {
  /** Normalized URL without a trailing slash. */
  readonly href: string;
  readonly origin: string;
  /** Host and port, for display. */
  readonly host: string;
  /** Path prefix of the service, without a trailing slash. Empty at the root. */
  readonly prefix: string;
}

const API_PATH = '/api/v1';
const EXAMPLE = 'https://build.example.com';
/**
 * The only hosts that the contract allows over http. Others, such as 127.0.0.2 and localhost.example, require https.
 */
const PLAIN_HTTP_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

/** Reports whether a host may be requested over plain HTTP, because the traffic doesn't leave this computer. */
export function mayUsePlainHttp({ hostname }: URL): boolean {
  return PLAIN_HTTP_HOSTS.includes(hostname);
}

/**
 * Reports whether a host is this computer under any of its names: a loopback address, `localhost`, or a subdomain of it
 * (RFC 6761 §6.3).
 */
export function isLoopback({ hostname }: URL): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);
}

/**
 * Parses a service address that the user typed. Like {@link parseServiceUrl}, but the scheme is optional. It defaults
 * to https, or to http for this computer.
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
 * Parses the address of a service.
 *
 * @param text https URL, or http URL for this computer only. It may contain a path prefix. A trailing `/api/v1` is
 * removed.
 * @throws {@link InvalidInputError} with a description of the problem and an example. The error doesn't contain the
 * text, which may include a password.
 */
export function parseServiceUrl(text: string): ServiceUrl {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS_LENGTH) {
    throw invalid(sentence('The service address is too long.'));
  }
  if (trimmed === '') {
    throw invalid(sentence('The service address is empty.'));
  }
  // The URL parser removes tabs and newlines and reads a backslash as a slash. The resulting address would differ from
  // the visible text.
  if (/[\s\\\p{Cc}\p{Cf}]/u.test(trimmed)) {
    throw invalid(sentence('The service address contains spaces, backslashes, or invisible characters.'));
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(trimmed)) {
    throw invalid(sentence('The service address isn’t a complete URL.'));
  }
  const url = new URL(trimmed);
  if (scheme !== 'https' && scheme !== 'http') {
    throw invalid(sentence('The service address must start with https://.'));
  }
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(trimmed)) {
    throw invalid(sentence('The service address can’t contain a user name or password.'));
  }
  if (trimmed.includes('?')) {
    throw invalid(sentence('The service address can’t contain a query (the part after “?”).'));
  }
  if (trimmed.includes('#')) {
    throw invalid(sentence('The service address can’t contain a fragment (the part after “#”).'));
  }
  if (scheme === 'http' && !mayUsePlainHttp(url)) {
    throw invalid(
      sentence(
        'The service address must start with https://. Use http:// only for this computer (127.0.0.1, [::1], localhost).',
      ),
    );
  }
  let prefix = withoutTrailingSlashes(url.pathname);
  // Remove every trailing `/api/v1`, so that parsing the result again doesn't change it.
  while (prefix.endsWith(API_PATH)) {
    prefix = withoutTrailingSlashes(prefix.slice(0, -API_PATH.length));
  }
  return { href: url.origin + prefix, origin: url.origin, host: url.host, prefix };
}

/**
 * Removes trailing slashes from a path. Without the lookbehind, slashes in other positions would take quadratic time.
 */
export function withoutTrailingSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}

function invalid(what: Sentence): InvalidInputError {
  return new InvalidInputError(what, sentence('Enter an address such as {0}.', EXAMPLE), 'connect');
}

/**
 * Returns the absolute URL of a contract path, including the service's path prefix.
 *
 * @param path starts with a slash.
 */
export function endpoint(service: ServiceUrl, path: `/${string}`): string {
  return service.href + path;
}

/**
 * Resolves a link found in a response.
 *
 * Follows RFC 3986 §5, with one exception. The contract's links are paths without a host and without the service's path
 * prefix, such as `/api/v1/apps`. Therefore, a link on the service's origin that starts with `/api/v1` gets the prefix
 * unless it already has it.
 *
 * @param base absolute URL of the response that contains the link.
 * @returns the absolute URL, which can have any scheme, or undefined if the link is invalid.
 */
export function resolveLink(service: ServiceUrl, href: string, base: string): URL | undefined {
  const belowPrefix =
    service.prefix !== '' && isApiPath(href) && !hasPrefix(href, service) && URL.parse(base)?.origin === service.origin;
  return URL.parse(belowPrefix ? service.href + href : href, base) ?? undefined;
}

/**
 * Reports whether a path already has the service's prefix. The contract's path `/api/v1/me` doesn't have the prefix
 * `/api`.
 */
export function hasPrefix(path: string, { prefix }: ServiceUrl): boolean {
  return path.startsWith(isApiPath(path) ? prefix + API_PATH : `${prefix}/`);
}

function isApiPath(path: string): boolean {
  return path.startsWith(API_PATH) && ['/', '?', '#', undefined].includes(path[API_PATH.length]);
}
