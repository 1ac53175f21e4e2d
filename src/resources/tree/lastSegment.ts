/** Longer addresses are looked at from their end. */
const MAX_LENGTH = 2000;

/** True for an absolute web address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** The last part of a web address that says something: `https://api.example/rels/date` and `…#date` are `date`. Other texts stay. */
export function shortRelation(relation: string): string {
  return isWebAddress(relation) ? lastOf(relation.slice(-MAX_LENGTH).split(/[/#?]/)) : relation;
}

/** The last segment of the path of an address or URI template, decoded. */
export function lastPathSegment(address: string): string {
  const [path = ''] = address.slice(0, MAX_LENGTH).split(/[?#{]/, 1);
  return lastOf(path.split('/'));
}

/** Path and query of an address, decoded. */
export function pathOf(address: string): string {
  return decoded(address.slice(0, MAX_LENGTH).replace(/^https?:\/\/[^/?#]*/i, ''));
}

function lastOf(segments: readonly string[]): string {
  return decoded(segments.findLast((segment) => segment !== '') ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
