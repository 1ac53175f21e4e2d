import assert from 'node:assert/strict';

import { links, read, reasons } from './read.ts';
import { plainText, sentence } from '../../../../src/api/errors/sentence.ts';

const count = 5_000;

function numbers<T>(make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

describe('long lists', () => {
  it('of links keep the order of the document, and each link is listed once', () => {
    const resource = read({
      _links: {
        before: { href: '/0' },
        item: numbers((number) => ({ href: `/${number % 4500}` })),
        after: { href: '/1' },
      },
      next: '/2',
      download_url: '/3',
    });
    const items = numbers((number) => `item → /${number}`).slice(0, 4500);
    assert.deepEqual(links(resource), ['before → /0', ...items, 'after → /1', 'next → /2', 'download → /3']);
  });

  it('inside long lists keep it as well', () => {
    const lists = ['a', 'b'].map((list) => numbers((number) => `/${list}/${number}`).slice(0, count / 2));
    const resource = read({ _links: { item: lists, last: '/c' } });
    assert.deepEqual(links(resource), [...lists.flat().map((path) => `item → ${path}`), 'last → /c']);
  });

  it('of paths are links that hold the path', () => {
    const { embedded } = read({ apps: numbers((number) => `/api/v1/apps/${number}`) });
    const link = embedded[0]?.resource.links[4999];
    assert.deepEqual([link?.rel, link?.text, link?.pointer], ['apps', '/api/v1/apps/4999', '/apps/4999']);
    assert.deepEqual(embedded[0]?.resource.fields, []);
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
      _links: { item: numbers((number) => (number % 2500 === 2499 ? 1 : `/${number}`)), after: 2 },
    });
    const reason = 'Not a link: neither an address nor an object.';
    assert.deepEqual(
      reasons(resource),
      ['item/2499', 'item/4999', 'after'].map((at) => `/_links/${at}: ${reason}`),
    );
  });

  it('of more than 5,000 links are cut, which is said, and what comes behind them is read', () => {
    const many = Array.from({ length: count + 1 }, (_, number) => ({ href: `/${number}`, rel: 'item' }));
    for (const [pointer, document] of [
      ['/_links/item', { _links: { item: many, next: '/next' } }],
      ['/links', { links: many, next: '/next' }],
    ] as const) {
      const resource = read(document);
      assert.deepEqual(links(resource), [...numbers((number) => `item → /${number}`), 'next → /next']);
      assert.deepEqual(resource.skipped, [
        { pointer, reason: sentence('Only the first {0} of {1} links are listed.', '5000', '5001') },
      ]);
    }
  });

  it('are read as far as anybody looks, and what is left out is said', () => {
    const shown = (value: unknown): readonly unknown[] => {
      const { fields, links: found, embedded, forms, skipped } = read(value);
      return [
        fields.length,
        found.length,
        embedded.length,
        forms.length,
        ...skipped.map(({ reason }) => plainText(reason)),
      ];
    };
    const map = <T>(length: number, make: (number: number) => T): Record<string, T> =>
      Object.fromEntries(Array.from({ length }, (_, number) => [`member${number}`, make(number)]));
    const members = 'Only the first 20000 of 20001 members are listed.';
    const values = 'Only the first 50000 of 50001 values are listed.';
    const linksLeftOut = 'Only the first 5250 links are listed.';
    const many = { length: 50_001 };
    for (const [document, expected] of [
      [map(20_001, Number), [20_000, 0, 0, 0, members]],
      [map(20_001, (number) => `/api/v1/${number}`), [0, 5_250, 0, 0, members, linksLeftOut]],
      [map(6_750, (number) => `https://web.example/${number}`), [1500, 5_250, 0, 0, linksLeftOut]],
      [map(6_750, () => 'https://web.example/'), [1500, 5_250, 0, 0, linksLeftOut]],
      [{ _links: map(12_000, (number) => `/${number}`) }, [0, 5_250, 0, 0, linksLeftOut]],
      [map(12_000, (number) => `x${number}`), [12_000, 0, 0, 0]],
      [Array.from(many, Number), [50_000, 0, 0, 0, values]],
      [Array.from(many, () => ({})), [0, 0, 50_000, 0, values]],
      [{ a: Array.from(many, () => ({})) }, [0, 0, 50_000, 0, values]],
      [
        { _templates: { f: { properties: Array.from(many, (_, number) => ({ name: `f${number}` })) } } },
        [0, 0, 0, 1, 'Only the first 1000 of 50001 values are listed.'],
      ],
      [{ _templates: map(1001, () => ({})) }, [0, 0, 0, 1000, 'Only the first 1000 forms are listed.']],
    ] as const) {
      assert.deepEqual(shown(document), expected);
    }
  });

  it('of OData annotations are read in one pass', () => {
    const annotations = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, number) => [`N${number}@odata.navigationLink`, `x${number}`]));
    assert.equal(read(annotations(5_250)).links.length, 5_250);
    assert.equal(read(annotations(40_000)).links.length, 5_250);
  });
});
