import { sentence } from '../../errors/sentence.ts';
import { isObject, member, text, type JsonObject } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';

/** Names of the member that holds the address, most formal first. */
const ADDRESSES = ['href', 'url', 'uri'];

/** A URL, a path, a query or a fragment, without spaces. A single word is none: `"icon_url": "none"`. */
const UNMISTAKABLE = /^(?:https?:\/\/|\/|\.\.?\/|\?|#)\S*$/i;

/** Members of a link object. An object with any other is a resource. */
const LINK_MEMBERS = new Set([
  ...ADDRESSES,
  ...['rel', 'relation', 'title', 'label', 'name', 'type', 'method', 'templated', 'deprecation', 'hreflang', 'active'],
]);

/**
 * Reads the value of a relation as HAL, JSON:API and many plain formats write it: a string, an object with `href`, or an
 * array of these. `null` says that there is no such link. What cannot be used is noted in the builder's `skipped`.
 *
 * @param depth arrays around the value; a third one is no list of links
 */
export function readLinkObject(
  builder: ResourceBuilder,
  rel: string,
  value: unknown,
  pointer: string,
  depth = 0,
): void {
  if (typeof value === 'string') {
    builder.addLink(rel, value, pointer);
  } else if (Array.isArray(value) && depth < 2) {
    for (const [index, item] of builder.firstValues<unknown>(value, pointer).entries()) {
      readLinkObject(builder, rel, item, `${pointer}/${index}`, depth + 1);
    }
  } else if (isObject(value)) {
    const name = addressName(value);
    builder.addLink(rel, member(value, name), `${pointer}/${name}`, {
      title: member(value, 'title') ?? member(value, 'label'),
      name: member(value, 'name'),
      type: member(value, 'type'),
      method: member(value, 'method'),
      deprecated: member(value, 'deprecation'),
    });
  } else if (value !== null) {
    builder.skip(pointer, sentence('Not a link: neither an address nor an object.'));
  }
}

/** Places for values that are none of a URI template's: `%{project_path}`, `${id}`, `{{id}}`. */
const PLACEHOLDER = /[%$]\{|\{\{/;

/** True for a text that can only be an address, whatever the name that it stands under. */
export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && UNMISTAKABLE.test(value) && !PLACEHOLDER.test(value);
}

/** True for an object that holds an address and nothing that does not belong to a link. */
export function isLinkObject(value: unknown): value is JsonObject {
  return (
    isObject(value) &&
    isAddress(member(value, addressName(value))) &&
    Object.keys(value).every((key) => LINK_MEMBERS.has(key))
  );
}

/** Name of the member of a link object that holds the address, or would. */
function addressName(object: JsonObject): string {
  return ADDRESSES.find((name) => text(object, name) !== undefined) ?? 'href';
}
