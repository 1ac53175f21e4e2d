import { readResource } from '../../../../src/service-client/hypermedia/readResource.ts';
import type { ReadInput } from '../../../../src/service-client/hypermedia/readResource.ts';
import type { LinkTarget, Resource } from '../../../../src/service-client/hypermedia/resource.ts';
import { formatSentence } from '../../../../src/errors/index.ts';

export const ORIGIN = 'https://build.example';
export const URL_OF_ME = `${ORIGIN}/api/v1/me`;

/** Reads a value as the response to `GET /api/v1/me`. */
export function read(value: unknown, input: Partial<Omit<ReadInput, 'value'>> = {}): Resource {
  return readResource({ value, url: URL_OF_ME, headers: {}, mediaType: 'application/json', ...input });
}

/** Lists links as `rel → address`. */
export function links(resource: Resource): string[] {
  return resource.links.map(({ rel, target }) => `${rel} → ${address(target)}`);
}

/** Returns the URL without the response's origin, and marks external URLs and templates. */
export function address(target: LinkTarget | undefined): string {
  switch (target?.kind) {
    case undefined:
      return 'nowhere';
    case 'internal':
      return target.url.startsWith(`${ORIGIN}/`)
        ? target.url.slice(ORIGIN.length)
        : `internal elsewhere: ${target.url}`;
    case 'external':
      return `external ${target.url}`;
    case 'template':
      return `template ${target.template} (${target.variables.join(', ')})`;
  }
}

export function fieldTexts(resource: Resource): string[] {
  return resource.fields.map(({ name, text }) => `${name}=${text}`);
}

export function reasons(resource: Resource): string[] {
  return [
    ...resource.skipped.map(({ pointer, reason }) => `${pointer}: ${formatSentence(reason)}`),
    ...resource.embedded.flatMap((child) => reasons(child.resource)),
  ];
}
