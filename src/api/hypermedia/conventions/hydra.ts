import { addForm } from '../forms.ts';
import { isObject, member, pointerTo, text, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';
import { isNonWebAddress, MAX_ADDRESS_LENGTH } from '../url.ts';

/** Relation of a JSON-LD context (JSON-LD 1.1 §6.1). */
const CONTEXT = 'http://www.w3.org/ns/json-ld#context';

/** Members that make an object one of JSON-LD or Hydra when no media type says so. */
const MARKERS = ['@context', '@id', '@type', 'hydra:member', 'hydra:view', 'hydra:search', 'hydra:operation'];

const PAGES = ['first', 'previous', 'next', 'last'];

/** Contexts in which a prefix is looked for, the innermost ones. */
const MAX_CONTEXTS = 20;

/** How often an address is expanded: what a prefix stands for may begin with another one. */
const MAX_EXPANSIONS = 4;

/** `prefix:rest` (JSON-LD 1.1 §4.1.5). Two slashes make it an address, an underscore a blank node. */
const COMPACT_IRI = /^(?!_:)([^:/?#]+):(?!\/\/)(.*)$/s;

/** Reads the value of a Hydra term; true when it is understood. */
type TermReader = (builder: ResourceBuilder, value: unknown, pointer: string) => boolean;

/** The view comes first: members are many, and those of later pages follow. */
const TERMS: readonly (readonly [term: string, read: TermReader])[] = [
  ['view', readView],
  ['member', readMembers],
  ['search', readSearch],
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
    readOwnTemplate(builder, object);
    for (const [term, read] of TERMS) {
      for (const name of [`hydra:${term}`, term]) {
        const value = builder.unclaimed(name);
        if (value !== undefined && read(builder, value, `${builder.pointer}/${name}`)) {
          builder.claimed.add(name);
        }
      }
    }
    for (const { name, value, pointer } of builder.members) {
      if (!builder.claimed.has(name) && readTemplate(builder, name, value, pointer)) {
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
  const id = expanded(builder, builder.unclaimed(name));
  // _:b0 is a blank node, a name within the document (JSON-LD 1.1 §3.5), and urn:isbn:1 a name that leads nowhere
  if (typeof id === 'string' && !id.startsWith('_:') && !isNonWebAddress(id)) {
    builder.claimed.add(name);
    builder.addLink('hydra', 'self', id, `${builder.pointer}/${name}`);
  }
}

/** A context only gives names a meaning; its URL is a link, its definitions are no part of the resource. */
function readContext(builder: ResourceBuilder): void {
  const context = builder.unclaimed('@context');
  const pointer = `${builder.pointer}/@context`;
  builder.claimed.add('@context');
  if (typeof context === 'string') {
    builder.addLink('hydra', CONTEXT, context, pointer);
  } else if (Array.isArray(context)) {
    for (const [index, item] of context.entries()) {
      if (typeof item === 'string') {
        builder.addLink('hydra', CONTEXT, item, pointerTo(pointer, index));
      }
    }
  }
  const parts: readonly unknown[] = Array.isArray(context) ? context : [context];
  // null takes back all that was defined outside (JSON-LD 1.1 §4.1)
  const outer = parts.includes(null) ? [] : builder.contexts;
  builder.contexts = [...outer, ...parts.slice(parts.lastIndexOf(null) + 1).filter(isObject)].slice(-MAX_CONTEXTS);
}

/** The address that a compact IRI stands for, when a context defines its prefix; any other value as it is. */
function expanded(builder: ResourceBuilder, value: unknown, depth = 0): unknown {
  const [compact, prefix = '', rest = ''] = COMPACT_IRI.exec(typeof value === 'string' ? value : '') ?? [];
  const term = builder.contexts.findLast((context) => Object.hasOwn(context, prefix))?.[prefix];
  const start = isObject(term) ? member(term, '@id') : term;
  if (
    compact === undefined ||
    typeof start !== 'string' ||
    start.length > MAX_ADDRESS_LENGTH ||
    depth === MAX_EXPANSIONS
  ) {
    return value;
  }
  return expanded(builder, builder.derived(compact, builder.derived(start, start + rest)), depth + 1);
}

function termOf(object: JsonObject, name: string): unknown {
  return member(object, `hydra:${name}`) ?? member(object, name);
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
    const value = termOf(view, page);
    if (value !== undefined && value !== null) {
      const name = Object.hasOwn(view, `hydra:${page}`) ? `hydra:${page}` : page;
      const address = expanded(builder, isObject(value) ? member(value, '@id') : value);
      found = true;
      builder.addLink('hydra', page, address, `${pointer}/${name}`);
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

function readSearch(builder: ResourceBuilder, search: unknown, pointer: string): boolean {
  const template = isObject(search) ? termOf(search, 'template') : undefined;
  if (!isObject(search) || typeof template !== 'string') {
    return false;
  }
  builder.addLink('hydra', 'search', template, pointer, { title: termOf(search, 'title') });
  return true;
}

/** An IRI template under any name. */
function readTemplate(builder: ResourceBuilder, rel: string, value: unknown, pointer: string): boolean {
  const template = isObject(value) ? templateOf(value) : undefined;
  return (
    isObject(value) &&
    template !== undefined &&
    builder.addLink('hydra', rel, template, pointer, { title: termOf(value, 'title') })
  );
}

/** A document, or an element of a list, that is an IRI template itself. Its mapping is a part of it. */
function readOwnTemplate(builder: ResourceBuilder, object: JsonObject): void {
  const template = templateOf(object);
  const name = Object.hasOwn(object, 'hydra:template') ? 'hydra:template' : 'template';
  const rel = builder.rel === '' ? 'template' : builder.rel;
  if (
    template !== undefined &&
    builder.addLink('hydra', rel, template, `${builder.pointer}/${name}`, { title: termOf(object, 'title') })
  ) {
    builder.claimed.add(name);
  }
}

/** The template of an object that is an IRI template. */
function templateOf(object: JsonObject): string | undefined {
  const template = termOf(object, 'template');
  const isTemplate =
    /^(?:hydra:)?IriTemplate$/.test(text(object, '@type') ?? '') || termOf(object, 'mapping') !== undefined;
  return isTemplate && typeof template === 'string' ? template : undefined;
}

function readOperations(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  const operations: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isOperation = (item: unknown): item is JsonObject => isObject(item) && termOf(item, 'method') !== undefined;
  if (!operations.every(isOperation)) {
    return false;
  }
  for (const [index, operation] of operations.entries()) {
    const title = termOf(operation, 'title');
    const method = termOf(operation, 'method');
    addForm(builder, 'hydra', Array.isArray(value) ? pointerTo(pointer, index) : pointer, {
      name: typeof title === 'string' ? title : typeof method === 'string' ? method : 'operation',
      title,
      method,
      target: builder.self?.target,
      href: '',
      contentType: 'application/ld+json',
    });
  }
  return true;
}
