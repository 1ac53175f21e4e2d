import { sentence } from './errors/buildServiceError.ts';
import { InvalidInputError } from './errors/invalidInputError.ts';
import type { ServiceUrl } from './serviceUrl.ts';

/** What proves to the service who calls (contract, Authentication). */
export type Credentials =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'authToken'; readonly authToken: string }
  | { readonly type: 'accessToken'; readonly accessToken: string };

/** The part of a request that credentials are attached to. Header names are lower case. */
export interface Authorizable {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const credentialParameters: readonly string[] = ['auth_token', 'access_token'];
const credentialHeaders: readonly string[] = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * The one place that attaches credentials. They go to http(s) URLs whose origin is exactly the service's, and nowhere else.
 * Whatever credentials the request already had, in its query or headers, are taken out for every target.
 *
 * @param credentials undefined for a request that is meant to be anonymous.
 * @returns a request of its own; the given one is unchanged.
 */
export function authorize<R extends Authorizable>(
  request: R,
  credentials: Credentials | undefined,
  service: ServiceUrl,
): R {
  const plain = isPlain(request.url, service);
  const url = plain ? request.url : withoutCredentials(request.url);
  const headers = Object.keys(request.headers).some(isCredential)
    ? Object.fromEntries(Object.entries(request.headers).filter(([name]) => !isCredential(name)))
    : request.headers;
  if (credentials === undefined || !(plain || belongsTo(url, service))) {
    return { ...request, url, headers };
  }
  switch (credentials.type) {
    case 'basic':
      return { ...request, url, headers: { ...headers, authorization: basicAuthorization(credentials) } };
    case 'authToken':
      return { ...request, url: extended(url, 'auth_token', credentials.authToken), headers };
    case 'accessToken':
      return { ...request, url: extended(url, 'access_token', credentials.accessToken), headers };
  }
}

function isCredential(header: string): boolean {
  return credentialHeaders.includes(header.toLowerCase());
}

/** A path that the URL parser leaves as it is: nothing to encode, no dots, no query. */
const plainPath = /^\/[\w~/-]*$/;

/**
 * True for a URL on the service's origin that is written as the URL parser would write it, and holds no credentials. Most
 * are like that; to parse them costs more than all the other preparations of a request.
 */
export function isPlain(url: string, { origin }: ServiceUrl): boolean {
  return url.startsWith(origin) && plainPath.test(url.slice(origin.length));
}

/** True for an http(s) URL on the service's origin. */
export function belongsTo(url: string, service: ServiceUrl): boolean {
  const known = URL.parse(url);
  // The scheme comes first: `blob:https://host/…` has the origin of the host.
  return (known?.protocol === 'https:' || known?.protocol === 'http:') && known.origin === service.origin;
}

/**
 * The URL without `auth_token` and `access_token` parameters and without user info. The rest of the query stays as it was
 * written, because a signed URL would break otherwise.
 *
 * @throws {@link InvalidInputError} when `url` is not absolute.
 */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) {
    throw new InvalidInputError(sentence('The link is not a complete URL.'));
  }
  if (parsed.username !== '' || parsed.password !== '') {
    parsed.username = '';
    parsed.password = '';
  }
  if (parsed.search !== '') {
    const pairs = parsed.search.slice(1).split('&');
    const kept = pairs.filter(
      (pair) =>
        ![...new URLSearchParams(pair).keys()].some((name) => credentialParameters.includes(name.toLowerCase())),
    );
    if (kept.length < pairs.length) {
      parsed.search = kept.join('&');
    }
  }
  return parsed.href;
}

/** Appends parameters to the query of an absolute URL, encoded. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters).reduce((href, [name, value]) => extended(href, name, value), new URL(url).href);
}

/** Put in by hand: a URL object would parse everything anew. */
function extended(href: string, name: string, value: string): string {
  const fragment = href.indexOf('#');
  const before = fragment < 0 ? href : href.slice(0, fragment);
  const separator = !before.includes('?') ? '?' : before.endsWith('?') ? '' : '&';
  return `${before}${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}${href.slice(before.length)}`;
}

/** The values that must never be seen, of these credentials. */
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

/** RFC 7617, with the UTF-8 that its §2.1 recommends. */
function basicAuthorization({ username, password }: { readonly username: string; readonly password: string }): string {
  if (username.includes(':')) {
    throw new InvalidInputError(sentence('The user name must not contain a colon.'));
  }
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
