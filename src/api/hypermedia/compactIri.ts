import { isObject, member, text, type JsonObject } from './json.ts';
import { MAX_ADDRESS_LENGTH } from './url.ts';

/** Contexts in which a prefix is looked for, the innermost ones. */
const MAX_CONTEXTS = 20;

/** How often an address is expanded: what a prefix stands for may begin with another one. */
const MAX_EXPANSIONS = 4;

/** `prefix:rest` (JSON-LD 1.1 §4.1.5). Two slashes make it an address, an underscore a blank node. */
const COMPACT_IRI = /^(?!_:)([^:/?#]+):(?!\/\/)(.*)$/s;

/** The JSON-LD contexts that hold in a value, the innermost last. */
export function contextsIn(value: unknown, outer: readonly JsonObject[]): readonly JsonObject[] {
  const context = isObject(value) ? member(value, '@context') : undefined;
  if (context === undefined) {
    return outer;
  }
  const parts: readonly unknown[] = Array.isArray(context) ? context : [context];
  // null takes back all that was defined before (JSON-LD 1.1 §4.1)
  const kept = parts.includes(null) ? [] : outer;
  return [...kept, ...parts.slice(parts.lastIndexOf(null) + 1).filter(isObject)].slice(-MAX_CONTEXTS);
}

/**
 * The address that a compact IRI stands for, when a context defines its prefix; any other text as it is.
 *
 * @returns the address, and the texts that it is made of
 */
export function expandCompactIri(
  iri: string,
  contexts: readonly JsonObject[],
): { readonly address: string; readonly sources: readonly string[] } {
  let address = iri;
  const sources = [iri];
  for (let count = 0; count < MAX_EXPANSIONS; count += 1) {
    const [, prefix, rest = ''] = COMPACT_IRI.exec(address) ?? [];
    const start = prefix === undefined ? undefined : meaningOfPrefix(prefix, contexts);
    if (start === undefined || start.length > MAX_ADDRESS_LENGTH) {
      break;
    }
    sources.push(start);
    address = start + rest;
  }
  return { address, sources };
}

/**
 * What a term stands for that is a prefix: it says so, or is a text that ends with a character between the parts of an address.
 * Other terms name members and types only (JSON-LD 1.1 §4.1.5).
 */
function meaningOfPrefix(name: string, contexts: readonly JsonObject[]): string | undefined {
  const term = contexts.findLast((context) => Object.hasOwn(context, name))?.[name];
  if (isObject(term)) {
    return member(term, '@prefix') === true ? text(term, '@id') : undefined;
  }
  return typeof term === 'string' && /[:/?#[\]@]$/.test(term) ? term : undefined;
}
