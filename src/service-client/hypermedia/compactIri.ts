import { MAX_ADDRESS_LENGTH } from '../limits.ts';
import { isObject, member, text } from './json.ts';

/** The terms of JSON-LD contexts, with their definitions. */
export interface ContextTerms {
  readonly own: ReadonlyMap<string, unknown>;
  /** Terms of the outer contexts. Nested contexts aren't copied. */
  readonly outer?: ContextTerms;
}

/** The terms outside of any context. */
export const NO_TERMS: ContextTerms = { own: new Map() };

/**
 * Matches `prefix:rest` (JSON-LD 1.1 §4.1.5). Two slashes make it an address, and an underscore makes it a blank node.
 */
const COMPACT_IRI = /^(?!_:)([^:/?#]+):(?!\/\/)(.*)$/s;

/** Returns the terms of the JSON-LD contexts that apply to a value. */
export function termsIn(value: unknown, outer: ContextTerms): ContextTerms {
  const context = isObject(value) ? member(value, '@context') : undefined;
  if (context === undefined) {
    return outer;
  }
  const parts: readonly unknown[] = Array.isArray(context) ? context : [context];
  // null resets all earlier definitions (JSON-LD 1.1 §4.1).
  const own = new Map(
    parts
      .slice(parts.lastIndexOf(null) + 1)
      .filter(isObject)
      .flatMap(Object.entries<unknown>),
  );
  return parts.includes(null) ? { own } : { own, outer };
}

/** Expands the prefix of a compact IRI. Returns the expansion and the rest, or undefined for any other text. */
export function expandCompactIri(iri: string, terms: ContextTerms): readonly [start: string, rest: string] | undefined {
  const [, prefix, rest = ''] = terms === NO_TERMS ? [] : (COMPACT_IRI.exec(iri) ?? []);
  const start = prefix === undefined ? undefined : resolvePrefix(prefix, terms);
  return start === undefined || start.length > MAX_ADDRESS_LENGTH ? undefined : [start, rest];
}

/**
 * Returns the definition of a term that can be a prefix: one that's marked as a prefix, or a string that ends with a
 * URL delimiter. Other terms are only for members and types (JSON-LD 1.1 §4.1.5).
 */
function resolvePrefix(name: string, terms: ContextTerms): string | undefined {
  let scope: ContextTerms | undefined = terms;
  while (scope !== undefined && !scope.own.has(name)) {
    scope = scope.outer;
  }
  const term = scope?.own.get(name);
  if (isObject(term)) {
    return member(term, '@prefix') === true ? text(term, '@id') : undefined;
  }
  return typeof term === 'string' && /[:/?#[\]@]$/.test(term) ? term : undefined;
}
