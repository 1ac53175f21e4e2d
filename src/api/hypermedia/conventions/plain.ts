import { MAX_ADDRESS_LENGTH, MAX_TEXT_LENGTH } from '../../limits.ts';
import { isObject, pointerTo, text, type Entry, type JsonObject, hasMembers } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';
import { isNonWebAddress } from '../url.ts';
import { isAddress, isLinkObject, readLinkObject } from './linkObject.ts';

/** Names that stand for the resource's own address (contract, "link attributes"). */
const OWN = new Set(['link', 'self', 'selfLink']);

/** Names that stand for the resource's own address when it is on the same origin; otherwise for just an address. */
const ADDRESS = new Set(['href', 'url', 'uri', 'fullUrl']);

/** `html_url`, `avatarUrl`, `repo_href`: links whose relation is what stands in front. */
const SUFFIX = /^(.+?)(?:[_-](?:url|uri|href)|U(?:rl|RL|ri|RI)|Href)$/s;

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
  const page = pageRelation(name);
  if (page !== undefined && isLinkObject(value)) {
    readLinkObject(builder, page, value, pointer);
    return true;
  }
  return isObject(value) && readPagination(builder, name, value, pointer);
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
  if (name.length > MAX_TEXT_LENGTH) {
    return undefined;
  }
  return pageRelation(name) ?? (name === 'location' ? name : SUFFIX.exec(name)?.[1]);
}

/** An address under one of the names that stand for a link. */
function readAddress(builder: ResourceBuilder, name: string, value: string, pointer: string): boolean {
  if (ADDRESS.has(name)) {
    const target = builder.target(value, pointer);
    const isOwn = target?.kind === 'internal' && builder.self === undefined;
    return target !== undefined && builder.addLink(isOwn ? 'self' : name, value, pointer);
  }
  const rel = OWN.has(name) ? (builder.self === undefined ? 'self' : name) : relationOf(name);
  return rel !== undefined && builder.addLink(rel, value, pointer);
}

/** `links: [{rel, href}]`, `links: {rel: "…" | {href} | null}` or `link: {href}`; anything else is an ordinary member. */
function readLinks(builder: ResourceBuilder, value: unknown, pointer: string): boolean {
  if (Array.isArray(value)) {
    if (!value.some(isLink)) {
      return false;
    }
    for (const [index, item] of builder.firstValues<unknown>(value, pointer).entries()) {
      const rel = isObject(item) ? (relOf(item) ?? text(item, 'name') ?? 'related') : 'related';
      readLinkObject(builder, rel, item, pointerTo(pointer, index));
    }
    return true;
  }
  if (isLink(value)) {
    readLinkObject(builder, relOf(value) ?? 'self', value, pointer);
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

/** True for a value in a map of links; with any other value, the map is an ordinary object. */
function isLinkOrNone(value: unknown): boolean {
  return (
    value === null ||
    isAddress(value) ||
    (typeof value === 'string' && isNonWebAddress(value)) ||
    isLink(value) ||
    (Array.isArray(value) && value.every((item) => isAddress(item) || isLink(item)))
  );
}

/** `next`, `nextLink`, `next_page_url`, `prevPage`, `__next`, `nextRecordsUrl`: links from one page of a list to another. */
const PAGE = /^_{0,2}(next|prev|previous|first|last)(?:_?(?:page|records|results))?(?:_?(?:url|uri|href|link|path))?$/i;

/** Members that say where in a list its page stands, or of what kind its resource is. */
const HOLDERS = new Set(['pagination', 'paging', 'paginator', 'meta', 'metadata']);

/** Members of a holder that are the address of the resource that it belongs to: Kubernetes, SCIM. */
const HOLDER_ADDRESSES = new Set(['self', 'selfLink', 'location']);

/** The relation of a page, when the name of a member is that of one: what `previous_page_url` says is `previous`. */
function pageRelation(name: string): string | undefined {
  return PAGE.exec(name)?.[1]?.toLowerCase();
}

/**
 * Reads the links of a member that describes a list beside its items, such as `{pagination: {total: 9, next: "/x?page=2"}}`:
 * they are the list's own. What else the member holds is embedded.
 *
 * @returns true when the member holds such links
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
 * @param groups members that may hold its links in turn
 * @returns what else it holds; the holder itself when it has no links
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

/** The service's own paths (contract, "API v1"), of this and of other versions. */
const API_PATH = /^\/api\/v\d/;

const PATH = /^\/[^/]/;

const URL_WITH_HOST = /^https?:\/\/[^/]/i;

/** Everything up to the API's version: the path prefix under which the service is mounted. */
const MOUNTED = /^(.*?\/api\/v)\d+(?=\/|$)/;

/** Recognises addresses in members whose names say nothing. A guess: such links are never followed by themselves. */
export class LinkInference {
  /** Origin and, where the response came from under one, the path up to the API's version. */
  readonly #urlPrefix: string | undefined;
  readonly #pathPrefix: string | undefined;

  /** @param responseUrl absolute URL of the response */
  constructor(responseUrl: string) {
    const url = URL.parse(responseUrl);
    this.#pathPrefix = url === null ? undefined : MOUNTED.exec(url.pathname)?.[1];
    this.#urlPrefix = url === null ? undefined : `${url.origin}${this.#pathPrefix ?? '/'}`;
  }

  /** True for `/api/v1/…`, also under the prefix that the service is mounted at. */
  isApiPath(text: string): boolean {
    return (
      (API_PATH.test(text) || (this.#pathPrefix !== undefined && text.startsWith(this.#pathPrefix))) && isOneWord(text)
    );
  }

  /**
   * Adds a link for a string that is a path of the API, a URL under it, or a URL of another origin, which can only be
   * opened in a browser; in JSON-LD, whose values are often references, for any path. URLs elsewhere on the API's origin
   * are no links: nothing says that they belong to the API.
   *
   * @returns true when the value is shown as a link
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
