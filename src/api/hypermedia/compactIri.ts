import { MAX_ADDRESS_LENGTH } from '../limits.ts';
import { isObject, member, text } from './json.ts';

/** What the terms of JSON-LD contexts stand for. */
export interface Terms {
  readonly own: ReadonlyMap<string, unknown>;
  /** The terms of the contexts around them. Nested contexts aren't copied. */
  readonly outer?: Terms;
}

/** Where no context holds. */
export const NO_TERMS: Terms = { own: new Map() };

/** `prefix:rest` (JSON-LD 1.1 §4.1.5). Two slashes make it an address, an underscore a blank node. */
const COMPACT_IRI = /^(?!_:)([^:/?#]+):(?!\/\/)(.*)$/s;

/** The terms of the JSON-LD contexts that hold in a value. */
export function termsIn(value: unknown, outer: Terms): Terms {
  const context = isObject(value) ? member(value, '@context') : undefined;
  if (context === undefined) {
    return outer;
  }
  const parts: readonly unknown[] = Array.isArray(context) ? context : [context];
  // null takes back all that was defined before (JSON-LD 1.1 §4.1)
  const own = new Map(
    parts
      .slice(parts.lastIndexOf(null) + 1)
      .filter(isObject)
      .flatMap(Object.entries<unknown>),
  );
  return parts.includes(null) ? { own } : { own, outer };
}

/** What the prefix of a compact IRI stands for, and what follows it; undefined for any other text. */
export function expandCompactIri(iri: string, terms: Terms): readonly [start: string, rest: string] | undefined {
  const [, prefix, rest = ''] = terms === NO_TERMS ? [] : (COMPACT_IRI.exec(iri) ?? []);
  const start = prefix === undefined ? undefined : meaningOfPrefix(prefix, terms);
  return start === undefined || start.length > MAX_ADDRESS_LENGTH ? undefined : [start, rest];
}

/**
 * What a term stands for that is a prefix: it says so, or is a text that ends with a character between the parts of an address.
 * Other terms name members and types only (JSON-LD 1.1 §4.1.5).
 */
function meaningOfPrefix(name: string, terms: Terms): string | undefined {
  let scope: Terms | undefined = terms;
  while (scope !== undefined && !scope.own.has(name)) {
    scope = scope.outer;
  }
  const term = scope?.own.get(name);
  if (isObject(term)) {
    return member(term, '@prefix') === true ? text(term, '@id') : undefined;
  }
  return typeof term === 'string' && /[:/?#[\]@]$/.test(term) ? term : undefined;
}
