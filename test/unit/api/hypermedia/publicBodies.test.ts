import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import type { ReadInput } from '../../../../src/api/hypermedia/readResource.ts';
import type { Resource } from '../../../../src/api/hypermedia/resource.ts';

const require = createRequire(import.meta.url);

type Document = Pick<ReadInput, 'value' | 'url' | 'headers' | 'mediaType'>;

/** What reading a body of documents came to. */
interface Tally {
  documents: number;
  links: number;
  templates: number;
}

function tally(documents: readonly Document[]): Tally {
  const sum: Tally = { documents: 0, links: 0, templates: 0 };
  for (const document of documents) {
    sum.documents += 1;
    count(readResource(document), sum);
  }
  return sum;
}

function count(root: Resource, sum: Tally): void {
  const pending = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    for (const { target } of resource.self === undefined ? resource.links : [resource.self, ...resource.links]) {
      sum.links += 1;
      sum.templates += target.kind === 'template' ? 1 : 0;
    }
    pending.push(...resource.embedded.map((child) => child.resource));
  }
}

/** Recorded exchanges with GitHub's REST API, with their headers: `@octokit/fixtures`. */
async function githubExchanges(): Promise<Document[]> {
  const root = path.dirname(require.resolve('@octokit/fixtures'));
  const documents: Document[] = [];
  for (const entry of await readdir(path.join(root, 'scenarios'), { recursive: true, withFileTypes: true })) {
    if (entry.name !== 'normalized-fixture.json') {
      continue;
    }
    const exchanges = JSON.parse(await readFile(path.join(entry.parentPath, entry.name), 'utf8')) as {
      scope: string;
      path: string;
      response: unknown;
      headers: Record<string, string>;
    }[];
    for (const { scope, path: at, response, headers } of exchanges) {
      documents.push({ value: response, url: `${scope}${at}`, headers, mediaType: 'application/json' });
    }
  }
  return documents;
}

describe('hypermedia: public bodies', () => {
  it('reads the exchanges with GitHub in @octokit/fixtures', async () => {
    const documents = await githubExchanges();
    const sum = tally(documents);
    assert.ok(sum.documents > 50 && sum.links > 1000 && sum.templates > 100, JSON.stringify(sum));
    const paged = documents.filter(({ headers }) => headers.link !== undefined).map(readResource);
    assert.ok(paged.length > 0);
    for (const { links } of paged) {
      assert.ok(links.some(({ rel, convention }) => /^(?:next|prev)$/.test(rel) && convention === 'link-header'));
    }
  });

  it('reads the payloads of GitHub’s webhooks in @octokit/webhooks-examples', () => {
    const events = require('@octokit/webhooks-examples') as { examples: unknown[] }[];
    const documents = events
      .flatMap(({ examples }) => examples)
      .map((value) => ({ value, url: 'https://api.github.com/', headers: {}, mediaType: 'application/json' }));
    const sum = tally(documents);
    assert.ok(sum.documents > 150 && sum.links > 10_000 && sum.templates > 1000, JSON.stringify(sum));
  });

  it('reads the HAL documents of halfred’s own tests, also those it throws on', () => {
    const fixtures = require('halfred/test/fixtures') as Record<string, { get(): unknown }>;
    const documents = Object.values(fixtures).map((fixture) => ({
      value: fixture.get(),
      url: 'https://shop.example/orders',
      headers: {},
      mediaType: 'application/hal+json',
    }));
    const sum = tally(documents);
    assert.ok(sum.documents >= 8 && sum.links >= 30 && sum.templates >= 5, JSON.stringify(sum));
  });
});
