import type { ConventionReader } from './convention.ts';
import { addForm } from './forms.ts';
import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';

/** Relation of a JSON-LD context (JSON-LD 1.1 §6.1). */
const CONTEXT = 'http://www.w3.org/ns/json-ld#context';

const PAGES = ['first', 'previous', 'next', 'last'];

/** JSON-LD identifiers and the Hydra Core Vocabulary, with and without the prefix `hydra:`. Contexts are not processed. */
export const hydra: ConventionReader = {
  convention: 'hydra',
  mediaTypes: ['application/ld+json'],
  markers: ['@context', '@id', '@type', 'hydra:member', 'hydra:view', 'hydra:search', 'hydra:operation'],
  read(node) {
    readContext(node);
    const id = node.unclaimed('@id');
    // _:b0 is a blank node: a name within the document (JSON-LD 1.1 §3.5)
    if (typeof id === 'string' && !id.startsWith('_:')) {
      node.claim('@id');
      node.link('hydra', 'self', id, pointerTo(node.pointer, '@id'));
    }
    eachTerm(node, 'member', (value, pointer) => {
      if (!Array.isArray(value) && !isObject(value)) {
        return false;
      }
      node.embed('member', value, pointer);
      return true;
    });
    eachTerm(node, 'view', (value, pointer) => isObject(value) && readView(node, value, pointer));
    eachTerm(node, 'search', (value, pointer) => isObject(value) && readSearch(node, value, pointer));
    eachTerm(node, 'operation', (value, pointer) => {
      const operations: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (!operations.every((operation) => isObject(operation) && term(operation, 'method') !== undefined)) {
        return false;
      }
      for (const [index, operation] of operations.entries()) {
        readOperation(node, operation, Array.isArray(value) ? pointerTo(pointer, index) : pointer);
      }
      return true;
    });
  },
};

/** A context only gives names a meaning; its URL is a link, its definitions are no part of the resource. */
function readContext(node: Node): void {
  const context = node.unclaimed('@context');
  if (context === undefined) {
    return;
  }
  const pointer = pointerTo(node.pointer, '@context');
  const isList = Array.isArray(context);
  const contexts: readonly unknown[] = isList ? context : [context];
  for (const [index, item] of contexts.entries()) {
    if (typeof item === 'string') {
      node.link('hydra', CONTEXT, item, isList ? pointerTo(pointer, index) : pointer);
    }
  }
  node.claim('@context');
}

/** Calls `read` with the member of that Hydra term; it is claimed if `read` understands it. */
function eachTerm(node: Node, name: string, read: (value: unknown, pointer: string) => boolean): void {
  for (const key of [`hydra:${name}`, name]) {
    const value = node.unclaimed(key);
    if (value !== undefined && read(value, pointerTo(node.pointer, key))) {
      node.claim(key);
    }
  }
}

function term(object: JsonObject, name: string): unknown {
  return member(object, `hydra:${name}`) ?? member(object, name);
}

/** A partial view: the links between the pages of a collection. */
function readView(node: Node, view: JsonObject, pointer: string): boolean {
  let found = false;
  for (const page of PAGES) {
    const value = term(view, page);
    if (value !== undefined && value !== null) {
      const key = Object.hasOwn(view, `hydra:${page}`) ? `hydra:${page}` : page;
      found = true;
      node.link('hydra', page, isObject(value) ? member(value, '@id') : value, pointerTo(pointer, key));
    }
  }
  return found || text(view, '@id') !== undefined;
}

/** An IRI template. */
function readSearch(node: Node, search: JsonObject, pointer: string): boolean {
  const template = term(search, 'template');
  if (typeof template !== 'string') {
    return false;
  }
  node.link('hydra', 'search', template, pointer, { title: term(search, 'title') });
  return true;
}

function readOperation(node: Node, operation: unknown, pointer: string): void {
  if (!isObject(operation)) {
    return;
  }
  const title = term(operation, 'title');
  const method = term(operation, 'method');
  addForm(node, 'hydra', pointer, {
    name: typeof title === 'string' ? title : typeof method === 'string' ? method : 'operation',
    title,
    method,
    target: node.self?.target,
    href: '',
    contentType: 'application/ld+json',
    fields: [],
  });
}
