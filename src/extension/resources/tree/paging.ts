import type {
  BuildServiceClient,
  EmbeddedResource,
  Link,
  LinkTarget,
  Resource,
  ResourceField,
} from '../../../service-client/index.ts';
import { InvalidInputError, sentence } from '../../../errors/index.ts';

/** Resource with the pages that have been loaded. */
export interface PagedResource {
  readonly resource: Resource;
  /** URLs of the pages after the first, in order. */
  readonly laterPages: readonly string[];
}

/**
 * Removes a wrapper that only repeats the name of its node. For example, `keys` leads to `{keys: {ios, android}, link}`
 * but expands to `ios` and `android`. `playlists` leads to `{playlists: {items, next}}` and uses the pages of the inner
 * list.
 *
 * @param relation relation of the node.
 * @param url URL of the response.
 * @returns a resource with the pointer of the inner one, because later pages have their items there.
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
  if (own !== undefined && !(own.kind === 'internal' && (own.url === url || own.url === getTargetUrl(outer)))) {
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

function getTargetUrl(target: LinkTarget | undefined): string | undefined {
  return target?.kind === 'internal' ? target.url : undefined;
}

/** Relations between pages (RFC 8288, IANA registry). `previous` is from Django REST framework. */
const PAGE_RELATIONS = new Set(['first', 'prev', 'previous', 'next', 'last', 'self']);

/**
 * Returns the URL of the first page that hasn't been loaded. A page that leads back to an earlier page is the last one.
 *
 * @param firstPage URL of the resource itself, if it has one.
 */
export function nextPageUrl({ resource, laterPages }: PagedResource, firstPage?: string): string | undefined {
  const url = getTargetUrl(nextPageLink(resource)?.target);
  return url !== undefined && url !== firstPage && !laterPages.includes(url) ? url : undefined;
}

/**
 * Loads a page and appends it.
 *
 * @param url URL of the next page.
 * @throws {@link BuildServiceError} when it can't be loaded or isn't JSON.
 */
export async function loadNextPage(
  { resource, laterPages }: PagedResource,
  url: string,
  client: BuildServiceClient,
): Promise<PagedResource> {
  const { body } = await client.get(url);
  if (body.kind !== 'json') {
    throw new InvalidInputError(
      sentence('The next page of the list isn’t JSON.'),
      sentence('Refresh the list, then try again.'),
      'retry',
    );
  }
  return {
    resource: appendPage(resource, getPageList(body.resource, resource.pointer)),
    laterPages: [...laterPages, url],
  };
}

/**
 * Returns the list in a later page: at the same position as in the first page, or the document itself. The enclosing
 * parts may contain the link to the next page.
 *
 * @param pointer JSON Pointer of the list in the first page.
 */
function getPageList(document: Resource, pointer: string): Resource {
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
 * Finds the link to the next page, whichever convention the service uses. If the resource isn't a list, `next` is an
 * ordinary link, such as one to the next chapter.
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

/** Reports whether a relation is `next`, ignoring case (RFC 8288 §2.1.1) and including Hydra's form. */
export function isNextRelation(rel: string): boolean {
  return /^(?:hydra:)?next$/i.test(rel);
}

/**
 * Appends the items of the next page to a list. The list keeps the values of the first page, except that `next` is
 * taken from the later page.
 */
export function appendPage(list: Resource, page: Resource): Resource {
  const shownLinks = new Set(list.links.map(linkKey));
  return {
    ...list,
    fields: list.isArray ? [...list.fields, ...renumberFields(list, page.fields)] : list.fields,
    embedded: [...list.embedded, ...renumberItems(list.embedded, page.embedded)],
    links: [
      ...list.links.filter(({ rel }) => !isNextRelation(rel)),
      // In lists of links, every page repeats the list's other links.
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

function isItem({ index }: EmbeddedResource): boolean {
  return index !== undefined;
}

/**
 * Renumbers the items of a later page by their positions in the whole list. Items are still read only on first access.
 */
function renumberItems(shown: readonly EmbeddedResource[], items: readonly EmbeddedResource[]): EmbeddedResource[] {
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

/**
 * Renumbers the elements of an array over all its pages. Elements that look like links are shown as links but keep
 * their positions.
 */
function renumberFields(list: Resource, fields: readonly ResourceField[]): ResourceField[] {
  const links = list.links.filter(({ inferred }) => inferred);
  const count = list.fields.length + list.embedded.length + links.length;
  return fields.map((field) => ({ ...field, name: String(count + Number(field.name)) }));
}

/**
 * Limits the sections of a long resource so that together they have at most `limit` entries. The longest sections are
 * shortened first, so that the sections after a long list stay reachable.
 *
 * @param lengths lengths of the sections.
 * @returns the number of visible entries per section.
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
