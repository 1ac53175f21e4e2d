import { addForm, formFields } from '../forms.ts';
import { isObject, member, text, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';

const MEDIA_TYPE = 'application/vnd.collection+json';

/** Members of a collection that this reader handles and that therefore aren't fields. */
const UNDERSTOOD = ['href', 'links', 'items', 'queries', 'template'];

/** Reads Collection+JSON: items and links. Queries and the template for new items become forms. */
export const collectionJson: ConventionReader = {
  convention: 'collection-json',
  mediaTypes: [MEDIA_TYPE],
  read(builder, object) {
    const collection = builder.getUnclaimed('collection');
    if (isObject(collection) && (builder.format === 'collection-json' || isCollection(collection))) {
      builder.claimed.add('collection');
      readCollection(builder, collection, `${builder.pointer}/collection`);
    } else if (builder.format === 'collection-json' && builder.rel === 'item') {
      readItem(builder, object);
    }
  },
};

function readCollection(builder: ResourceBuilder, collection: JsonObject, pointer: string): void {
  readAddressAndLinks(builder, collection, pointer);
  builder.eachItem(collection, 'items', pointer, (item) => {
    builder.embedItem('item', item.value, item.pointer, Number(item.name), 'collection-json');
  });
  builder.eachItem(collection, 'queries', pointer, ({ value: query, pointer: at }) => {
    addForm(builder, at, {
      name: text(query, 'name') ?? text(query, 'rel') ?? 'query',
      title: member(query, 'prompt'),
      method: 'GET',
      href: member(query, 'href'),
      contentType: 'application/x-www-form-urlencoded',
      fields: formFields(builder, query, 'data', at, 'prompt'),
    });
  });
  const template = member(collection, 'template');
  if (isObject(template)) {
    addForm(builder, `${pointer}/template`, {
      name: 'template',
      title: member(template, 'prompt'),
      method: 'POST',
      href: member(collection, 'href') ?? '',
      contentType: MEDIA_TYPE,
      fields: formFields(builder, template, 'data', `${pointer}/template`, 'prompt'),
    });
  }
  builder.include(collection, pointer, UNDERSTOOD);
}

function readItem(builder: ResourceBuilder, item: JsonObject): void {
  readAddressAndLinks(builder, item, builder.pointer);
  builder.eachItem(item, 'data', builder.pointer, ({ name: index, value: datum, pointer }) => {
    const name = text(datum, 'name') ?? text(datum, 'prompt') ?? index;
    const value = member(datum, 'value') ?? null;
    builder.offerTitle(name, value, `${pointer}/value`);
    builder.add(name, value, `${pointer}/value`);
  });
  for (const name of ['href', 'links', 'data']) {
    builder.claimed.add(name);
  }
}

function readAddressAndLinks(builder: ResourceBuilder, object: JsonObject, pointer: string): void {
  const href = member(object, 'href');
  if (href !== undefined) {
    builder.addLink('self', href, `${pointer}/href`);
  }
  builder.eachItem(object, 'links', pointer, ({ value: link, pointer: at }) => {
    builder.addLink(text(link, 'rel') ?? 'related', member(link, 'href'), `${at}/href`, {
      title: member(link, 'prompt'),
      name: member(link, 'name'),
    });
  });
}

/** Recognizes a collection by its structure, without the media type. */
function isCollection(collection: JsonObject): boolean {
  return (
    text(collection, 'href') !== undefined &&
    (text(collection, 'version') !== undefined || Array.isArray(member(collection, 'items')))
  );
}
