import assert from 'node:assert/strict';

import { readResourceInSlices } from '../../../../src/api/hypermedia/reader.ts';
import { links, read, reasons, URL_OF_ME, whole } from './read.ts';

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

  it('are read in slices as they are at once', async () => {
    const value = {
      _links: { item: numbers((number) => `/${number}`) },
      ids: numbers((number) => number),
      all: numbers((id) => ({ id, link: `/${id}` })),
    };
    assert.deepEqual(
      whole(await readResourceInSlices({ value, url: URL_OF_ME, headers: {}, mediaType: 'application/json' })),
      whole(read(value)),
    );
  });
});
