import { isObject, pointerTo, text, type Entry, type JsonObject } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';
import { isNonWebAddress } from '../schemes.ts';
import type { LinkInference } from './inferred.ts';
import { isAddress, isLinkObject, readLinkObject } from './linkObject.ts';
import { pageRelation, readPagination } from './pagination.ts';

/** Names that stand for the resource's own address (contract, "link attributes"). */
const OWN = new Set(['link', 'self', 'selfLink']);

/** Names that stand for the resource's own address when it is on the same origin; otherwise for just an address. */
const ADDRESS = new Set(['href', 'url', 'uri', 'fullUrl']);

/** `html_url`, `avatarUrl`, `repo_href`: links whose relation is what stands in front. */
const SUFFIX = /^(.+?)(?:[_-](?:url|uri|href)|U(?:rl|RL|ri|RI)|Href)$/s;

/** Longer names are data. */
const MAX_NAME_LENGTH = 4096;

/**
 * Reads a member by its name as the many plain JSON services use it: addresses, pages, and the lists `all`, `links` and
 * `link`.
 *
 * @returns true when the member is understood and is no field of the resource
 */
export function readPlainMember(builder: ResourceBuilder, name: string, value: unknown, pointer: string): boolean {
  if (typeof value === 'string') {
    return isAddress(value) && readAddress(builder, name, value, pointer);
  }
  if (name === 'all' && Array.isArray(value) && value.length > 0) {
    // {apps: {link, all: […]}}: the elements are apps, whatever the member that holds them is called
    builder.embed(builder.rel === '' ? name : builder.rel, value, pointer);
    return true;
  }
  if (name === 'links' || name === 'link') {
    return readLinks(builder, value, pointer);
  }
  if (!isObject(value)) {
    return false;
  }
  const page = pageRelation(name);
  if (page !== undefined && isLinkObject(value)) {
    readLinkObject(builder, 'plain', page, value, pointer);
    return true;
  }
  return readPagination(builder, name, value, pointer);
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
  return OWN.has(name) || ADDRESS.has(name) || relationOf(name) !== undefined;
}

/** The relation that a member's name states: a page's, or what stands in front of `_url`. */
function relationOf(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) {
    return undefined;
  }
  return pageRelation(name) ?? (name === 'location' ? name : SUFFIX.exec(name)?.[1]);
}

/** An address under one of the names that stand for a link. */
function readAddress(builder: ResourceBuilder, name: string, value: string, pointer: string): boolean {
  if (ADDRESS.has(name)) {
    const target = builder.target(value, pointer);
    const isOwn = target?.kind === 'internal' && builder.self === undefined;
    return target !== undefined && builder.addLink('plain', isOwn ? 'self' : name, value, pointer);
  }
  const rel = OWN.has(name) ? (builder.self === undefined ? 'self' : name) : relationOf(name);
  return rel !== undefined && builder.addLink('plain', rel, value, pointer);
}

/** `links: [{rel, href}]`, `links: {rel: "…" | {href} | null}` or `link: {href}`; anything else is an ordinary member. */
function readLinks(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  if (Array.isArray(value)) {
    if (!value.some(isLink)) {
      return false;
    }
    for (const [index, item] of builder.firstLinks(value, pointer).entries()) {
      const rel = isObject(item) ? (relOf(item) ?? text(item, 'name') ?? 'related') : 'related';
      readLinkObject(builder, 'plain', rel, item, pointerTo(pointer, index));
    }
    return true;
  }
  if (isLink(value)) {
    readLinkObject(builder, 'plain', relOf(value) ?? 'self', value, pointer);
    return true;
  }
  const entries = builder.entries(value, pointer);
  if (!entries.every((entry) => isLinkOrNone(entry.value)) || entries.every((entry) => entry.value === null)) {
    return false;
  }
  for (const { name, value: link, pointer: at } of entries) {
    readLinkObject(builder, 'plain', pageRelation(name) ?? name, link, at);
  }
  return true;
}

function relOf(link: JsonObject): string | undefined {
  return text(link, 'rel') ?? text(link, 'relation');
}

/** `{href}`, `{rel, url}`, `{relation, url}`, or an object that can be nothing but a link. */
function isLink(value: unknown): value is JsonObject {
  return (
    isObject(value) &&
    (text(value, 'href') !== undefined ||
      (relOf(value) !== undefined && text(value, 'url') !== undefined) ||
      isLinkObject(value))
  );
}

/** What a map of links holds; with anything else in it, it is an ordinary object. */
function isLinkOrNone(value: unknown): boolean {
  return (
    value === null ||
    isAddress(value) ||
    (typeof value === 'string' && isNonWebAddress(value)) ||
    isLink(value) ||
    (Array.isArray(value) && value.every((item) => isAddress(item) || isLink(item)))
  );
}
