import { isObject, member } from './json.ts';
import type { JsonObject } from './json.ts';
import type { LinkDetails } from './linkDetails.ts';
import type { Node } from './node.ts';
import { ElementPointer, pointerToHref } from './pointer.ts';
import type { Pointer } from './pointer.ts';
import type { Convention } from './resource.ts';

/**
 * Reads the value of a relation as HAL, JSON:API and many plain formats write it: a string, an object with `href`, or an
 * array of these. What cannot be used is noted in the node's `skipped`.
 *
 * @param nullIsNone null says "there is no such link" (JSON:API 1.1, "Document Links") and is nothing to report
 * @returns true, because the value was meant as a link whether or not it could be used
 */
export function readLinkObject(
  node: Node,
  convention: Convention,
  rel: string,
  value: unknown,
  pointer: Pointer,
  nullIsNone = false,
): true {
  readValue(node, convention, rel, value, pointer, nullIsNone, 0);
  return true;
}

function readValue(
  node: Node,
  convention: Convention,
  rel: string,
  value: unknown,
  pointer: Pointer,
  nullIsNone: boolean,
  depth: number,
): void {
  if (typeof value === 'string') {
    node.link(convention, rel, value, pointer);
  } else if (Array.isArray(value) && depth < 2) {
    const array = String(pointer);
    node.each<unknown>(value, (item, index) => {
      readValue(node, convention, rel, item, new ElementPointer(array, index), nullIsNone, depth + 1);
    });
  } else if (isObject(value)) {
    readObject(node, convention, rel, value, pointer);
  } else if (value !== null || !nullIsNone) {
    node.skip(pointer, value === null ? 'The link is null.' : 'Not a link: neither an address nor an object.');
  }
}

/** Most link objects of a long list hold nothing but `href`: the members decide what is looked at. */
function readObject(node: Node, convention: Convention, rel: string, link: JsonObject, pointer: Pointer): void {
  let details: { -readonly [Key in keyof LinkDetails]: LinkDetails[Key] } | undefined;
  for (const name in link) {
    if (name === 'title' || name === 'name' || name === 'type' || name === 'method') {
      (details ??= {})[name] = link[name];
    } else if (name === 'deprecation') {
      (details ??= {}).deprecated = link[name];
    }
  }
  node.link(convention, rel, member(link, 'href'), pointerToHref(pointer), details);
}
