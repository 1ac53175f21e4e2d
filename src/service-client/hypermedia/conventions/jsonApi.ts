import { sentence } from '../../../errors/index.ts';
import { isObject, member, pointerTo, text, type JsonEntry, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';
import { readLinkObject } from './linkObject.ts';

/** Members of a resource object that this reader handles and that therefore aren't fields. */
const UNDERSTOOD = ['links', 'attributes', 'relationships'];

/**
 * Reads JSON:API 1.1. A single primary resource is merged into the document's resource, and an array is embedded as
 * `data`. A relationship becomes a link to its `related` URL, and its `self` URL becomes a second link of the same
 * relation, named `relationship`.
 */
export const jsonApi: ConventionReader = {
  convention: 'json-api',
  mediaTypes: ['application/vnd.api+json'],
  read(builder, object) {
    if (builder.format !== 'json-api' && !isDocument(object)) {
      return;
    }
    readResourceObject(builder, object, builder.pointer);
    for (const name of UNDERSTOOD) {
      if (isObject(member(object, name))) {
        builder.claimed.add(name);
      }
    }
    if (builder.pointer === '') {
      readPrimaryData(builder, member(object, 'data'));
      const included = member(object, 'included');
      if (Array.isArray(included)) {
        builder.claimed.add('included');
        builder.embed('included', included, '/included', 'json-api');
      }
    }
  },
};

function readPrimaryData(builder: ResourceBuilder, data: unknown): void {
  if (isObject(data)) {
    builder.claimed.add('data');
    readResourceObject(builder, data, '/data');
    builder.include(data, '/data', UNDERSTOOD);
  } else if (Array.isArray(data)) {
    builder.claimed.add('data');
    builder.embed('data', data, '/data', 'json-api');
  }
}

function readResourceObject(builder: ResourceBuilder, object: JsonObject, pointer: string): void {
  for (const link of builder.entries(member(object, 'links'), `${pointer}/links`)) {
    readLinkObject(builder, link.name, link.value, link.pointer);
  }
  const attributes = member(object, 'attributes');
  if (isObject(attributes)) {
    builder.include(attributes, `${pointer}/attributes`);
  }
  for (const relationship of builder.entries(member(object, 'relationships'), `${pointer}/relationships`)) {
    readRelationship(builder, relationship);
  }
}

function readRelationship(builder: ResourceBuilder, { name: rel, value, pointer }: JsonEntry): void {
  if (!isObject(value)) {
    builder.skip(pointer, sentence('The relationship isn’t an object.'));
    return;
  }
  for (const link of builder.entries(member(value, 'links'), `${pointer}/links`)) {
    if (link.name !== 'self') {
      const name = link.name === 'related' ? rel : `${rel} ${link.name}`;
      readLinkObject(builder, name, link.value, link.pointer);
      continue;
    }
    const href = isObject(link.value) ? member(link.value, 'href') : link.value;
    builder.addLink(rel, href, link.pointer, { name: 'relationship' });
  }
  const data = member(value, 'data');
  if (Array.isArray(data)) {
    for (const [index, linkage] of builder.firstValues(data, `${pointer}/data`).entries()) {
      builder.embedLinkage(rel, linkage, pointerTo(`${pointer}/data`, index), index);
    }
  } else if (isObject(data)) {
    builder.embedLinkage(rel, data, `${pointer}/data`);
  }
}

/** Recognizes a JSON:API document by its structure, without the media type. */
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
