import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Resource } from '../../../../../src/service-client/index.ts';
import { appendPage, limitSections, nextPageLink } from '../../../../../src/extension/resources/tree/paging.ts';
import { createResource } from '../../../../support/testData.ts';
import { repositoryRoot } from '../../../../support/repository.ts';

const read = (value: unknown, headers: Record<string, string> = {}) =>
  createResource(value, { url: 'https://build.test/api/v1/list', headers });

const getUrl = (resource: Resource) => {
  const target = nextPageLink(resource)?.target;
  return target?.kind === 'internal' ? target.url : undefined;
};

describe('the next page', () => {
  const corpus = path.join(repositoryRoot, 'test/fixtures/hypermedia/pages.json');
  const shapes = JSON.parse(readFileSync(corpus, 'utf8')) as readonly {
    rule: string;
    document: unknown;
    nextPage?: string;
  }[];
  for (const { rule, document, nextPage } of shapes) {
    it(`${nextPage === undefined ? 'is missing' : 'is found'}: ${rule}`, () => {
      const expected = nextPage === undefined ? undefined : `https://build.test${nextPage}`;
      const sent: unknown = JSON.parse(
        JSON.stringify(document).replaceAll('https://api.example', 'https://build.test'),
      );
      assert.equal(getUrl(read(sent)), expected);
    });
  }

  it('is missing without a list, on another host, or if the link needs values', () => {
    assert.equal(nextPageLink(read({ title: 'Chapter 1', next: '/api/v1/chapters/2' })), undefined);
    assert.equal(nextPageLink(read({ items: [{ a: 1 }], next: 'https://other.test/list' })), undefined);
    assert.equal(
      nextPageLink(read({ items: [{ a: 1 }], _links: { next: { href: '/list{?page}', templated: true } } })),
      undefined,
    );
  });
});

describe('a list with another page', () => {
  const getFields = ({ fields }: Resource) => fields.map(({ name, text }) => `${name} ${text}`);
  const getPlaces = ({ embedded }: Resource) => embedded.map(({ rel, index }) => `${rel} ${index}`);

  it('continues the count, keeps the first page’s values, and uses the later page’s next link', () => {
    const first = read({ total: 3, items: [{ n: 1 }, { n: 2 }], next: '/api/v1/list?page=2', link: '/api/v1/list' });
    const both = appendPage(first, read({ total: 9, items: [{ n: 3 }], next: '/api/v1/list?page=3' }));
    assert.deepEqual(getPlaces(both), ['items 0', 'items 1', 'items 2']);
    assert.deepEqual(getFields(both), ['total 3']);
    assert.equal(getUrl(both), 'https://build.test/api/v1/list?page=3');
    assert.equal(getUrl(appendPage(both, read({ items: [{ n: 4 }] }))), undefined);
    assert.equal(both.self, first.self);
  });

  it('adds the later page’s links to items, without duplicates', () => {
    const page = (items: readonly string[]) => {
      const others = { next: { href: '/2' }, first: { href: '/1' }, help: { href: '/help' } };
      return read({ _links: { item: items.map((href) => ({ href })), ...others } });
    };
    const both = appendPage(page(['/a', '/b']), page(['/b', '/c']));
    assert.deepEqual(
      both.links.map(({ rel, target }) => `${rel} ${target.kind === 'internal' ? new URL(target.url).pathname : ''}`),
      ['item /a', 'item /b', 'first /1', 'help /help', 'item /c', 'next /2'],
    );
  });
});

describe('sections of a long list', () => {
  for (const [lengths, limit, expected] of [
    [[3, 2, 1], 10, [3, 2, 1]],
    [[2, 10_000, 3, 1], 1000, [2, 994, 3, 1]],
    [[0, 5000, 5000, 10], 1000, [0, 495, 495, 10]],
    [[9, 9, 9], 0, [0, 0, 0]],
    [[], 5, []],
  ] as const) {
    it(`limits ${JSON.stringify(lengths)} within ${limit} to ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(limitSections(lengths, limit), expected);
    });
  }
});
