import { sentence } from '../../../errors/index.ts';
import { isObject, member, text, type JsonObject } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';

/** Member names for the address, most formal first. */
const ADDRESSES = ['href', 'url', 'uri'];

/**
 * Matches a URL, path, query, or fragment without spaces. A single word isn't an address, such as `"icon_url": "none"`.
 */
const UNMISTAKABLE = /^(?:https?:\/\/|\/|\.\.?\/|\?|#)\S*$/i;

/** Members of a link object. An object with any other member is a resource. */
const LINK_MEMBERS = new Set([
  ...ADDRESSES,
  ...['rel', 'relation', 'title', 'label', 'name', 'type', 'method', 'templated', 'deprecation', 'hreflang', 'active'],
]);

/**
 * Reads the value of a relation in the form that HAL, JSON:API, and many plain formats use: a string, an object with
 * `href`, or an array of these. `null` means that the link doesn't exist. Unusable values are noted in the builder's
 * `skipped`.
 *
 * @param depth number of arrays around the value. Lists of links have at most two levels.
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

/** Matches placeholders that aren't URI template expressions: `%{project_path}`, `${id}`, `{{id}}`. */
const PLACEHOLDER = /[%$]\{|\{\{/;

/** Reports whether a value must be an address, whatever the name of its member is. */
export function isAddress(value: unknown): value is string {
  return typeof value === 'string' && UNMISTAKABLE.test(value) && !PLACEHOLDER.test(value);
}

/** Reports whether a value is a link object: it has an address, and only members that belong to a link. */
export function isLinkObject(value: unknown): value is JsonObject {
  return (
    isObject(value) &&
    isAddress(member(value, addressName(value))) &&
    Object.keys(value).every((key) => LINK_MEMBERS.has(key))
  );
}

/** Returns the name of the member that holds the address of a link object. Defaults to `href`. */
function addressName(object: JsonObject): string {
  return ADDRESSES.find((name) => text(object, name) !== undefined) ?? 'href';
}
