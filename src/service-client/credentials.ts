import { unescape } from 'node:querystring';

import { InvalidInputError, sentence } from '../errors/index.ts';
import { isHttp } from './hypermedia/url.ts';
import { MAX_ADDRESS_LENGTH } from './limits.ts';
import { hasPrefix, type ServiceUrl } from './serviceUrl.ts';

/** Credentials that authenticate a request to the service (contract, Authentication). */
export type Credentials =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'authToken'; readonly authToken: string }
  | { readonly type: 'accessToken'; readonly accessToken: string };

/** The parts of a request that carry credentials. Header names are lowercase. */
interface AuthorizableRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * Attaches credentials to a request. This is the only place that does so. Only http(s) URLs on exactly the service's
 * origin get credentials. Credentials that are already in the request's URL or headers are always removed.
 *
 * @param credentials undefined for an anonymous request.
 * @returns a copy of the request.
 * @throws {@link InvalidInputError} when the URL isn't absolute, or when RFC 7617 doesn't allow the user name.
 */
export function authorize<R extends AuthorizableRequest>(
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

/** Reports whether an http(s) URL is on the service's origin. */
export function belongsTo(url: string, service: ServiceUrl): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isOnOrigin(parsed, service);
}

function isOnOrigin(url: URL, service: ServiceUrl): boolean {
  return isHttp(url) && url.origin === service.origin;
}

/**
 * Returns the URL without user info and without `auth_token` and `access_token` parameters. The rest of the query stays
 * unchanged, because a signed URL would break otherwise.
 *
 * @throws {@link InvalidInputError} when `url` isn't absolute.
 */
export function withoutCredentials(url: string): string {
  return removeCredentials(parseAbsolute(url)).href;
}

function parseAbsolute(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null) {
    throw new InvalidInputError(sentence('The link isn’t a complete URL.'));
  }
  return parsed;
}

/** Appends encoded parameters to the query of an absolute URL. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters).reduce(
    (href, [name, value]) => withParameter(href, name, value),
    new URL(url).href,
  );
}

/**
 * Appends one parameter, before a fragment. `URL.searchParams` would re-encode the rest of the query and break a signed
 * URL.
 */
function withParameter(href: string, name: string, value: string): string {
  const fragment = href.indexOf('#');
  const before = fragment < 0 ? href : href.slice(0, fragment);
  const separator = !before.includes('?') ? '?' : before.endsWith('?') ? '' : '&';
  return `${before}${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}${href.slice(before.length)}`;
}

/** Returns the credential values that must never be shown. */
export function getSecrets(credentials: Credentials): readonly string[] {
  switch (credentials.type) {
    case 'basic':
      return [credentials.password, basicAuthorization(credentials).slice('Basic '.length)];
    case 'authToken':
      return [credentials.authToken];
    case 'accessToken':
      return [credentials.accessToken];
  }
}

/** Returns the value of an Authorization header (RFC 7617), in UTF-8 as §2.1 recommends. */
function basicAuthorization({ username, password }: { readonly username: string; readonly password: string }): string {
  if (username.includes(':')) {
    throw new InvalidInputError(sentence('The user name can’t contain a colon.'));
  }
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** Parameters that carry credentials (contract, Authentication). Addresses are stored and shown without them. */
const CREDENTIAL_PARAMETERS: readonly string[] = ['access_token', 'auth_token'];

/**
 * Matches `name=value` in the query or the fragment of a URI template, after a separator, or after an expression that
 * may expand to one. The value may contain expressions.
 */
const PARAMETER = /([?#&;}])([^?#&;={}]*)=([^&;#{]*(?:\{(?![?#&;])[^{}]*\}[^&;#{]*)*)/g;

/**
 * Matches `;name=value` in a path segment (RFC 3986 §3.3), and `&name=value` without a question mark before it. The
 * value of the former may contain `&`.
 */
const PATH_PARAMETERS = [/;([^;/=]*)(?:=[^;/]*)?/g, /&([^&;/=]*)(?:=[^&;/]*)?/g];

/** Like {@link PATH_PARAMETERS}, but for the path of a URI template. Also matches parameters after an expression. */
const TEMPLATE_PATH_PARAMETERS = [
  /([;}])([^;/={}]*)=([^;/{]*(?:\{(?![?#&;])[^{}]*\}[^;/{]*)*)/g,
  /(&)([^&;/={}]*)=([^&;/{]*(?:\{(?![?#&;])[^{}]*\}[^&;/{]*)*)/g,
];

/**
 * Removes user info, and credentials in the path, query, and fragment. Parameter names match in any case and encoding,
 * and with either separator (`&` or `;`). The rest stays unchanged because a query may be signed.
 *
 * @returns the given URL, modified.
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

/**
 * Removes the values of credentials from a URI template. Keeps the parameter names and all expressions, because the
 * rest of the template depends on them.
 */
export function withoutCredentialValues(template: string): string {
  const withoutValue = (parameter: string, separator: string, name: string, value: string): string =>
    isCredential(name) ? `${separator}${name}=${(value.match(/\{[^{}]*\}/g) ?? []).join('')}` : parameter;
  const [path = ''] = template.split(/[?#]/, 1);
  const rest = template.slice(path.length);
  const shownPath = TEMPLATE_PATH_PARAMETERS.reduce((shown, pattern) => shown.replace(pattern, withoutValue), path);
  return shownPath + rest.replace(PARAMETER, withoutValue);
}

/**
 * Removes credentials from a query or a fragment.
 *
 * @param part query or fragment, including its first character (`?` or `#`); may be empty.
 */
function withoutCredentialPairs(part: string): string {
  if (part === '') {
    return part;
  }
  // Pairs alternate with separators.
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

/** Reports whether a parameter carries credentials. @param name as written in a query. */
function isCredential(name: string): boolean {
  return CREDENTIAL_PARAMETERS.includes(unescape(name.replaceAll('+', ' ')).trim().toLowerCase());
}

/**
 * Returns the absolute URL, without credentials, of a link or path that the user entered.
 *
 * @throws {@link InvalidInputError} when the text is neither a link nor a path, or when the URL isn't http(s).
 */
export function absoluteUrl(link: string, service: ServiceUrl): URL {
  const path = hasPrefix(link, service) ? link.slice(service.prefix.length) : link;
  const absolute = /^\/(?!\/)/.test(link) ? service.href + path : link;
  const url = link.length > MAX_ADDRESS_LENGTH ? null : URL.parse(absolute);
  if (url === null || !isHttp(url)) {
    throw new InvalidInputError(
      sentence('The link can’t be requested.'),
      sentence('Enter a path such as {0}, or a complete link that starts with https://.', '/api/v1/apps'),
    );
  }
  return removeCredentials(url);
}
