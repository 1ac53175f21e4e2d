import type { ConventionReader } from './convention.ts';
import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import { readLinkObject } from './linkObject.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';

/** Members of a resource object that are read here and are no fields. */
const UNDERSTOOD = ['links', 'attributes', 'relationships'];

/**
 * JSON:API 1.1. A single primary resource is the document's own resource; several are embedded as `data`. A relation
 * links to `related`; the relationship itself is the link of the same relation named `relationship`.
 */
export const jsonApi: ConventionReader = {
  convention: 'json-api',
  mediaTypes: ['application/vnd.api+json'],
  markers: ['jsonapi', 'data', 'links', 'attributes', 'relationships'],
  read(node, object) {
    if (node.format !== 'json-api' && !isDocument(object)) {
      return;
    }
    readResourceObject(node, object, node.pointer);
    for (const name of UNDERSTOOD) {
      if (isObject(member(object, name))) {
        node.claim(name);
      }
    }
    if (node.pointer === '') {
      readPrimaryData(node, member(object, 'data'));
      const included = member(object, 'included');
      if (Array.isArray(included)) {
        node.claim('included');
        node.embed('included', included, '/included', 'json-api');
      }
    }
  },
};

function readPrimaryData(node: Node, data: unknown): void {
  if (isObject(data)) {
    node.claim('data');
    readResourceObject(node, data, '/data');
    node.include(data, '/data', UNDERSTOOD);
  } else if (Array.isArray(data)) {
    node.claim('data');
    node.embed('data', data, '/data', 'json-api');
  }
}

function readResourceObject(node: Node, object: JsonObject, pointer: string): void {
  readLinks(node, member(object, 'links'), pointerTo(pointer, 'links'));
  const attributes = member(object, 'attributes');
  if (isObject(attributes)) {
    node.include(attributes, pointerTo(pointer, 'attributes'));
  }
  const relationships = member(object, 'relationships');
  if (!isObject(relationships)) {
    return;
  }
  for (const rel of Object.keys(relationships)) {
    readRelationship(node, rel, relationships[rel], pointerTo(pointerTo(pointer, 'relationships'), rel));
  }
}

/** JSON:API 1.1, "Document Links": null means that there is no such link. */
function readLinks(node: Node, links: unknown, pointer: string): void {
  if (isObject(links)) {
    for (const rel of Object.keys(links)) {
      readLinkObject(node, 'json-api', rel, links[rel], pointerTo(pointer, rel), true);
    }
  }
}

function readRelationship(node: Node, rel: string, value: unknown, pointer: string): void {
  if (!isObject(value)) {
    node.skip(pointer, 'The relationship is not an object.');
    return;
  }
  const links = member(value, 'links');
  if (isObject(links)) {
    for (const name of Object.keys(links)) {
      const link = links[name];
      const at = pointerTo(pointerTo(pointer, 'links'), name);
      if (name === 'self') {
        const href = isObject(link) ? member(link, 'href') : link;
        if (href !== null) {
          node.link('json-api', rel, href, at, { name: 'relationship' });
        }
      } else {
        readLinkObject(node, 'json-api', name === 'related' ? rel : `${rel} ${name}`, link, at, true);
      }
    }
  }
  const data = member(value, 'data');
  if (isObject(data) || Array.isArray(data)) {
    node.embed(rel, data, pointerTo(pointer, 'data'), 'json-api');
  }
}

/** What makes a document JSON:API when no media type says so. */
function isDocument(object: JsonObject): boolean {
  const data = member(object, 'data');
  return isObject(member(object, 'jsonapi')) || isResourceObject(Array.isArray(data) ? data[0] : data);
}

function isResourceObject(value: unknown): boolean {
  return (
    isObject(value) &&
    text(value, 'type') !== undefined &&
    text(value, 'id') !== undefined &&
    UNDERSTOOD.some((name) => isObject(member(value, name)))
  );
}
