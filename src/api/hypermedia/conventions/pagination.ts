import { hasMembers, isObject, type JsonObject } from '../json.ts';
import type { ResourceBuilder } from '../resourceBuilder.ts';
import { isAddress, isLinkObject, readLinkObject } from './linkObject.ts';

/** `next`, `nextLink`, `next_page_url`, `prevPage`, `__next`, `nextRecordsUrl`: links from one page of a list to another. */
const PAGE = /^_{0,2}(next|prev|previous|first|last)(?:_?(?:page|records|results))?(?:_?(?:url|uri|href|link|path))?$/i;

/** Members that say where in a list its page stands, or of what kind its resource is. */
const HOLDERS = new Set(['pagination', 'paging', 'paginator', 'meta', 'metadata']);

/** Members of a holder that group its links: `{pagination: {urls: {next}}}`, `{meta: {pagination: {links: {next}}}}`. */
const GROUPS = new Set(['urls', 'links', 'pagination']);

/** Groups in groups that are looked into. */
const MAX_GROUP_DEPTH = 2;

/** Members of a holder that are the address of the resource that it belongs to: Kubernetes, SCIM. */
const OWN = new Set(['self', 'selfLink', 'location']);

/** The relation of a page, when the name of a member is that of one: what `previous_page_url` says is `previous`. */
export function pageRelation(name: string): string | undefined {
  return PAGE.exec(name)?.[1]?.toLowerCase();
}

/**
 * Reads the links of a member that describes a list beside its items, such as `{pagination: {total: 9, next: "/x?page=2"}}`:
 * they are the list's own. What else the member holds is embedded.
 *
 * @returns true when the member holds such links
 */
export function readPagination(builder: ResourceBuilder, name: string, holder: JsonObject, pointer: string): boolean {
  if (!HOLDERS.has(name)) {
    return false;
  }
  const rest = readHolder(builder, holder, pointer);
  if (rest === holder) {
    return false;
  }
  if (hasMembers(rest)) {
    builder.embed(name, rest, pointer);
  }
  return true;
}

/** Adds the links of a holder. @returns what else it holds; the holder itself when it has no links */
function readHolder(builder: ResourceBuilder, holder: JsonObject, pointer: string, depth = 0): JsonObject {
  const rest: [string, unknown][] = [];
  let found = false;
  for (const { name, value, pointer: at } of builder.entries(holder, pointer)) {
    const rel = OWN.has(name) && builder.self === undefined ? 'self' : pageRelation(name);
    if (rel !== undefined && (isAddress(value) || isLinkObject(value))) {
      readLinkObject(builder, 'plain', rel, value, at);
      found = true;
    } else if (GROUPS.has(name) && isObject(value) && depth < MAX_GROUP_DEPTH) {
      const inner = readHolder(builder, value, at, depth + 1);
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
