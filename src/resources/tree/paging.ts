import type { Embedded, Field, Link, Resource } from '../../api/hypermedia/resource.ts';

/** Relations of one page of a collection to another (RFC 8288, IANA registry; `previous` is Django REST framework's). */
const paging = new Set(['first', 'prev', 'previous', 'next', 'last', 'self']);

/**
 * Address of a collection's next page, whichever convention names it. A `next` of something that lists nothing is an
 * ordinary link: the next chapter, not the next page.
 *
 * @param isArray the document is a JSON array, whose elements are the items.
 */
export function nextPage(resource: Resource, isArray: boolean): Link | undefined {
  const next = resource.links.find(
    ({ rel, target, convention }) => isNext(rel) && target.kind === 'internal' && convention !== 'inferred',
  );
  const lists = isArray || resource.embedded.some(isItem) || resource.links.some(({ rel }) => rel === 'item');
  return lists ? next : undefined;
}

/** `next`, also as Hydra writes it. */
function isNext(rel: string): boolean {
  return rel === 'next' || rel === 'hydra:next';
}

/**
 * A collection with the items of its next page behind its own. Everything else stays as the first page says, except
 * that `next` is the later page's.
 */
export function withPage(collection: Resource, page: Resource, isArray: boolean): Resource {
  return {
    ...collection,
    fields: isArray ? [...collection.fields, ...renumbered(collection, page.fields)] : collection.fields,
    embedded: [...collection.embedded, ...itemsAfter(collection.embedded, page.embedded)],
    links: [
      ...collection.links.filter(({ rel }) => !isNext(rel)),
      ...page.links.filter((link) => isNext(link.rel) || isNew(link, collection)),
    ],
    skipped: [...collection.skipped, ...page.skipped],
  };
}

function isItem({ index }: Embedded): boolean {
  return index !== undefined;
}

function itemsAfter(shown: readonly Embedded[], more: readonly Embedded[]): Embedded[] {
  const last = new Map<string, number>();
  for (const { rel, index } of shown) {
    if (index !== undefined) {
      last.set(rel, Math.max(index, last.get(rel) ?? -1));
    }
  }
  return more.filter(isItem).map((item) => new Renumbered(item, (last.get(item.rel) ?? -1) + 1 + (item.index ?? 0)));
}

/** An item of a later page, at its position in the whole collection; still read only when it is looked at. */
class Renumbered implements Embedded {
  readonly index: number;
  readonly #item: Embedded;

  constructor(item: Embedded, index: number) {
    this.index = index;
    this.#item = item;
  }

  get rel(): string {
    return this.#item.rel;
  }

  get resource(): Resource {
    return this.#item.resource;
  }
}

/** The elements of an array are named by position, over all its pages. */
function renumbered(collection: Resource, fields: readonly Field[]): Field[] {
  const count = collection.fields.length + collection.embedded.length;
  return fields.map((field) => ({ ...field, name: String(count + Number(field.name)) }));
}

/** Collections of links: a page repeats the collection's other links. */
function isNew(link: Link, collection: Resource): boolean {
  return (
    !paging.has(link.rel) &&
    !collection.links.some(
      ({ rel, target }) => rel === link.rel && JSON.stringify(target) === JSON.stringify(link.target),
    )
  );
}
