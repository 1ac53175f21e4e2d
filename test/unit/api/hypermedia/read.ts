import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import type { ReadInput } from '../../../../src/api/hypermedia/readResource.ts';
import type { Link, LinkTarget, Resource } from '../../../../src/api/hypermedia/resource.ts';
import { plainText } from '../../../../src/api/errors/sentence.ts';

export const ORIGIN = 'https://build.example';
export const URL_OF_ME = `${ORIGIN}/api/v1/me`;

/** Reads a value as the answer to `GET /api/v1/me`. */
export function read(value: unknown, input: Partial<Omit<ReadInput, 'value'>> = {}): Resource {
  return readResource({ value, url: URL_OF_ME, headers: {}, mediaType: 'application/json', ...input });
}

/** `rel → address`, the way most expectations are written. */
export function links(resource: Resource): string[] {
  return resource.links.map(linkText);
}

function linkText({ rel, target }: Link): string {
  return `${rel} → ${address(target)}`;
}

/** The URL without the response's origin; external ones and templates are marked. */
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

/** The tree as text: rel, title and self, indented. */
export function outline(resource: Resource, rel = '', indent = ''): string[] {
  const line = `${indent}${rel}${resource.title === undefined ? '' : ` "${resource.title}"`}${resource.self === undefined ? '' : ` @${address(resource.self.target)}`}`;
  return [line, ...resource.embedded.flatMap((child) => outline(child.resource, child.rel, `${indent}  `))];
}

/** Everything that is in a resource, as values that can be compared: what is read when it is looked at has been read. */
export function whole({ fields, links, embedded, forms, skipped, pointer, self, title }: Resource): unknown {
  return {
    fields,
    links: links.map(wholeLink),
    embedded: embedded.map(({ rel, index, resource }) => ({ rel, index, resource: whole(resource) })),
    forms,
    skipped,
    pointer,
    self: self === undefined ? undefined : wholeLink(self),
    title,
  };
}

function wholeLink({ rel, target, title, name, type, method, deprecated, convention, pointer }: Link): unknown {
  return { rel, target, title, name, type, method, deprecated, convention, pointer };
}

export function fieldTexts(resource: Resource): string[] {
  return resource.fields.map(({ name, text }) => `${name}=${text}`);
}

export function reasons(resource: Resource): string[] {
  return [
    ...resource.skipped.map(({ pointer, reason }) => `${pointer}: ${plainText(reason)}`),
    ...resource.embedded.flatMap((child) => reasons(child.resource)),
  ];
}
