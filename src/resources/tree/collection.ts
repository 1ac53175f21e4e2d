import type { BuildServiceClient } from '../../api/client.ts';
import { sentence } from '../../api/errors/sentence.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { InvalidInputError } from '../../api/errors/invalidInputError.ts';
import { nextPage, withPage } from './paging.ts';

/** A resource with as many pages of it as have been loaded. */
export interface Collection {
  readonly resource: Resource;
  /** The document is a JSON array. */
  readonly isArray: boolean;
  /** URLs of the pages beyond the first, in order. */
  readonly pages: readonly string[];
}

/** URL of the page that has not been loaded. A page that leads back to an earlier one is the last. */
export function pageAfter({ resource, isArray, pages }: Collection, firstUrl?: string): string | undefined {
  const target = nextPage(resource, isArray)?.target;
  return target?.kind === 'internal' && target.url !== firstUrl && !pages.includes(target.url) ? target.url : undefined;
}

/** Loads the page behind the last one. @throws BuildServiceError when it cannot be loaded, or is no list. */
export async function withPageAfter(
  collection: Collection,
  url: string,
  client: BuildServiceClient,
): Promise<Collection> {
  const { body } = await client.get(url);
  if (body.kind !== 'json') {
    throw new InvalidInputError(
      sentence('The next page of the list is not JSON.'),
      sentence('Refresh the list, then try again.'),
      'retry',
    );
  }
  return {
    ...collection,
    resource: withPage(collection.resource, body.resource, collection.isArray),
    pages: [...collection.pages, url],
  };
}
