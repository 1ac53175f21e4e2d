import { addForm } from '../forms.ts';
import { isObject, member, pointerTo, text, type Entry, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';
import { isNonWebAddress } from '../url.ts';

/** Relation of a JSON-LD context (JSON-LD 1.1 §6.1). */
const CONTEXT = 'http://www.w3.org/ns/json-ld#context';

/** Members that make an object one of JSON-LD or Hydra when no media type says so. */
const MARKERS = ['@context', '@id', '@type', 'hydra:member', 'hydra:view', 'hydra:search', 'hydra:operation'];

const PAGES = ['first', 'previous', 'next', 'last'];

/** Types of an IRI template. */
const IRI_TEMPLATE = /^(?:hydra:|http:\/\/www\.w3\.org\/ns\/hydra\/core#)?IriTemplate$/;

/** Reads the value of a Hydra term; true when it is understood. */
type TermReader = (builder: ResourceBuilder, value: unknown, pointer: string) => boolean;

/** In the order of the rows: the view above the members, because the rows of later pages come after these. */
const TERMS: readonly (readonly [term: string, read: TermReader])[] = [
  ['view', readView],
  ['member', readMembers],
  ['search', (builder, value, pointer) => readTemplate(builder, 'search', value, pointer)],
  ['operation', readOperations],
];

/**
 * JSON-LD identifiers and the Hydra Core Vocabulary, with and without the prefix `hydra:`. Of contexts, only prefixes are read, and
 * none is fetched.
 */
export const hydra: ConventionReader = {
  convention: 'hydra',
  mediaTypes: ['application/ld+json'],
  read(builder, object) {
    if (builder.format !== 'hydra' && !MARKERS.some((name) => Object.hasOwn(object, name))) {
      return;
    }
    // the context holds for everything inside, also where no name shows it
    builder.format ??= 'hydra';
    readContext(builder);
    readIdentifier(builder);
    // a document, or an element of a list, that is an IRI template itself; its mapping is a part of it
    const rel = builder.rel === '' ? 'template' : builder.rel;
    if (isIriTemplate(object) && readTemplate(builder, rel, object, builder.pointer)) {
      builder.claimed.add(findTerm(object, 'template')?.name ?? '');
    }
    for (const [term, read] of TERMS) {
      for (const name of [`hydra:${term}`, term]) {
        const value = builder.unclaimed(name);
        if (value !== undefined && read(builder, value, `${builder.pointer}/${name}`)) {
          builder.claimed.add(name);
        }
      }
    }
    for (const { name, value, pointer } of builder.members) {
      if (!builder.claimed.has(name) && isIriTemplate(value) && readTemplate(builder, name, value, pointer)) {
        builder.claimed.add(name);
      }
    }
  },
};

/**
 * The address of the resource: `@id`, or `id`, which many contexts give the same meaning (ActivityStreams 2.0 §4.1), when it
 * is a URL.
 */
function readIdentifier(builder: ResourceBuilder): void {
  const isUrl = (id: unknown): boolean => typeof id === 'string' && /^https?:/i.test(id);
  const name = builder.unclaimed('@id') === undefined && isUrl(builder.unclaimed('id')) ? 'id' : '@id';
  const id = builder.unclaimed(name);
  const address = typeof id === 'string' ? builder.expanded(id) : undefined;
  // _:b0 is a blank node, a name within the document (JSON-LD 1.1 §3.5), and urn:isbn:1 a name that leads nowhere
  if (address !== undefined && !address.startsWith('_:') && !isNonWebAddress(address)) {
    builder.claimed.add(name);
    builder.addLink('self', id, `${builder.pointer}/${name}`);
  }
}

/** A context only gives names a meaning; its URL is a link, its definitions are no part of the resource. */
function readContext(builder: ResourceBuilder): void {
  const context = builder.unclaimed('@context');
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

/** The member for a term of Hydra, with or without the prefix. */
function findTerm(object: JsonObject, term: string): Pick<Entry, 'name' | 'value'> | undefined {
  const name = [`hydra:${term}`, term].find((each) => (member(object, each) ?? null) !== null);
  return name === undefined ? undefined : { name, value: object[name] };
}

function readMembers(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  if (!Array.isArray(value) && !isObject(value)) {
    return false;
  }
  builder.embed('member', value, pointer);
  return true;
}

/** A partial view: the links between the pages of a collection are the collection's own; what else it holds is a part. */
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

/** Adds the link of an object with a template. */
function readTemplate(builder: ResourceBuilder, rel: string, object: unknown, pointer: string): boolean {
  const { name, value } = (isObject(object) ? findTerm(object, 'template') : undefined) ?? {};
  return (
    isObject(object) &&
    typeof value === 'string' &&
    builder.addLink(rel, value, `${pointer}/${name}`, { title: findTerm(object, 'title')?.value })
  );
}

/** An object that says that it is an IRI template, or that says what the variables of its template stand for. */
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
