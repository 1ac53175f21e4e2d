import { addForm } from '../forms.ts';
import { isObject, member, text, type JsonObject } from '../json.ts';
import type { ResourceBuilder, ConventionReader } from '../resourceBuilder.ts';

/**
 * Relations, keyed by the name of the control information that contains the link (OData JSON Format 4.01 §4.6). OData
 * 3.0 uses `navigationLinkUrl`.
 */
const LINKS = new Map([
  ['readLink', 'self'],
  ['id', 'self'],
  ['editLink', 'edit'],
  ['nextLink', 'next'],
  ['deltaLink', 'delta'],
  ['mediaReadLink', 'media'],
  ['mediaEditLink', 'edit-media'],
  ['navigationLink', 'related'],
  ['navigationLinkUrl', 'related'],
  ['associationLink', 'related'],
  ['associationLinkUrl', 'related'],
  ['context', 'context'],
]);

/** Names that JSON-LD also uses. Without the prefix `odata.`, they're read only in documents that declare OData. */
const AMBIGUOUS = ['id', 'context', 'type'];

/**
 * Reads OData 4.0 and 4.01 control information. Recognizes documents by the names of their members or by the header
 * `OData-Version`.
 */
export const odata: ConventionReader = {
  convention: 'odata',
  mediaTypes: [],
  read(builder, object) {
    readVerbose(builder, object);
    if (builder.format !== 'odata' && !builder.members.some(({ name }) => name.includes('@') || isLight(name))) {
      return;
    }
    readODataContext(builder);
    for (const { name: key, value, pointer } of builder.members) {
      const [property, name] = controlInformation(builder, key);
      const rel = LINKS.get(name);
      if (rel === undefined || builder.claimed.has(key)) {
        continue;
      }
      if (property !== '') {
        builder.claimed.add(key);
        builder.addLink(property, value, pointer, name.startsWith('navigationLink') ? {} : { name });
      } else if (rel !== 'context') {
        builder.claimed.add(key);
        builder.addLink(rel, value, pointer);
      }
    }
    readActions(builder);
  },
};

/** Reads the context URL. Relative references in the object and everything inside resolve against it (§4.5). */
function readODataContext(builder: ResourceBuilder): void {
  for (const name of ['@odata.context', 'odata.metadata', ...(builder.format === 'odata' ? ['@context'] : [])]) {
    const context = builder.getUnclaimed(name);
    if (typeof context !== 'string') {
      continue;
    }
    builder.claimed.add(name);
    const pointer = `${builder.pointer}/${name}`;
    const target = builder.target(context, pointer);
    if (target !== undefined && target.kind !== 'template') {
      builder.addLink('context', context, pointer);
      builder.base = target.url;
    }
  }
}

/** Reads actions, which are invoked with POST (OData Protocol 4.01 §11.5.5). */
function readActions(builder: ResourceBuilder): void {
  for (const { name: key, value: action, pointer } of builder.members) {
    if (key.startsWith('#') && isObject(action) && text(action, 'target') !== undefined) {
      builder.claimed.add(key);
      addForm(builder, pointer, {
        name: key.slice(key.lastIndexOf('.') + 1).replace(/^#/, ''),
        title: member(action, 'title'),
        method: 'POST',
        href: member(action, 'target'),
        contentType: 'application/json',
      });
    }
  }
}

/**
 * Reports whether a name is from OData 3's JSON Light format, which has `odata.nextLink` instead of `@odata.nextLink`.
 */
function isLight(key: string): boolean {
  return key.startsWith('odata.');
}

/**
 * Splits `Orders@odata.navigationLink` into the property and the name of the control information. For other members,
 * the name is empty.
 */
function controlInformation(builder: ResourceBuilder, key: string): readonly [property: string, name: string] {
  const at = isLight(key) ? 0 : key.indexOf('@');
  if (at < 0) {
    return ['', ''];
  }
  const rest = isLight(key) ? key : key.slice(at + 1);
  if (rest.startsWith('odata.')) {
    return [key.slice(0, at), rest.slice('odata.'.length)];
  }
  return [key.slice(0, at), builder.format !== 'odata' && AMBIGUOUS.includes(rest) ? '' : rest];
}

/** Members of `__metadata` that are addresses, with their relations (OData 2.0 JSON Format, "Representing Entries"). */
const METADATA_LINKS = [
  ['uri', 'self'],
  ['media_src', 'media'],
  ['edit_media', 'edit-media'],
] as const;

/**
 * Reads the metadata in OData 2 JSON and OData 3 verbose JSON: an entity's address, and links that replace values that
 * weren't expanded. A document wraps everything in a member `d`.
 */
function readVerbose(builder: ResourceBuilder, object: JsonObject): void {
  const wrapped = member(object, 'd');
  if (isObject(wrapped) && (isODataEntity(wrapped) || Array.isArray(member(wrapped, 'results')))) {
    const pointer = `${builder.pointer}/d`;
    builder.claimed.add('d');
    builder.include(wrapped, pointer, readEntity(builder, wrapped, pointer));
  }
  for (const name of readEntity(builder, object, builder.pointer)) {
    builder.claimed.add(name);
  }
}

/** Reads the metadata and links of an entity. @returns the names of the handled members. */
function readEntity(builder: ResourceBuilder, entity: JsonObject, pointer: string): readonly string[] {
  const metadata = member(entity, '__metadata');
  if (!isObject(metadata)) {
    return [];
  }
  for (const [name, rel] of METADATA_LINKS) {
    const address = member(metadata, name);
    if (address !== undefined) {
      builder.addLink(rel, address, `${pointer}/__metadata/${name}`);
    }
  }
  builder.include(metadata, `${pointer}/__metadata`, ['id', ...METADATA_LINKS.map(([name]) => name)]);
  const understood = ['__metadata'];
  for (const { name, value, pointer: at } of builder.entries(entity, pointer)) {
    const deferred = isObject(value) ? member(value, '__deferred') : undefined;
    const results = isObject(value) ? member(value, 'results') : undefined;
    if (isObject(deferred)) {
      builder.addLink(name, member(deferred, 'uri'), `${at}/__deferred/uri`);
      understood.push(name);
    } else if (Array.isArray(results) && results.every(isObject)) {
      builder.embed(name, results, `${at}/results`);
      understood.push(name);
    }
  }
  return understood;
}

function isODataEntity(object: JsonObject): boolean {
  return isObject(member(object, '__metadata'));
}
