import { MAX_ADDRESS_LENGTH, MAX_TEXT_LENGTH } from '../../limits.ts';
import { isObject, pointerTo, text, type JsonEntry, type JsonObject, hasMembers } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';
import { isNonWebAddress } from '../url.ts';
import { isAddress, isLinkObject, readLinkObject } from './linkObject.ts';

/** Names for the resource's own address (contract, "link attributes"). */
const OWN = new Set(['link', 'self', 'selfLink']);

/** Names for the resource's own address on the same origin. For other origins, they're ordinary links. */
const ADDRESS = new Set(['href', 'url', 'uri', 'fullUrl']);

/** Matches `html_url`, `avatarUrl`, and `repo_href`: links whose relation is the text before the suffix. */
const SUFFIX = /^(.+?)(?:[_-](?:url|uri|href)|U(?:rl|RL|ri|RI)|Href)$/s;

/**
 * Reads a member by its name, as used by many plain JSON services: addresses, page links, and the lists `all`, `links`,
 * and `link`.
 *
 * @returns whether the member was handled. Otherwise it's an ordinary field or an embedded resource.
 */
export function readPlainMember(builder: ResourceBuilder, name: string, value: unknown, pointer: string): boolean {
  if (typeof value === 'string') {
    return isAddress(value) && readAddress(builder, name, value, pointer);
  }
  if (name === 'all' && Array.isArray(value) && value.length > 0) {
    // In `{apps: {link, all: […]}}`, the elements of `all` are apps, named by the parent member.
    builder.embed(builder.rel === '' ? name : builder.rel, value, pointer);
    return true;
  }
  if (name === 'links' || name === 'link') {
    return readLinks(builder, value, pointer);
  }
  const page = pageRelation(name);
  if (page !== undefined && isLinkObject(value)) {
    readLinkObject(builder, page, value, pointer);
    return true;
  }
  return isObject(value) && readPagination(builder, name, value, pointer);
}

/**
 * Reports whether an object is a map of bare paths, such as an app's `download`: `{android: "/api/v1/apps/1/android",
 * ios: null}`.
 */
export function isPathMap(members: readonly JsonEntry[], inference: LinkInference): boolean {
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
  return OWN.has(name) || ADDRESS.has(name) || toRelation(name) !== undefined;
}

/** Returns the relation that a member's name expresses: a page relation, or the text before `_url`. */
function toRelation(name: string): string | undefined {
  if (name.length > MAX_TEXT_LENGTH) {
    return undefined;
  }
  return pageRelation(name) ?? (name === 'location' ? name : SUFFIX.exec(name)?.[1]);
}

/** Reads an address in a member whose name denotes a link. Returns false for other names. */
function readAddress(builder: ResourceBuilder, name: string, value: string, pointer: string): boolean {
  if (ADDRESS.has(name)) {
    const target = builder.target(value, pointer);
    const isOwn = target?.kind === 'internal' && builder.self === undefined;
    return target !== undefined && builder.addLink(isOwn ? 'self' : name, value, pointer);
  }
  const rel = OWN.has(name) ? (builder.self === undefined ? 'self' : name) : toRelation(name);
  return rel !== undefined && builder.addLink(rel, value, pointer);
}

/**
 * Reads `links: [{rel, href}]`, `links: {rel: "…" | {href} | null}`, or `link: {href}`. Returns false for an ordinary
 * member.
 */
function readLinks(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  if (Array.isArray(value)) {
    if (!value.some(isLink)) {
      return false;
    }
    for (const [index, item] of builder.firstValues<unknown>(value, pointer).entries()) {
      const rel = isObject(item) ? (getRel(item) ?? text(item, 'name') ?? 'related') : 'related';
      readLinkObject(builder, rel, item, pointerTo(pointer, index));
    }
    return true;
  }
  if (isLink(value)) {
    readLinkObject(builder, getRel(value) ?? 'self', value, pointer);
    return true;
  }
  const entries = builder.entries(value, pointer);
  if (!entries.every((entry) => isLinkOrNone(entry.value)) || entries.every((entry) => entry.value === null)) {
    return false;
  }
  for (const { name, value: link, pointer: at } of entries) {
    readLinkObject(builder, pageRelation(name) ?? name, link, at);
  }
  return true;
}

function getRel(link: JsonObject): string | undefined {
  return text(link, 'rel') ?? text(link, 'relation');
}

/** Reports whether a value is `{href}`, `{rel, url}`, `{relation, url}`, or an object that can only be a link. */
function isLink(value: unknown): value is JsonObject {
  return (
    isObject(value) &&
    (text(value, 'href') !== undefined ||
      (getRel(value) !== undefined && text(value, 'url') !== undefined) ||
      isLinkObject(value))
  );
}

/**
 * Reports whether a value can be part of a map of links. If a map contains any other value, it's an ordinary object.
 */
function isLinkOrNone(value: unknown): boolean {
  return (
    value === null ||
    isAddress(value) ||
    (typeof value === 'string' && isNonWebAddress(value)) ||
    isLink(value) ||
    (Array.isArray(value) && value.every((item) => isAddress(item) || isLink(item)))
  );
}

/**
 * Matches `next`, `nextLink`, `next_page_url`, `prevPage`, `__next`, and `nextRecordsUrl`: links between the pages of a
 * list.
 */
const PAGE = /^_{0,2}(next|prev|previous|first|last)(?:_?(?:page|records|results))?(?:_?(?:url|uri|href|link|path))?$/i;

/** Names of members ("holders") that describe the position of a page in a list, or the kind of a resource. */
const HOLDERS = new Set(['pagination', 'paging', 'paginator', 'meta', 'metadata']);

/** Members of a holder with the address of its resource, as in Kubernetes and SCIM. */
const HOLDER_ADDRESSES = new Set(['self', 'selfLink', 'location']);

/** Returns the page relation that a member name expresses: `previous` for `previous_page_url`. */
function pageRelation(name: string): string | undefined {
  return PAGE.exec(name)?.[1]?.toLowerCase();
}

/**
 * Reads the page links of a member that describes a list next to its items, such as `{pagination: {total: 9, next:
 * "/x?page=2"}}`. They become links of the list, and the rest of the member is embedded.
 *
 * @returns whether the member contains such links.
 */
function readPagination(builder: ResourceBuilder, name: string, holder: JsonObject, pointer: string): boolean {
  const rest = HOLDERS.has(name) ? readHolder(builder, holder, pointer, ['urls', 'links', 'pagination']) : holder;
  if (rest !== holder && hasMembers(rest)) {
    builder.embed(name, rest, pointer);
  }
  return rest !== holder;
}

/**
 * Adds the links of a holder: `{next}`, `{pagination: {urls: {next}}}`, `{meta: {pagination: {links: {next}}}}`.
 *
 * @param groups names of members that may contain further links.
 * @returns the rest of the holder, or the unchanged holder when it has no links.
 */
function readHolder(
  builder: ResourceBuilder,
  holder: JsonObject,
  pointer: string,
  groups: readonly string[],
): JsonObject {
  const rest: [string, unknown][] = [];
  let found = false;
  for (const { name, value, pointer: at } of builder.entries(holder, pointer)) {
    const rel = HOLDER_ADDRESSES.has(name) && builder.self === undefined ? 'self' : pageRelation(name);
    if (rel !== undefined && (isAddress(value) || isLinkObject(value))) {
      readLinkObject(builder, rel, value, at);
      found = true;
    } else if (isObject(value) && groups.includes(name)) {
      const inner = readHolder(builder, value, at, name === 'pagination' ? ['urls', 'links'] : []);
      found ||= inner !== value;
      if (inner === value || hasMembers(inner)) {
        rest.push([name, inner]);
      }
    } else if (rel === undefined || value !== null) {
      rest.push([name, value]);
    }
  }
  return found ? Object.fromEntries(rest) : holder;
}

/** Matches the service's paths (contract, "API v1"), in any version. */
const API_PATH = /^\/api\/v\d/;

const PATH = /^\/[^/]/;

const URL_WITH_HOST = /^https?:\/\/[^/]/i;

/** Matches the text up to the API version, including the path prefix where the service is mounted. */
const MOUNTED = /^(.*?\/api\/v)\d+(?=\/|$)/;

/**
 * Recognizes addresses in members whose names don't indicate a link. These are guesses, so such links are never
 * followed automatically.
 */
export class LinkInference {
  /** Origin, followed by the path up to the API version if the response's URL contains one. */
  readonly #urlPrefix: string | undefined;
  readonly #pathPrefix: string | undefined;

  /** @param responseUrl absolute URL of the response. */
  constructor(responseUrl: string) {
    const url = URL.parse(responseUrl);
    this.#pathPrefix = url === null ? undefined : MOUNTED.exec(url.pathname)?.[1];
    this.#urlPrefix = url === null ? undefined : `${url.origin}${this.#pathPrefix ?? '/'}`;
  }

  /** Reports whether a string is an API path (`/api/v1/…`), with or without the service's path prefix. */
  isApiPath(text: string): boolean {
    return (
      (API_PATH.test(text) || (this.#pathPrefix !== undefined && text.startsWith(this.#pathPrefix))) && isOneWord(text)
    );
  }

  /**
   * Adds a link for a string that is an API path or a URL under it, or a URL on another origin, which can only be
   * opened in a browser. In JSON-LD, whose values are often references, any path becomes a link. Other URLs on the
   * API's origin don't, because they might not belong to the API.
   *
   * @returns whether the value became a link.
   */
  read(builder: ResourceBuilder, name: string, value: unknown, pointer: string): boolean {
    if (typeof value !== 'string') {
      return false;
    }
    if (this.isApiPath(value) || (builder.format === 'hydra' && PATH.test(value) && isOneWord(value))) {
      return builder.inferLink(name, value, pointer);
    }
    return URL_WITH_HOST.test(value) && isOneWord(value) && builder.inferLink(name, value, pointer, this.#urlPrefix);
  }
}

function isOneWord(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && !/[\s{}\\]/.test(text);
}
