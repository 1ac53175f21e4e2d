import { isObject, member, text } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Inference } from './inferred.ts';
import { readLinkObject } from './linkObject.ts';
import type { MemberName } from './memberName.ts';
import type { Node } from './node.ts';
import { ElementPointer, pointerTo } from './pointer.ts';

/** Starts like a URL, an absolute path or a query, and contains no space. */
const UNMISTAKABLE = /^(?:https?:\/\/|\/|\.\.?\/|\?)\S*$/i;

const ONE_WORD = /^\s*\S+\s*$/;

/**
 * Lists of the plain JSON conventions: `all`, `links` and `link`.
 *
 * @returns true when the member is understood and is no field of the resource
 */
export function readPlainList(node: Node, name: string, value: unknown, pointer: string): boolean {
  if (name === 'all' && Array.isArray(value) && value.length > 0) {
    // {apps: {link, all: […]}}: the elements are apps, whatever the member that holds them is called
    node.embed(node.rel === '' ? name : node.rel, value, pointer);
    return true;
  }
  if (name === 'links' || name === 'link') {
    return readLinks(node, value, pointer);
  }
  return false;
}

/** True for a map of bare paths, `{android: "/api/v1/apps/1/android", ios: null}`, as in an app's `download`. */
export function isPathMap(object: JsonObject, members: readonly MemberName[], inference: Inference): boolean {
  let paths = 0;
  for (const { name, role } of members) {
    const value = object[name];
    if (typeof value === 'string' && role === 'none' && inference.isApiPath(value)) {
      paths += 1;
    } else if (value !== null) {
      return false;
    }
  }
  return paths > 0;
}

/** A string under one of the names that stand for a link. */
export function readPlainAddress(node: Node, { role, rel, step }: MemberName, value: string, pointer: string): boolean {
  switch (role) {
    case 'none':
      return false;
    case 'own':
    case 'suffix':
      return ONE_WORD.test(value) && node.link('plain', rel, value, pointer + step);
    case 'paging':
      return UNMISTAKABLE.test(value) && node.link('plain', rel, value, pointer + step);
    case 'address': {
      const target = ONE_WORD.test(value) ? node.target(value, pointer + step) : undefined;
      return (
        target !== undefined && node.link('plain', target.kind === 'internal' ? 'self' : rel, value, pointer + step)
      );
    }
  }
}

/** `links: [{rel, href}]`, `links: {rel: "…" | {href} | null}` or `link: {href}`; anything else is an ordinary member. */
function readLinks(node: Node, value: unknown, pointer: string): boolean {
  if (Array.isArray(value)) {
    if (!value.some(isLinkObject)) {
      return false;
    }
    node.each<unknown>(value, (item, index) => {
      const rel = isObject(item) ? (text(item, 'rel') ?? text(item, 'name') ?? 'related') : 'related';
      readLinkObject(node, 'plain', rel, item, new ElementPointer(pointer, index));
    });
    return true;
  }
  if (!isObject(value)) {
    return false;
  }
  if (isLinkObject(value)) {
    return readLinkObject(node, 'plain', text(value, 'rel') ?? 'self', value, pointer);
  }
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => isLinkObject(item) || (typeof item === 'string' && UNMISTAKABLE.test(item)))) {
    return false;
  }
  for (const [rel, item] of entries) {
    readLinkObject(node, 'plain', rel, item, pointerTo(pointer, rel));
  }
  return true;
}

function isLinkObject(value: unknown): boolean {
  return isObject(value) && typeof member(value, 'href') === 'string';
}
