import { addForm, formFields } from '../forms.ts';
import { isObject, member, text, type JsonEntry, type JsonObject } from '../json.ts';
import { label } from '../label.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';

/** Reads Siren: links, sub-entities (embedded links and embedded representations), and actions. */
export const siren: ConventionReader = {
  convention: 'siren',
  mediaTypes: ['application/vnd.siren+json'],
  read(builder, object) {
    if (builder.format !== 'siren' && !isSirenEntity(object)) {
      return;
    }
    const properties = builder.getUnclaimed('properties');
    if (isObject(properties)) {
      builder.claimed.add('properties');
      builder.include(properties, `${builder.pointer}/properties`);
    }
    const classes = getClasses(object);
    if (classes.length > 0) {
      builder.claimed.add('class');
      builder.classes = classes;
      builder.addField('class', classes.join(', '), `${builder.pointer}/class`);
    }
    if (Array.isArray(member(object, 'rel'))) {
      // The parent has already read the relation of this sub-entity.
      builder.claimed.add('rel');
    }
    eachItem(builder, 'links', (link) => readLink(builder, link));
    const positions = new Map<string, number>();
    eachItem(builder, 'entities', (entity) => {
      if (member(entity.value, 'href') === undefined) {
        const rel = getRelations(entity.value)[0] ?? 'item';
        const position = positions.get(rel) ?? 0;
        positions.set(rel, position + 1);
        builder.embedItem(rel, entity.value, entity.pointer, position, 'siren');
      } else {
        readLink(builder, entity);
      }
    });
    eachItem(builder, 'actions', ({ value, pointer }) => {
      addForm(builder, pointer, {
        name: text(value, 'name') ?? '',
        title: member(value, 'title'),
        method: member(value, 'method'),
        href: member(value, 'href'),
        contentType: text(value, 'type') ?? 'application/x-www-form-urlencoded',
        fields: formFields(builder, value, 'fields', pointer, 'title'),
      });
    });
  },
};

/**
 * Reads an array that has a meaning in Siren. Leaves objects to the plain conventions, because some services send links
 * as an object.
 */
function eachItem(builder: ResourceBuilder, name: string, read: (item: JsonEntry<JsonObject>) => void): void {
  const items = builder.getUnclaimed(name);
  if (items !== undefined && !isObject(items)) {
    builder.claimed.add(name);
    builder.eachItem({ [name]: items }, name, builder.pointer, read);
  }
}

function readLink(builder: ResourceBuilder, { value: link, pointer }: JsonEntry<JsonObject>): void {
  const rels = getRelations(link);
  const name = getClasses(link).join(', ');
  const details = { title: member(link, 'title'), type: member(link, 'type'), ...(name !== '' && { name }) };
  for (const rel of rels.length === 0 ? ['related'] : rels) {
    if (!builder.addLink(rel, member(link, 'href'), `${pointer}/href`, details)) {
      return;
    }
  }
}

function getClasses(object: JsonObject): readonly string[] {
  const names = member(object, 'class');
  const areTexts = Array.isArray(names) && names.every((name) => typeof name === 'string');
  return areTexts ? names.map(label).filter((name) => name !== '') : [];
}

function getRelations(link: JsonObject): readonly string[] {
  const rel = member(link, 'rel');
  const names: readonly unknown[] = Array.isArray(rel) ? rel : [rel];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}

/**
 * Recognizes a Siren entity by its structure, without the media type: relations are arrays, and actions have a name and
 * a target.
 */
function isSirenEntity(object: JsonObject): boolean {
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
