import { isObject, member, type JsonObject } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';

/** Members of `__metadata` that are addresses, and their relations (OData 2.0 JSON Format, "Representing Entries"). */
const METADATA_LINKS = [
  ['uri', 'self'],
  ['media_src', 'media'],
  ['edit_media', 'edit-media'],
] as const;

/**
 * Reads what the JSON format of OData 2, and the verbose one of OData 3, adds to an entity: its own address, and links in
 * the place of what was not expanded. In a document, all is wrapped in a member `d`.
 */
export function readVerbose(builder: ResourceBuilder, object: JsonObject): void {
  const wrapped = member(object, 'd');
  if (isObject(wrapped) && (isEntity(wrapped) || Array.isArray(member(wrapped, 'results')))) {
    const pointer = `${builder.pointer}/d`;
    builder.claimed.add('d');
    builder.include(wrapped, pointer, readEntity(builder, wrapped, pointer));
  }
  for (const name of readEntity(builder, object, builder.pointer)) {
    builder.claimed.add(name);
  }
}

/** @returns names of the members that have been understood */
function readEntity(builder: ResourceBuilder, entity: JsonObject, pointer: string): readonly string[] {
  const metadata = member(entity, '__metadata');
  if (!isObject(metadata)) {
    return [];
  }
  for (const [name, rel] of METADATA_LINKS) {
    const address = member(metadata, name);
    if (address !== undefined) {
      builder.addLink('odata', rel, address, `${pointer}/__metadata/${name}`);
    }
  }
  builder.include(metadata, `${pointer}/__metadata`, ['id', ...METADATA_LINKS.map(([name]) => name)]);
  const understood = ['__metadata'];
  for (const { name, value, pointer: at } of builder.entries(entity, pointer)) {
    const deferred = isObject(value) ? member(value, '__deferred') : undefined;
    const results = isObject(value) ? member(value, 'results') : undefined;
    if (isObject(deferred)) {
      builder.addLink('odata', name, member(deferred, 'uri'), `${at}/__deferred/uri`);
      understood.push(name);
    } else if (Array.isArray(results) && results.every(isObject)) {
      builder.embed(name, results, `${at}/results`);
      understood.push(name);
    }
  }
  return understood;
}

function isEntity(object: JsonObject): boolean {
  return isObject(member(object, '__metadata'));
}
