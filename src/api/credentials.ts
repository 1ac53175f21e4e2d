import { unescape } from 'node:querystring';

import { InvalidInputError } from './errors/buildServiceError.ts';
import { sentence } from './errors/sentence.ts';
import { isHttp } from './hypermedia/url.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';
import { hasPrefix, type ServiceUrl } from './serviceUrl.ts';

/** How a request proves to the service who sends it (contract, Authentication). */
export type Credentials =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'authToken'; readonly authToken: string }
  | { readonly type: 'accessToken'; readonly accessToken: string };

/** The part of a request that credentials are attached to. Header names are lower case. */
interface Authorizable {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * The one place that attaches credentials. They go to http(s) URLs whose origin is exactly the service's, and nowhere else.
 * Credentials that the request already had, in its URL or headers, are removed for every target.
 *
 * @param credentials undefined for a request that is meant to be anonymous.
 * @returns a copy of the request.
 * @throws {@link InvalidInputError} when its URL is not absolute, or for a user name that RFC 7617 cannot carry.
 */
export function authorize<R extends Authorizable>(
  request: R,
  credentials: Credentials | undefined,
  service: ServiceUrl,
): R {
  const target = removeCredentials(parseAbsolute(request.url));
  const url = target.href;
  const headers = withoutCredentialHeaders(request.headers);
  if (credentials === undefined || !isOnOrigin(target, service)) {
    return { ...request, url, headers };
  }
  switch (credentials.type) {
    case 'basic':
      return { ...request, url, headers: { ...headers, authorization: basicAuthorization(credentials) } };
    case 'authToken':
      return { ...request, url: withParameter(url, 'auth_token', credentials.authToken), headers };
    case 'accessToken':
      return { ...request, url: withParameter(url, 'access_token', credentials.accessToken), headers };
  }
}

function withoutCredentialHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !CREDENTIAL_HEADERS.includes(name.toLowerCase())),
  );
}

/** True for an http(s) URL on the service's origin. */
export function belongsTo(url: string, service: ServiceUrl): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isOnOrigin(parsed, service);
}

function isOnOrigin(url: URL, service: ServiceUrl): boolean {
  return isHttp(url) && url.origin === service.origin;
}

/**
 * The URL without `auth_token` and `access_token` parameters and without user info. The rest of the query stays as it was
 * written, because a signed URL would break otherwise.
 *
 * @throws {@link InvalidInputError} when `url` is not absolute.
 */
export function withoutCredentials(url: string): string {
  return removeCredentials(parseAbsolute(url)).href;
}

function parseAbsolute(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null) {
    throw new InvalidInputError(sentence('The link is not a complete URL.'));
  }
  return parsed;
}

/** Appends parameters to the query of an absolute URL, encoded. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters).reduce(
    (href, [name, value]) => withParameter(href, name, value),
    new URL(url).href,
  );
}

/** Appends one parameter, before a fragment. A URL's searchParams would write the rest of the query anew, and break a signed one. */
function withParameter(href: string, name: string, value: string): string {
  const fragment = href.indexOf('#');
  const before = fragment < 0 ? href : href.slice(0, fragment);
  const separator = !before.includes('?') ? '?' : before.endsWith('?') ? '' : '&';
  return `${before}${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}${href.slice(before.length)}`;
}

/** The values of the credentials that must never be shown. */
export function secretsOf(credentials: Credentials): readonly string[] {
  switch (credentials.type) {
    case 'basic':
      return [credentials.password, basicAuthorization(credentials).slice('Basic '.length)];
    case 'authToken':
      return [credentials.authToken];
    case 'accessToken':
      return [credentials.accessToken];
  }
}

/** Value of an Authorization header: RFC 7617, with the UTF-8 that its §2.1 recommends. */
function basicAuthorization({ username, password }: { readonly username: string; readonly password: string }): string {
  if (username.includes(':')) {
    throw new InvalidInputError(sentence('The user name must not contain a colon.'));
  }
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** Parameters that carry credentials (contract, Authentication): never part of an address that is kept or shown. */
const CREDENTIAL_PARAMETERS: readonly string[] = ['access_token', 'auth_token'];

/**
 * `name=value` in the query or the fragment of a URI template, after its separator or an expression, which may stand for one. The
 * value may hold expressions.
 */
const PARAMETER = /([?#&;}])([^?#&;={}]*)=([^&;#{]*(?:\{(?![?#&;])[^{}]*\}[^&;#{]*)*)/g;

/**
 * `;name=value` in a segment of a path (RFC 3986 §3.3), whose value may hold `&`; then `&name=value`, as of a query that lacks its
 * question mark.
 */
const PATH_PARAMETERS = [/;([^;/=]*)(?:=[^;/]*)?/g, /&([^&;/=]*)(?:=[^&;/]*)?/g];

/** The same before the query of a URI template, also after an expression. */
const TEMPLATE_PATH_PARAMETERS = [
  /([;}])([^;/={}]*)=([^;/{]*(?:\{(?![?#&;])[^{}]*\}[^;/{]*)*)/g,
  /(&)([^&;/={}]*)=([^&;/{]*(?:\{(?![?#&;])[^{}]*\}[^&;/{]*)*)/g,
];

/**
 * Removes user info, and credentials in path, query and fragment, whatever the case and encoding of their names and whether `&` or
 * `;` separates them. The rest stays as it was: a query may be signed.
 *
 * @returns the given URL.
 */
export function removeCredentials(url: URL): URL {
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  const path = PATH_PARAMETERS.reduce(
    (rest, pattern) => rest.replace(pattern, (parameter, name: string) => (isCredential(name) ? '' : parameter)),
    url.pathname,
  );
  if (path !== url.pathname) {
    url.pathname = path;
  }
  const search = withoutCredentialPairs(url.search);
  if (search !== url.search) {
    url.search = search;
  }
  const hash = withoutCredentialPairs(url.hash);
  if (hash !== url.hash) {
    url.hash = hash;
  }
  return url;
}

/** A URI template without the values of credentials. Their names and all expressions stay: what follows builds on them. */
export function withoutCredentialValues(template: string): string {
  const withoutValue = (parameter: string, separator: string, name: string, value: string): string =>
    isCredential(name) ? `${separator}${name}=${(value.match(/\{[^{}]*\}/g) ?? []).join('')}` : parameter;
  const [path = ''] = template.split(/[?#]/, 1);
  const rest = template.slice(path.length);
  const shownPath = TEMPLATE_PATH_PARAMETERS.reduce((shown, pattern) => shown.replace(pattern, withoutValue), path);
  return shownPath + rest.replace(PARAMETER, withoutValue);
}

/** @param part a query or a fragment, with the character that begins it; or empty. */
function withoutCredentialPairs(part: string): string {
  if (part === '') {
    return part;
  }
  // Pairs and, between them, their separators.
  const pieces = part.slice(1).split(/([&;])/);
  let rest = '';
  for (let index = 0; index < pieces.length; index += 2) {
    const pair = pieces[index] ?? '';
    if (!isCredential(pair.split('=', 1)[0] ?? '')) {
      rest += (rest === '' ? part.charAt(0) : (pieces[index - 1] ?? '&')) + pair;
    }
  }
  return rest.length === part.length ? part : rest;
}

/** @param name as written in a query. */
function isCredential(name: string): boolean {
  return CREDENTIAL_PARAMETERS.includes(unescape(name.replaceAll('+', ' ')).trim().toLowerCase());
}

/**
 * The absolute URL of a link or path as the user writes it, without credentials.
 *
 * @throws {@link InvalidInputError} when it is neither, or not http(s).
 */
export function absoluteUrl(link: string, service: ServiceUrl): URL {
  const path = hasPrefix(link, service) ? link.slice(service.prefix.length) : link;
  const absolute = /^\/(?!\/)/.test(link) ? service.href + path : link;
  const url = link.length > MAX_ADDRESS_LENGTH ? null : URL.parse(absolute);
  if (url === null || !isHttp(url)) {
    throw new InvalidInputError(
      sentence('The link cannot be requested.'),
      sentence('Enter a path such as {0}, or a complete link that starts with https://.', '/api/v1/apps'),
    );
  }
  return removeCredentials(url);
}
