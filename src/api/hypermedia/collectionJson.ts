import type { ConventionReader } from './convention.ts';
import { addForm, formFields } from './forms.ts';
import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import { titleRank } from './memberName.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';

const MEDIA_TYPE = 'application/vnd.collection+json';

/** Members of a collection that are read here and are no fields. */
const UNDERSTOOD = ['href', 'links', 'items', 'queries', 'template'];

/** Collection+JSON: items and links; queries and the template for new items are forms. */
export const collectionJson: ConventionReader = {
  convention: 'collection-json',
  mediaTypes: [MEDIA_TYPE],
  markers: ['collection'],
  read(node, object) {
    const collection = node.unclaimed('collection');
    if (isObject(collection) && (node.format === 'collection-json' || isCollection(collection))) {
      node.claim('collection');
      readCollection(node, collection, pointerTo(node.pointer, 'collection'));
    } else if (node.format === 'collection-json' && node.rel === 'item') {
      readItem(node, object);
    }
  },
};

function readCollection(node: Node, collection: JsonObject, pointer: string): void {
  const at = (name: string): string => pointerTo(pointer, name);
  const href = member(collection, 'href');
  if (href !== undefined) {
    node.link('collection-json', 'self', href, at('href'));
  }
  readLinks(node, member(collection, 'links'), at('links'));
  const items = member(collection, 'items');
  if (Array.isArray(items)) {
    for (const [index, item] of items.entries()) {
      node.embedItem('item', item, index, at('items'), 'collection-json');
    }
  }
  for (const [index, query] of objects(node, member(collection, 'queries'), at('queries'))) {
    addForm(node, 'collection-json', pointerTo(at('queries'), index), {
      name: text(query, 'name') ?? text(query, 'rel') ?? 'query',
      title: member(query, 'prompt'),
      method: 'GET',
      href: member(query, 'href'),
      contentType: 'application/x-www-form-urlencoded',
      fields: formFields(node, member(query, 'data'), pointerTo(pointerTo(at('queries'), index), 'data'), prompt),
    });
  }
  const template = member(collection, 'template');
  if (isObject(template)) {
    addForm(node, 'collection-json', at('template'), {
      name: 'template',
      title: member(template, 'prompt'),
      method: 'POST',
      href: href ?? '',
      contentType: MEDIA_TYPE,
      fields: formFields(node, member(template, 'data'), pointerTo(at('template'), 'data'), prompt),
    });
  }
  node.include(collection, pointer, UNDERSTOOD);
}

function readItem(node: Node, item: JsonObject): void {
  const href = member(item, 'href');
  if (href !== undefined) {
    node.link('collection-json', 'self', href, pointerTo(node.pointer, 'href'));
  }
  const links = pointerTo(node.pointer, 'links');
  readLinks(node, member(item, 'links'), links);
  const data = pointerTo(node.pointer, 'data');
  for (const [index, datum] of objects(node, member(item, 'data'), data)) {
    const name = text(datum, 'name') ?? text(datum, 'prompt') ?? String(index);
    const value = member(datum, 'value') ?? null;
    node.offerTitle(value, titleRank(name));
    node.add(name, value, pointerTo(pointerTo(data, index), 'value'));
  }
  for (const name of ['href', 'links', 'data']) {
    node.claim(name);
  }
}

function readLinks(node: Node, links: unknown, pointer: string): void {
  for (const [index, link] of objects(node, links, pointer)) {
    const at = pointerTo(pointerTo(pointer, index), 'href');
    node.link('collection-json', text(link, 'rel') ?? 'related', member(link, 'href'), at, {
      title: member(link, 'prompt'),
      name: member(link, 'name'),
    });
  }
}

/** The objects of an array, with their positions; what is something else is noted in `skipped`. */
function objects(node: Node, value: unknown, pointer: string): readonly (readonly [number, JsonObject])[] {
  const found: [number, JsonObject][] = [];
  if (value === undefined || value === null) {
    return found;
  }
  if (!Array.isArray(value)) {
    node.skip(pointer, 'Not an array.');
    return found;
  }
  for (const [index, item] of value.entries()) {
    if (isObject(item)) {
      found.push([index, item]);
    } else {
      node.skip(pointerTo(pointer, index), 'Not an object.');
    }
  }
  return found;
}

function prompt(field: JsonObject): unknown {
  return member(field, 'prompt');
}

/** What makes a member called `collection` one of this format when no media type says so. */
function isCollection(collection: JsonObject): boolean {
  return (
    text(collection, 'href') !== undefined &&
    (text(collection, 'version') !== undefined || Array.isArray(member(collection, 'items')))
  );
}
