/** Characters of an address that are looked at; of a relation, the last ones. */
const MAX_LENGTH = 300;

/** True for an absolute web address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** The last part of a web address that says something: `https://api.example/rels/date` and `…#date` are `date`. Other texts stay. */
export function shortRelation(relation: string): string {
  return isWebAddress(relation) ? lastOf(relation.slice(-MAX_LENGTH).split(/[/#?]/)) : relation;
}

/**
 * What tells addresses or identifiers apart: the last segments of their paths, or else the segments and parameters in
 * which they differ.
 *
 * @returns one text for each; empty where an address has nothing of its own
 */
export function differences(addresses: readonly string[]): readonly string[] {
  const ends = addresses.map((address) => lastOf(address.slice(0, MAX_LENGTH).split(/[?#{]/, 1)[0]?.split('/') ?? []));
  if (new Set(ends).size === ends.length) {
    return ends;
  }
  const all = addresses.map((address) => address.slice(0, MAX_LENGTH).split(/[/?#&{}]/));
  const [first = []] = all;
  const shortest = Math.min(...all.map(({ length }) => length));
  let before = 0;
  while (before < shortest && all.every((parts) => parts[before] === first[before])) {
    before += 1;
  }
  let after = 0;
  while (after < shortest - before && all.every((parts) => parts.at(-1 - after) === first.at(-1 - after))) {
    after += 1;
  }
  return all.map((parts) => decoded(parts.slice(before, parts.length - after).join('/')));
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
