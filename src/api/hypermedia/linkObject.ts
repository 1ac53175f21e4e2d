import { isObject, member, pointerTo } from './json.ts';
import type { JsonObject } from './json.ts';
import type { LinkDetails, Node } from './node.ts';
import type { Convention } from './resource.ts';

/**
 * Reads the value of a relation as HAL, JSON:API and many plain formats write it: a string, an object with `href`, or an
 * array of these. What cannot be used is noted in the node's `skipped`.
 *
 * @param nullIsNone null says "there is no such link" (JSON:API 1.1, "Document Links") and is nothing to report
 * @returns true, because the value was meant as a link whether or not it could be used
 */
export function readLinkObject(node: Node, convention: Convention, rel: string, value: unknown, pointer: string, nullIsNone = false): true {
  // arrays inside arrays are rare; a list of pending values keeps them off the call stack
  const pending: { readonly value: unknown; readonly pointer: string; readonly depth: number }[] = [{ value, pointer, depth: 0 }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { value: link, pointer: at, depth } = item;
    if (typeof link === 'string') {
      node.link(convention, rel, link, at);
    } else if (Array.isArray(link) && depth < 2) {
      for (let index = link.length - 1; index >= 0; index -= 1) {
        pending.push({ value: link[index], pointer: pointerTo(at, index), depth: depth + 1 });
      }
    } else if (isObject(link)) {
      readObject(node, convention, rel, link, at);
    } else if (link !== null || !nullIsNone) {
      node.skip(at, link === null ? 'The link is null.' : 'Not a link: neither an address nor an object.');
    }
  }
  return true;
}

/** Most link objects of a long list hold nothing but `href`: the members decide what is looked at. */
function readObject(node: Node, convention: Convention, rel: string, link: JsonObject, pointer: string): void {
  let details: { -readonly [Key in keyof LinkDetails]: LinkDetails[Key] } | undefined;
  for (const name of Object.keys(link)) {
    if (name === 'title' || name === 'name' || name === 'type' || name === 'method') {
      (details ??= {})[name] = link[name];
    } else if (name === 'deprecation') {
      (details ??= {}).deprecated = link[name];
    }
  }
  node.link(convention, rel, member(link, 'href'), `${pointer}/href`, details);
}
