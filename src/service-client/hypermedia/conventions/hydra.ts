import { addForm } from '../forms.ts';
import { isObject, member, pointerTo, text, type JsonEntry, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';
import { isNonWebAddress } from '../url.ts';

/** Relation for the link to a JSON-LD context (JSON-LD 1.1 §6.1). */
const CONTEXT = 'http://www.w3.org/ns/json-ld#context';

/** Members that identify a JSON-LD or Hydra object when the media type doesn't. */
const MARKERS = ['@context', '@id', '@type', 'hydra:member', 'hydra:view', 'hydra:search', 'hydra:operation'];

const PAGES = ['first', 'previous', 'next', 'last'];

/** Matches the types of an IRI template. */
const IRI_TEMPLATE = /^(?:hydra:|http:\/\/www\.w3\.org\/ns\/hydra\/core#)?IriTemplate$/;

/** Reads the value of a Hydra term and reports whether it understood the value. */
type TermReader = (builder: ResourceBuilder, value: unknown, pointer: string) => boolean;

/**
 * Terms in the order of their rows. The view comes before the members, so that the rows for later pages can follow the
 * members.
 */
const TERMS: readonly (readonly [term: string, read: TermReader])[] = [
  ['view', readView],
  ['member', readHydraMembers],
  ['search', (builder, value, pointer) => readHydraTemplate(builder, 'search', value, pointer)],
  ['operation', readOperations],
];

/**
 * Reads JSON-LD identifiers and the Hydra Core Vocabulary, with and without the prefix `hydra:`. From contexts, only
 * prefixes are read, and no context is fetched.
 */
export const hydra: ConventionReader = {
  convention: 'hydra',
  mediaTypes: ['application/ld+json'],
  read(builder, object) {
    if (builder.format !== 'hydra' && !MARKERS.some((name) => Object.hasOwn(object, name))) {
      return;
    }
    // The context applies to everything inside, even if no member name indicates JSON-LD.
    builder.format ??= 'hydra';
    readJsonLdContext(builder);
    readIdentifier(builder);
    // A document or list element can itself be an IRI template. The mapping is part of the template.
    const rel = builder.rel === '' ? 'template' : builder.rel;
    if (isIriTemplate(object) && readHydraTemplate(builder, rel, object, builder.pointer)) {
      builder.claimed.add(findTerm(object, 'template')?.name ?? '');
    }
    for (const [term, read] of TERMS) {
      for (const name of [`hydra:${term}`, term]) {
        const value = builder.getUnclaimed(name);
        if (value !== undefined && read(builder, value, `${builder.pointer}/${name}`)) {
          builder.claimed.add(name);
        }
      }
    }
    for (const { name, value, pointer } of builder.members) {
      if (!builder.claimed.has(name) && isIriTemplate(value) && readHydraTemplate(builder, name, value, pointer)) {
        builder.claimed.add(name);
      }
    }
  },
};

/**
 * Reads the address of the resource: `@id`, or an `id` that is a URL, because many contexts define both identically
 * (ActivityStreams 2.0 §4.1).
 */
function readIdentifier(builder: ResourceBuilder): void {
  const isUrl = (id: unknown): boolean => typeof id === 'string' && /^https?:/i.test(id);
  const name = builder.getUnclaimed('@id') === undefined && isUrl(builder.getUnclaimed('id')) ? 'id' : '@id';
  const id = builder.getUnclaimed(name);
  const address = typeof id === 'string' ? builder.expanded(id) : undefined;
  // `_:b0` is a blank node, a name within the document (JSON-LD 1.1 §3.5). `urn:isbn:1` is a name that can't be opened.
  if (address !== undefined && !address.startsWith('_:') && !isNonWebAddress(address)) {
    builder.claimed.add(name);
    builder.addLink('self', id, `${builder.pointer}/${name}`);
  }
}

/**
 * Claims the context. Its URL becomes a link. Its definitions only give names a meaning, so they aren't part of the
 * resource.
 */
function readJsonLdContext(builder: ResourceBuilder): void {
  const context = builder.getUnclaimed('@context');
  const pointer = `${builder.pointer}/@context`;
  builder.claimed.add('@context');
  const parts: readonly (readonly [unknown, string])[] = Array.isArray(context)
    ? context.map((part: unknown, index) => [part, pointerTo(pointer, index)])
    : [[context, pointer]];
  for (const [part, at] of parts) {
    if (typeof part === 'string') {
      builder.addLink(CONTEXT, part, at);
    }
  }
}

/** Finds the member for a Hydra term, with or without the prefix. */
function findTerm(object: JsonObject, term: string): Pick<JsonEntry, 'name' | 'value'> | undefined {
  const name = [`hydra:${term}`, term].find((each) => (member(object, each) ?? null) !== null);
  return name === undefined ? undefined : { name, value: object[name] };
}

function readHydraMembers(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  if (!Array.isArray(value) && !isObject(value)) {
    return false;
  }
  builder.embed('member', value, pointer);
  return true;
}

/** Reads a partial view. Its page links become links of the collection, and the rest of the view is embedded. */
function readView(builder: ResourceBuilder, view: unknown, pointer: string): boolean {
  if (!isObject(view)) {
    return false;
  }
  let found = false;
  for (const page of PAGES) {
    const link = findTerm(view, page);
    if (link !== undefined) {
      const { name, value } = link;
      found = true;
      builder.addLink(page, isObject(value) ? member(value, '@id') : value, `${pointer}/${name}`);
    }
  }
  if (!found && text(view, '@id') === undefined) {
    return false;
  }
  const rest = builder.entries(view, pointer).filter(({ name }) => !PAGES.includes(name.replace(/^hydra:/, '')));
  if (rest.length > 0) {
    builder.embed('view', Object.fromEntries(rest.map(({ name, value }) => [name, value])), pointer);
  }
  return true;
}

/** Adds the link of an object with a template. Returns false when the object has no template. */
function readHydraTemplate(builder: ResourceBuilder, rel: string, object: unknown, pointer: string): boolean {
  const { name, value } = (isObject(object) ? findTerm(object, 'template') : undefined) ?? {};
  return (
    isObject(object) &&
    typeof value === 'string' &&
    builder.addLink(rel, value, `${pointer}/${name}`, { title: findTerm(object, 'title')?.value })
  );
}

/** Reports whether an object has the type of an IRI template, or maps the variables of its template. */
function isIriTemplate(value: unknown): value is JsonObject {
  if (!isObject(value)) {
    return false;
  }
  const type = member(value, '@type');
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const mapping = findTerm(value, 'mapping')?.value;
  const isMapping = (item: unknown): boolean => isObject(item) && findTerm(item, 'variable') !== undefined;
  return (
    types.some((each) => typeof each === 'string' && IRI_TEMPLATE.test(each)) ||
    (Array.isArray(mapping) && mapping.length > 0 && mapping.every(isMapping))
  );
}

function readOperations(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  const operations: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isOperation = (item: unknown): item is JsonObject => isObject(item) && findTerm(item, 'method') !== undefined;
  if (!operations.every(isOperation)) {
    return false;
  }
  for (const [index, operation] of builder.firstValues(operations, pointer).entries()) {
    const title = findTerm(operation, 'title')?.value;
    const method = findTerm(operation, 'method')?.value;
    addForm(builder, Array.isArray(value) ? pointerTo(pointer, index) : pointer, {
      name: typeof title === 'string' ? title : typeof method === 'string' ? method : 'operation',
      title,
      method,
      href: '',
      contentType: 'application/ld+json',
    });
  }
  return true;
}
