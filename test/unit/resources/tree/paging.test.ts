import assert from 'node:assert/strict';
import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import type { Resource } from '../../../../src/api/hypermedia/resource.ts';
import { nextPage, withPage } from '../../../../src/resources/tree/paging.ts';

function read(value: unknown, headers: Record<string, string> = {}): Resource {
  return readResource({
    value,
    text: JSON.stringify(value),
    url: 'https://build.test/api/v1/list',
    headers,
    mediaType: 'application/json',
  });
}

const next = { link: '</api/v1/list?page=2>; rel="next"' };
const urlOf = (resource: Resource, isArray = false) => {
  const target = nextPage(resource, isArray)?.target;
  return target?.kind === 'internal' ? target.url : undefined;
};

describe('the next page', () => {
  it('is where a list says it is', () => {
    assert.equal(
      urlOf(read({ items: [{ a: 1 }], next: '/api/v1/list?page=2' })),
      'https://build.test/api/v1/list?page=2',
    );
    assert.equal(urlOf(read([1, 2], next), true), 'https://build.test/api/v1/list?page=2');
    assert.equal(
      urlOf(read({ _links: { item: [{ href: '/api/v1/1' }], next: { href: '?page=2' } } })),
      'https://build.test/api/v1/list?page=2',
    );
  });

  it('is no page when nothing is listed, when it is on another host, or when it needs values', () => {
    assert.equal(nextPage(read({ title: 'Chapter 1', next: '/api/v1/chapters/2' }), false), undefined);
    assert.equal(nextPage(read({ items: [{ a: 1 }], next: 'https://other.test/list' }), false), undefined);
    assert.equal(
      nextPage(read({ items: [{ a: 1 }], _links: { next: { href: '/list{?page}', templated: true } } }), false),
      undefined,
    );
  });
});

describe('a list with another page', () => {
  it('counts on, keeps what the first page says, and takes the later page’s next', () => {
    const first = read({ total: 3, items: [{ n: 1 }, { n: 2 }], next: '/api/v1/list?page=2', link: '/api/v1/list' });
    const both = withPage(first, read({ total: 9, items: [{ n: 3 }], next: '/api/v1/list?page=3' }), false);
    assert.deepEqual(
      both.embedded.map(({ rel, index }) => [rel, index]),
      [
        ['items', 0],
        ['items', 1],
        ['items', 2],
      ],
    );
    assert.deepEqual(
      both.fields.map(({ name, text }) => [name, text]),
      [['total', '3']],
    );
    assert.equal(urlOf(both), 'https://build.test/api/v1/list?page=3');
    assert.equal(urlOf(withPage(both, read({ items: [{ n: 4 }] }), false)), undefined);
    assert.equal(both.self, first.self);
  });

  it('names the elements of an array by their place in the whole', () => {
    const both = withPage(read([1, { title: 'two' }], next), read(['three', { title: 'four' }]), true);
    assert.deepEqual(
      both.fields.map(({ name, text }) => [name, text]),
      [
        ['0', '1'],
        ['2', 'three'],
      ],
    );
    assert.deepEqual(
      both.embedded.map(({ index }) => index),
      [1, 3],
    );
  });

  it('adds the links to items, and no other page twice', () => {
    const page = (items: readonly string[]) =>
      read({
        _links: {
          item: items.map((href) => ({ href })),
          next: { href: '?page=2' },
          first: { href: '?page=1' },
          help: { href: '/help' },
        },
      });
    const both = withPage(page(['/1', '/2']), page(['/2', '/3']), false);
    assert.deepEqual(
      both.links.map(({ rel, target }) => [rel, target.kind === 'internal' ? new URL(target.url).pathname : '']),
      [
        ['item', '/1'],
        ['item', '/2'],
        ['first', '/api/v1/list'],
        ['help', '/help'],
        ['item', '/3'],
        ['next', '/api/v1/list'],
      ],
    );
  });
});
