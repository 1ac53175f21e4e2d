/**
 * Tests the reader on a corpus: each file in `test/fixtures/hypermedia` covers one convention, with a small document for
 * every rule. The expectations list everything that the reader finds, so that no part of a document can be lost unnoticed.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readResource } from '../../../../src/service-client/hypermedia/readResource.ts';
import type { ResourceForm, Link, LinkTarget, Resource } from '../../../../src/service-client/hypermedia/resource.ts';
import { formatSentence } from '../../../../src/errors/index.ts';

interface Entry {
  /** Rule that the document demonstrates. */
  readonly rule: string;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** URL of the document. The default is {@link DEFAULT_URL}. */
  readonly url?: string;
  readonly document: unknown;
  readonly reads: readonly string[];
}

const DEFAULT_URL = 'https://api.example/v1/list';

const directory = path.join(import.meta.dirname, '..', '..', '..', 'fixtures', 'hypermedia');

/** Returns all parts of a resource, one line each. Addresses omit the document's origin. */
function getText(resource: Resource, origin: string): string[] {
  const address = (target: LinkTarget): string =>
    target.kind === 'internal'
      ? target.url.slice(origin.length)
      : target.kind === 'external'
        ? `${target.url} (elsewhere)`
        : `${target.template} (template)`;
  const linkText = ({ rel, target, inferred, text, ...details }: Link): string => {
    const said = [details.title, details.name, details.type, details.method, details.deprecated && 'deprecated', text];
    const shown = said.filter((value) => value !== undefined);
    return `${inferred ? 'guess' : 'link'} ${rel} → ${address(target)}${shown.map((value) => `, ${value}`).join('')}`;
  };
  const formText = ({ name, title, method, target, contentType, fields }: ResourceForm): string[] => [
    `form ${name}${title === undefined ? '' : ` “${title}”`}: ${method} ${address(target)} as ${contentType}`,
    ...fields.map((field) => {
      const options = field.options?.map(({ value, title: caption }) => (caption ? `${value} “${caption}”` : value));
      return `  ${field.name}${field.value === undefined ? '' : ` = ${field.value}`}${options === undefined ? '' : ` of ${options.join(', ')}`}`;
    }),
  ];
  return [
    ...(resource.self === undefined ? [] : [`address ${address(resource.self.target)}`]),
    ...(resource.selfRelations === undefined ? [] : [`also ${resource.selfRelations.join(', ')}`]),
    ...(resource.classes === undefined ? [] : [`class ${resource.classes.join(', ')}`]),
    ...resource.fields.map(({ name, text }) => `field ${name} = ${text}`),
    ...resource.links.map(linkText),
    ...resource.forms.flatMap(formText),
    ...resource.skipped.map(({ pointer, reason }) => `unreadable ${pointer}: ${formatSentence(reason)}`),
    ...resource.embedded.flatMap(({ rel, index, resource: part }) => [
      `part ${rel}${index === undefined ? '' : `[${index}]`}`,
      ...getText(part, origin).map((line) => `  ${line}`),
    ]),
  ];
}

for (const file of readdirSync(directory)) {
  describe(`the reader's corpus: ${path.basename(file, '.json')}`, () => {
    const entries = JSON.parse(readFileSync(path.join(directory, file), 'utf8')) as readonly Entry[];
    for (const { rule, mediaType = 'application/json', headers = {}, url = DEFAULT_URL, document, reads } of entries) {
      it(`applies the rule: ${rule}`, () => {
        const text = JSON.stringify(document);
        const resource = readResource({ value: JSON.parse(text), text, url, headers, mediaType });
        assert.deepEqual(getText(resource, new URL(url).origin), reads);
      });
    }
  });
}
