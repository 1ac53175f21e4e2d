/** Resolves a reference against the URL of the document it came in; undefined when that gives no URL. */
export type Resolve = (href: string, base: string) => URL | undefined;

/** Query parameters that carry credentials (contract, "Authenticating"): never part of a link. */
const CREDENTIAL_PARAMETERS = new Set(['access_token', 'auth_token']);

/** RFC 3986 §5.2, as the URL standard does it. */
export function resolveReference(href: string, base: string): URL | undefined {
  return URL.parse(href, base) ?? undefined;
}

/** The URL without the query parameters and fragments that carry credentials; everything else stays as it was. */
export function withoutCredentials(url: URL): string {
  const search = withoutCredentialPairs(url.search);
  const hash = withoutCredentialPairs(url.hash);
  if (search === url.search && hash === url.hash) {
    return url.href;
  }
  const clean = new URL(url);
  clean.search = search;
  clean.hash = hash;
  return clean.href;
}

function withoutCredentialPairs(part: string): string {
  if (part.length < 2) {
    return part;
  }
  const pairs = part.slice(1).split('&');
  const kept = pairs.filter((pair) => !isCredential(pair.split('=', 1)[0] ?? ''));
  return kept.length === pairs.length ? part : kept.length === 0 ? '' : `${part.charAt(0)}${kept.join('&')}`;
}

function isCredential(name: string): boolean {
  try {
    return CREDENTIAL_PARAMETERS.has(decodeURIComponent(name).trim().toLowerCase());
  } catch {
    return false;
  }
}

/** True for the two protocols that a link may have. Ask before the origin: that of blob:https://api/… is https://api. */
export function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** True for https://user:password@host: a way to make one host look like another, and refused by fetch. */
export function hasUserInfo(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}
