import { isObject, member } from '../json.ts';
import type { Convention } from '../resource.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';

/**
 * Reads the value of a relation as HAL, JSON:API and many plain formats write it: a string, an object with `href`, or an
 * array of these. What cannot be used is noted in the builder's `skipped`.
 *
 * @param depth arrays around the value; a third one is no list of links
 */
export function readLinkObject(
  builder: ResourceBuilder,
  convention: Convention,
  rel: string,
  value: unknown,
  pointer: string,
  depth = 0,
): void {
  if (typeof value === 'string') {
    builder.addLink(convention, rel, value, pointer);
  } else if (Array.isArray(value) && depth < 2) {
    for (const [index, item] of builder.firstLinks(value, pointer).entries()) {
      readLinkObject(builder, convention, rel, item, `${pointer}/${index}`, depth + 1);
    }
  } else if (isObject(value)) {
    builder.addLink(convention, rel, member(value, 'href'), `${pointer}/href`, {
      title: member(value, 'title'),
      name: member(value, 'name'),
      type: member(value, 'type'),
      method: member(value, 'method'),
      deprecated: member(value, 'deprecation'),
    });
  } else if (value !== null || convention !== 'json-api') {
    // JSON:API 1.1, "Document Links": null says that there is no such link
    builder.skip(pointer, value === null ? 'The link is null.' : 'Not a link: neither an address nor an object.');
  }
}
