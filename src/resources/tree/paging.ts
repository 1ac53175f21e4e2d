import type { BuildServiceClient } from '../../api/client.ts';
import { InvalidInputError } from '../../api/errors/buildServiceError.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Embedded, Field, Link, LinkTarget, Resource } from '../../api/hypermedia/resource.ts';

/** A resource, with as many pages of it as have been loaded. */
export interface PagedResource {
  readonly resource: Resource;
  /** URLs of the pages after the first, in order. */
  readonly laterPages: readonly string[];
}

/**
 * Removes a wrapper that only repeats the name of its node: `keys` leads to `{keys: {ios, android}, link}` and is to open
 * as `ios`, `android`; `playlists` to `{playlists: {items, next}}`, whose pages are those of the list in it.
 *
 * @param relation of the node.
 * @param url that answered with the document.
 * @returns a resource with the pointer of the one inside: later pages have their items there.
 */
export function withoutWrapper(resource: Resource, relation: string, url: string): Resource {
  const [only] = resource.embedded;
  if (
    only?.rel !== relation ||
    only.index !== undefined ||
    resource.embedded.length > 1 ||
    resource.fields.length > 0
  ) {
    return resource;
  }
  const { fields, embedded, links, forms, skipped, self, pointer, isArray } = only.resource;
  const own = self?.target;
  const outer = resource.self?.target;
  if (own !== undefined && !(own.kind === 'internal' && (own.url === url || own.url === urlOf(outer)))) {
    return resource;
  }
  return {
    ...resource,
    fields,
    embedded,
    links: [...links, ...resource.links],
    forms: [...forms, ...resource.forms],
    skipped: [...skipped, ...resource.skipped],
    pointer,
    ...(isArray && { isArray }),
  };
}

function urlOf(target: LinkTarget | undefined): string | undefined {
  return target?.kind === 'internal' ? target.url : undefined;
}

/** Relations of one page to another (RFC 8288, IANA registry; `previous` is Django REST framework's). */
const PAGE_RELATIONS = new Set(['first', 'prev', 'previous', 'next', 'last', 'self']);

/**
 * URL of the first page that has not been loaded. A page that leads back to an earlier one is the last.
 *
 * @param firstPage URL of the resource itself, when it has one.
 */
export function nextPageUrl({ resource, laterPages }: PagedResource, firstPage?: string): string | undefined {
  const url = urlOf(nextPageLink(resource)?.target);
  return url !== undefined && url !== firstPage && !laterPages.includes(url) ? url : undefined;
}

/**
 * Loads a page and appends it.
 *
 * @param url of the next page.
 * @throws BuildServiceError when it cannot be loaded, or is not JSON.
 */
export async function loadNextPage(
  { resource, laterPages }: PagedResource,
  url: string,
  client: BuildServiceClient,
): Promise<PagedResource> {
  const { body } = await client.get(url);
  if (body.kind !== 'json') {
    throw new InvalidInputError(
      sentence('The next page of the list is not JSON.'),
      sentence('Refresh the list, then try again.'),
      'retry',
    );
  }
  return {
    resource: appendPage(resource, listOf(body.resource, resource.pointer)),
    laterPages: [...laterPages, url],
  };
}

/**
 * The list of a later page: where the first page had it, or the document itself. What stands around it may say where the next page is.
 *
 * @param pointer of the list in the first page.
 */
function listOf(document: Resource, pointer: string): Resource {
  let list = document;
  while (list.pointer !== pointer) {
    const inside = list.embedded.find((part) => !isItem(part) && `${pointer}/`.startsWith(`${part.resource.pointer}/`));
    if (inside === undefined) {
      return document;
    }
    const next = list.links.filter(({ rel }) => isNextRelation(rel));
    const { resource } = inside;
    list = { ...resource, links: [...resource.links, ...next] };
  }
  return list;
}

/**
 * Link to the next page, in whichever convention. The `next` of something that lists nothing is an ordinary link: the
 * next chapter, not the next page.
 */
export function nextPageLink(resource: Resource): Link | undefined {
  const next = resource.links.find(
    ({ rel, target, inferred }) => isNextRelation(rel) && target.kind === 'internal' && inferred !== true,
  );
  if (next === undefined) {
    return undefined;
  }
  const isList =
    resource.isArray === true || resource.embedded.some(isItem) || resource.links.some(({ rel }) => rel === 'item');
  return isList ? next : undefined;
}

/** `next` in any case (RFC 8288 §2.1.1), also as Hydra writes it. */
export function isNextRelation(rel: string): boolean {
  return /^(?:hydra:)?next$/i.test(rel);
}

/**
 * A list with the items of its next page after its own. All else stays as the first page says, but `next` is the later
 * page's.
 */
export function appendPage(list: Resource, page: Resource): Resource {
  const shownLinks = new Set(list.links.map(linkKey));
  return {
    ...list,
    fields: list.isArray ? [...list.fields, ...renumberFields(list, page.fields)] : list.fields,
    embedded: [...list.embedded, ...renumberItems(list.embedded, page.embedded)],
    links: [
      ...list.links.filter(({ rel }) => !isNextRelation(rel)),
      // In lists of links, each page repeats the list's other links.
      ...page.links.filter(
        (link) => isNextRelation(link.rel) || !(PAGE_RELATIONS.has(link.rel) || shownLinks.has(linkKey(link))),
      ),
    ],
    skipped: [...list.skipped, ...page.skipped],
  };
}

function linkKey({ rel, target }: { readonly rel: string; readonly target: LinkTarget }): string {
  return JSON.stringify([rel, target]);
}

function isItem({ index }: Embedded): boolean {
  return index !== undefined;
}

/** Items of a later page with their positions in the whole list. Each is still read only when it is looked at. */
function renumberItems(shown: readonly Embedded[], items: readonly Embedded[]): Embedded[] {
  const counts = new Map<string, number>();
  for (const { rel, index } of shown) {
    if (index !== undefined) {
      counts.set(rel, Math.max(index + 1, counts.get(rel) ?? 0));
    }
  }
  return items.filter(isItem).map((item) => ({
    rel: item.rel,
    index: (counts.get(item.rel) ?? 0) + (item.index ?? 0),
    get resource() {
      return item.resource;
    },
  }));
}

/** The elements of an array are named by their position, over all its pages. Those that look like a link are links. */
function renumberFields(list: Resource, fields: readonly Field[]): Field[] {
  const links = list.links.filter(({ inferred }) => inferred);
  const count = list.fields.length + list.embedded.length + links.length;
  return fields.map((field) => ({ ...field, name: String(count + Number(field.name)) }));
}

/**
 * How much of each section of a long resource is shown, so that all together have at most `limit` entries. The longest
 * are shortened first, so that what comes after a long list can still be reached.
 *
 * @param lengths of the sections.
 */
export function limitSections(lengths: readonly number[], limit: number): readonly number[] {
  let remaining = limit;
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(remaining / (ascending.length - index));
    if (length > share) {
      return lengths.map((whole) => Math.min(whole, share));
    }
    remaining -= length;
  }
  return lengths;
}
