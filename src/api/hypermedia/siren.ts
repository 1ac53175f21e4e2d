import type { ConventionReader } from './convention.ts';
import { addForm, formFields } from './forms.ts';
import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Node } from './node.ts';
import { pointerTo } from './pointer.ts';

/** Siren: links, sub-entities (embedded links and embedded representations) and actions. */
export const siren: ConventionReader = {
  convention: 'siren',
  mediaTypes: ['application/vnd.siren+json'],
  markers: ['links', 'entities', 'actions'],
  read(node, object) {
    if (node.format !== 'siren' && !isEntity(object)) {
      return;
    }
    const properties = node.unclaimed('properties');
    if (isObject(properties)) {
      node.claim('properties');
      node.include(properties, pointerTo(node.pointer, 'properties'));
    }
    const names = member(object, 'class');
    if (Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string')) {
      node.claim('class');
      node.field('class', names.join(', '));
    }
    if (Array.isArray(member(object, 'rel'))) {
      // how a sub-entity relates to its parent is known from the parent
      node.claim('rel');
    }
    eachItem(node, 'links', (link, pointer) => {
      readLink(node, link, pointer);
    });
    eachItem(node, 'entities', (entity, pointer, index) => {
      if (member(entity, 'href') === undefined) {
        node.embedItem(relations(entity)[0] ?? 'item', entity, index, pointerTo(node.pointer, 'entities'), 'siren');
      } else {
        readLink(node, entity, pointer);
      }
    });
    eachItem(node, 'actions', (action, pointer) => {
      addForm(node, 'siren', pointer, {
        name: text(action, 'name') ?? '',
        title: member(action, 'title'),
        method: member(action, 'method'),
        href: member(action, 'href'),
        contentType: text(action, 'type') ?? 'application/x-www-form-urlencoded',
        fields: formFields(node, member(action, 'fields'), pointerTo(pointer, 'fields'), (field) =>
          member(field, 'title'),
        ),
      });
    });
  },
};

/** Calls `read` with each object of an array; one bad element does not spoil the others. */
function eachItem(node: Node, name: string, read: (item: JsonObject, pointer: string, index: number) => void): void {
  const items = node.unclaimed(name);
  if (items === undefined) {
    return;
  }
  const pointer = pointerTo(node.pointer, name);
  if (!Array.isArray(items)) {
    // some services send an object of links: the plain conventions can read it
    if (!isObject(items)) {
      node.claim(name);
      node.skip(pointer, `${name} is not an array.`);
    }
    return;
  }
  node.claim(name);
  for (const [index, item] of items.entries()) {
    const at = pointerTo(pointer, index);
    if (isObject(item)) {
      read(item, at, index);
    } else {
      node.skip(at, `The element of ${name} is not an object.`);
    }
  }
}

function readLink(node: Node, link: JsonObject, pointer: string): void {
  const rels = relations(link);
  for (const rel of rels.length === 0 ? ['related'] : rels) {
    const known = node.link('siren', rel, member(link, 'href'), pointerTo(pointer, 'href'), {
      title: member(link, 'title'),
      type: member(link, 'type'),
    });
    if (!known) {
      return;
    }
  }
}

function relations(link: JsonObject): readonly string[] {
  const rel = member(link, 'rel');
  const names: readonly unknown[] = Array.isArray(rel) ? rel : [rel];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}

/** What makes an object a Siren entity when no media type says so: relations are arrays, actions have a name and a target. */
function isEntity(object: JsonObject): boolean {
  const has = (name: string, test: (item: JsonObject) => boolean): boolean => {
    const items = member(object, name);
    return Array.isArray(items) && items.some((item) => isObject(item) && test(item));
  };
  const hasRelations = (item: JsonObject): boolean => Array.isArray(member(item, 'rel'));
  return (
    has('links', hasRelations) ||
    has('entities', hasRelations) ||
    has('actions', (item) => text(item, 'name') !== undefined && text(item, 'href') !== undefined)
  );
}
