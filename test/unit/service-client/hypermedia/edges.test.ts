import assert from 'node:assert/strict';

import fc from 'fast-check';

import { member } from '../../../../src/service-client/hypermedia/json.ts';
import { readResource } from '../../../../src/service-client/hypermedia/readResource.ts';
import type { Resource } from '../../../../src/service-client/hypermedia/resource.ts';
import { ORIGIN, URL_OF_ME, address, fieldTexts, links, read, reasons } from './read.ts';

/** `odd-links.json` and `odd-values.json` in `test/fixtures/hypermedia` test the links and values of odd documents. */
describe('hypermedia: unusual links', () => {
  it('lists a repeated link once per relation, even among many links', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ href: `/x/${index % 25}` }));
    assert.equal(read({ _links: { a: many, b: many } }).links.length, 50);
    assert.equal(read({ link: '/x/1', _links: { self: [{ href: '/x/1' }, ...many] } }).links.length, 24);
  });

  it('reads an element of an array only when it’s used', () => {
    const looks: number[] = [];
    const items = [0, 1, 2].map((number) => ({
      get title() {
        looks.push(number);
        return `Item ${number}`;
      },
    }));
    const { embedded } = read({ items });
    assert.deepEqual(
      embedded.map(({ index }) => index),
      [0, 1, 2],
    );
    assert.deepEqual(looks, []);
    assert.equal(embedded[1]?.resource.title, 'Item 1');
    assert.deepEqual([...new Set(looks)], [1]);
  });
});

describe('hypermedia: unusual values', () => {
  it('ignores inherited members, and doesn’t modify prototypes', () => {
    assert.deepEqual(
      [member({}, 'constructor'), member({}, '__proto__'), member({ toString: 1 }, 'toString')],
      [undefined, undefined, 1],
    );
    read(
      JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"_embedded":{"__proto__":{"polluted":true}}}',
      ),
    );
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });

  it('shows big numbers unchanged in fields and titles, including after escapes and duplicates', () => {
    const text =
      '{"id":12345678901234567890,"small":7,"a\\"/~":[9007199254740993],"huge":1,"huge":1e400,"exact":0.12345678901234567890,"t":"12345678901234567890"}';
    const resource = readResource({ value: JSON.parse(text), text, url: URL_OF_ME, headers: {}, mediaType: '' });
    assert.deepEqual(fieldTexts(resource), [
      'id=12345678901234567890',
      'small=7',
      'huge=1e400',
      'exact=0.12345678901234567890',
      't=12345678901234567890',
    ]);
    assert.equal(resource.title, '12345678901234567890');
    assert.deepEqual(fieldTexts(resource.embedded[0]?.resource ?? resource), ['0=9007199254740993']);
    assert.deepEqual(
      fieldTexts(read(JSON.parse('{"id":12345678901234567890}'))),
      ['id=≈ 12345678901234567000'],
      'without the text, it is rounded, and says so',
    );
    assert.deepEqual(
      fieldTexts(read({ exact: 0.12345678901234, long: 0.123456789012345 })),
      ['exact=0.12345678901234', 'long=≈ 0.123456789012345'],
      'up to 16 characters are exact',
    );
  });

  it('escapes pointers (RFC 6901)', () => {
    assert.equal(
      read({ 'a/b': { '~c': { link: '/x' } } }).embedded[0]?.resource.embedded[0]?.resource.self?.pointer,
      '/a~1b/~0c/link',
    );
  });
});

describe('hypermedia: size and depth', () => {
  it('reads the members next to 50,000 levels, with unchanged numbers', () => {
    const text = `{"id":12345678901234567890,"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    assert.deepEqual(fieldTexts(read(JSON.parse(text), { text })), ['id=12345678901234567890']);
  });

  const many = <T>(make: (number: number) => T): T[] => Array.from({ length: 10_001 }, (_, number) => make(number));
  const map = (make: (number: number) => unknown): unknown =>
    Object.fromEntries(many((number) => [`member${number}`, make(number)]));
  const values = 'Only the first 10000 of 10001 values are listed.';
  for (const [what, document, counts, said] of [
    ['members', map(Number), [10_000, 0, 0, 0], [values]],
    ['paths', map((number) => `/api/v1/${number}`), [0, 10_000, 0, 0], [values]],
    ['links', { _links: { item: many((number) => `/${number}`) } }, [0, 10_000, 0, 0], [values]],
    [
      'broken links',
      { _links: { item: many(() => 7) } },
      [0, 0, 0, 0],
      [...many(() => 'Not a link: neither an address nor an object.').slice(2), values],
    ],
    ['elements', many(Number), [10_000, 0, 0, 0], [values]],
    ['embedded objects', { a: many(() => ({})) }, [0, 0, 10_000, 0], [values]],
    [
      'fields of a form',
      { _templates: { f: { properties: many((number) => ({ name: `f${number}` })) } } },
      [0, 0, 0, 1],
      [values],
    ],
    ['forms', { _templates: map(() => ({})) }, [0, 0, 0, 10_000], [values]],
  ] as const) {
    it(`reads 10,000 ${what} and reports the omitted ones`, () => {
      const resource = read(document);
      const { fields, links: found, embedded, forms } = resource;
      assert.deepEqual([fields.length, found.length, embedded.length, forms.length], counts);
      assert.deepEqual(
        reasons(resource)
          .map((reason) => reason.replace(/^.*?: /, ''))
          .toSorted(),
        said.toSorted(),
      );
    });
  }

  it('stops at a few levels of resources that JSON:API includes, because users can link to each other in a circle', () => {
    const person = (id: string, name: string, friend: string) => ({
      type: 'people',
      id,
      attributes: { name },
      relationships: { friend: { data: { type: 'people', id: friend } } },
    });
    const included = [person('1', 'One', '2'), person('2', 'Two', '1')];
    let resource: Resource | undefined = read({ data: person('0', 'Zero', '1'), included });
    const titles: (string | undefined)[] = [];
    for (let level = 0; level < 10 && resource !== undefined; level += 1) {
      resource = resource.embedded.find(({ rel }) => rel === 'friend')?.resource;
      titles.push(resource?.title);
    }
    assert.deepEqual(titles.slice(0, 3), ['One', 'Two', 'One']);
    assert.equal(resource, undefined);
  });
});

describe('hypermedia: options of the caller', () => {
  it('tries the format of the declared media type first', () => {
    const value = { _links: { next: { href: '/x' } }, links: [{ rel: ['next'], href: '/x' }] };
    for (const [mediaType, place] of [
      ['application/json', '/_links/next/href'],
      ['application/vnd.siren+json', '/links/0/href'],
    ] as const) {
      assert.deepEqual(
        read(value, { mediaType }).links.map(({ pointer }) => pointer),
        [place],
      );
    }
  });

  it('passes links to the given resolver, which knows the service’s path prefix', () => {
    const resolve = (href: string, base: string): URL => new URL(href.startsWith('/api/') ? `/pgb${href}` : href, base);
    const resource = read({ link: '/api/v1/me', next: '/api/v1/x' }, { url: `${ORIGIN}/pgb/api/v1/me`, resolve });
    assert.equal(address(resource.self?.target), '/pgb/api/v1/me');
    assert.deepEqual(links(resource), ['next → /pgb/api/v1/x']);
  });
});

/** `test/fixtures/hypermedia/link-header.json` tests the links in a header. */
describe('hypermedia: the Link header', () => {
  it('decodes title*, prefers it to title, and falls back when it is malformed (RFC 8187)', () => {
    const title = (header: string): string | undefined => read({}, { headers: { link: header } }).links[0]?.title;
    assert.equal(title("</x>; rel=a; title=plain; title*=UTF-8'de'n%c3%a4chstes%20Kapitel"), 'nächstes Kapitel');
    assert.equal(title("</x>; rel=a; title=plain; title*=UTF-8''%ff"), 'plain');
    assert.equal(title('</x>; rel=a; title=plain; title*=x'), 'plain');
    assert.equal(title("</x>; rel=a; title*=iso-8859-1'en'%A3"), undefined);
    assert.equal(title('</x>; rel=a; title="a\u202E\\"b"'), 'a"b');
    assert.equal(title('</x>; title= The end \t; rel=a'), 'The end');
    assert.equal(title('</x>; rel=a; title=3.5" disk'), '3.5" disk');
  });

  it('identifies the resource itself, and takes precedence over the body', () => {
    const resource = read(
      { link: '/api/v1/me', next: '/x' },
      { headers: { link: '</api/v1/me>; rel="self canonical", </x>; rel="next up"; type="text/html"' } },
    );
    assert.equal(resource.self?.pointer, '');
    assert.deepEqual(
      resource.links.map(({ rel, pointer, type }) => [rel, pointer, type]),
      [
        ['next', '', 'text/html'],
        ['up', '', 'text/html'],
      ],
    );
  });
});

/** Members that name a resource, best first. */
const NAMES = (
  'title name username login displayName display_name display fullName full_name userName label subject key slug email ' +
  'filename ref id'
).split(' ');

const getTitle = (value: object): string | undefined => read(value).title;

describe('the title of a resource', () => {
  it('uses the best name among the members, in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(NAMES, { minLength: 1 }), (names) => {
        const best = NAMES.find((name) => names.includes(name));
        assert.equal(getTitle(Object.fromEntries(names.map((name) => [name, `the ${name}`]))), `the ${best ?? ''}`);
      }),
    );
  });

  it('uses `metadata.name` if only an identifier names the resource otherwise', () => {
    assert.equal(getTitle({ metadata: { name: 'api-7d9f' }, id: 'x' }), 'api-7d9f');
    assert.equal(getTitle({ metadata: { name: 'api-7d9f' }, ref: 'main' }), 'main');
    assert.equal(getTitle({ metadata: 'name' }), undefined);
  });

  it('accepts names that begin with a capital letter, as in .NET services', () => {
    assert.equal(getTitle({ TripId: 7, Name: 'Turku', Id: 3 }), 'Turku');
    assert.equal(getTitle({ DisplayName: 'Ada' }), 'Ada');
  });

  it('accepts only a visible text or a number', () => {
    assert.equal(getTitle({ title: ['x'], name: true, username: null, id: 0 }), '0');
    assert.equal(getTitle({ name: { family: 'Park' }, title: ' ', slug: 'a' }), 'a');
    assert.equal(getTitle({ constructor: 'x', toString: 'y' }), undefined);
  });
});
