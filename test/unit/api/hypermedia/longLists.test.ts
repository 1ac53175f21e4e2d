import assert from 'node:assert/strict';

import { links, read, reasons } from './read.ts';

const count = 10_000;

function numbers<T>(make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

describe('long lists', () => {
  it('of links keep the order of the document, and each link is listed once', () => {
    const resource = read({
      _links: {
        before: { href: '/0' },
        item: numbers((number) => ({ href: `/${number % 9000}` })),
        after: { href: '/1' },
      },
      next: '/2',
      download_url: '/3',
    });
    const items = numbers((number) => `item → /${number}`).slice(0, 9000);
    assert.deepEqual(links(resource), ['before → /0', ...items, 'after → /1', 'next → /2', 'download → /3']);
  });

  it('inside long lists keep it as well', () => {
    const lists = [numbers((number) => `/a/${number}`), numbers((number) => `/b/${number}`)];
    const resource = read({ _links: { item: lists, last: '/c' } });
    assert.deepEqual(links(resource), [...lists.flat().map((path) => `item → ${path}`), 'last → /c']);
  });

  it('of paths are fields and links by position', () => {
    const { embedded } = read({ apps: numbers((number) => `/api/v1/apps/${number}`) });
    assert.deepEqual(embedded[0]?.resource.fields[9999], {
      name: '9999',
      value: '/api/v1/apps/9999',
      text: '/api/v1/apps/9999',
    });
    assert.equal(embedded[0].resource.links[9999]?.pointer, '/apps/9999');
  });

  it('of objects keep their place among the other parts of a document', () => {
    const resource = read({
      _embedded: { before: {}, item: numbers((id) => ({ id })), after: {}, last: [{ id: 'x' }] },
    });
    assert.deepEqual(
      resource.embedded.map(({ rel, index }) => (index === undefined ? rel : `${rel} ${index}`)),
      ['before', ...numbers((index) => `item ${index}`), 'after', 'last 0'],
    );
    assert.deepEqual(
      resource.embedded.slice(1, -2).map((item) => item.resource.title),
      numbers(String),
    );
  });

  it('say in order what is no link', () => {
    const resource = read({
      _links: { item: numbers((number) => (number % 5000 === 4999 ? 1 : `/${number}`)), after: 2 },
    });
    const reason = 'Not a link: neither an address nor an object.';
    assert.deepEqual(
      reasons(resource),
      ['item/4999', 'item/9999', 'after'].map((at) => `/_links/${at}: ${reason}`),
    );
  });

  it('of more than 10,000 links are cut, which is said, and what comes behind them is read', () => {
    const many = Array.from({ length: count + 1 }, (_, number) => ({ href: `/${number}`, rel: 'item' }));
    for (const [pointer, document] of [
      ['/_links/item', { _links: { item: many, next: '/next' } }],
      ['/links', { links: many, next: '/next' }],
    ] as const) {
      const resource = read(document);
      assert.deepEqual(links(resource), [...numbers((number) => `item → /${number}`), 'next → /next']);
      assert.deepEqual(resource.skipped, [{ pointer, reason: 'Only the first 10000 of 10001 links are listed.' }]);
    }
  });
});
