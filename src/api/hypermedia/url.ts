/** Resolves a reference against the URL of the document it came in; undefined when that gives no URL. */
export type Resolve = (href: string, base: string) => URL | undefined;

/** Characters of what is taken for an address. The URL parser takes quadratic time for some that are longer. */
export const MAX_ADDRESS_LENGTH = 8 * 1024;

/** RFC 3986 §5.2, as the URL standard does it. */
export function resolveReference(href: string, base: string): URL | undefined {
  return URL.parse(href, base) ?? undefined;
}

/** True for the two protocols that a link may have. Ask before the origin: that of blob:https://api/… is https://api. */
export function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

/** True for https://user:password@host: a way to make one host look like another, and refused by fetch. */
export function hasUserInfo(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}
