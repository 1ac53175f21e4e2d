import { isObject, member, pointerTo, text, type Entry } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';
import type { LinkInference } from './inferred.ts';
import { readLinkObject } from './linkObject.ts';

/** Names that stand for the resource's own address (contract, "link attributes"). */
const OWN = new Set(['link', 'self']);

/** Names that stand for the resource's own address when it is on the same origin; otherwise for just an address. */
const ADDRESS = new Set(['href', 'url', 'uri']);

/** Names that stand for a link only when the value is unmistakably an address: a location can also be a town. */
const PAGING = new Set(['next', 'previous', 'prev', 'first', 'last', 'location']);

/** `html_url`, `avatarUrl`: links whose relation is what stands in front. */
const SUFFIX = /^(.+)(?:_url|Url)$/s;

/** Starts like a URL, an absolute path or a query, and contains no space. */
const UNMISTAKABLE = /^(?:https?:\/\/|\/|\.\.?\/|\?)\S*$/i;

const ONE_WORD = /^\s*\S+\s*$/;

/**
 * Reads a member by its name as the many plain JSON services use it: addresses, and the lists `all`, `links` and `link`.
 *
 * @returns true when the member is understood and is no field of the resource
 */
export function readPlainMember(builder: ResourceBuilder, name: string, value: unknown, pointer: string): boolean {
  if (typeof value === 'string') {
    return readAddress(builder, name, value, pointer);
  }
  if (name === 'all' && Array.isArray(value) && value.length > 0) {
    // {apps: {link, all: […]}}: the elements are apps, whatever the member that holds them is called
    builder.embed(builder.rel === '' ? name : builder.rel, value, pointer);
    return true;
  }
  return (name === 'links' || name === 'link') && readLinks(builder, value, pointer);
}

/** True for a map of bare paths, `{android: "/api/v1/apps/1/android", ios: null}`, as in an app's `download`. */
export function isPathMap(members: readonly Entry[], inference: LinkInference): boolean {
  let paths = 0;
  for (const { name, value } of members) {
    if (typeof value === 'string' && inference.isApiPath(value) && !standsForLink(name)) {
      paths += 1;
    } else if (value !== null) {
      return false;
    }
  }
  return paths > 0;
}

function standsForLink(name: string): boolean {
  return OWN.has(name) || ADDRESS.has(name) || PAGING.has(name) || SUFFIX.test(name);
}

/** A string under one of the names that stand for a link. */
function readAddress(builder: ResourceBuilder, name: string, value: string, pointer: string): boolean {
  if (OWN.has(name)) {
    return ONE_WORD.test(value) && builder.addLink('plain', 'self', value, pointer);
  }
  if (PAGING.has(name)) {
    return UNMISTAKABLE.test(value) && builder.addLink('plain', name, value, pointer);
  }
  if (ADDRESS.has(name)) {
    const target = ONE_WORD.test(value) ? builder.target(value, pointer) : undefined;
    return target !== undefined && builder.addLink('plain', target.kind === 'internal' ? 'self' : name, value, pointer);
  }
  const rel = SUFFIX.exec(name)?.[1];
  return rel !== undefined && ONE_WORD.test(value) && builder.addLink('plain', rel, value, pointer);
}

/** `links: [{rel, href}]`, `links: {rel: "…" | {href} | null}` or `link: {href}`; anything else is an ordinary member. */
function readLinks(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  if (Array.isArray(value)) {
    if (!value.some(isLinkObject)) {
      return false;
    }
    for (const [index, item] of builder.firstLinks(value, pointer).entries()) {
      const rel = isObject(item) ? (text(item, 'rel') ?? text(item, 'name') ?? 'related') : 'related';
      readLinkObject(builder, 'plain', rel, item, pointerTo(pointer, index));
    }
    return true;
  }
  if (!isObject(value)) {
    return false;
  }
  if (isLinkObject(value)) {
    readLinkObject(builder, 'plain', text(value, 'rel') ?? 'self', value, pointer);
    return true;
  }
  const entries = Object.entries(value);
  if (!entries.some(([, item]) => isLinkObject(item) || (typeof item === 'string' && UNMISTAKABLE.test(item)))) {
    return false;
  }
  for (const [rel, item] of entries) {
    readLinkObject(builder, 'plain', rel, item, pointerTo(pointer, rel));
  }
  return true;
}

function isLinkObject(value: unknown): boolean {
  return isObject(value) && typeof member(value, 'href') === 'string';
}
