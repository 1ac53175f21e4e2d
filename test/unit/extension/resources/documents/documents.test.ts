import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../../../../src/service-client/hypermedia/readResource.ts';
import {
  findLinks,
  formatJson,
  getFileExtension,
  getLinkLocations,
  isFileType,
  isViewableImage,
} from '../../../../../src/service-client/index.ts';

describe('the search for links in a document', () => {
  /** Lists the text of each link, with its target unless the two are equal. */
  function clickable(value: unknown, mediaType?: string, headers?: Record<string, string>): string[] {
    return clickableIn(JSON.stringify(value), mediaType, headers);
  }

  function clickableIn(json: string, mediaType = 'application/json', headers: Record<string, string> = {}): string[] {
    const text = formatJson(json);
    const value: unknown = JSON.parse(json);
    const places = getLinkLocations(
      readResource({ value, text, url: 'https://build.test/api/v1/list', headers, mediaType }),
    );
    return findLinks(text, places).map(({ target, start, end }) => {
      const [shown, address] = [text.slice(start, end), target.kind === 'template' ? target.template : target.url];
      return address === `https://build.test${shown}` ? shown : `${shown} → ${address}`;
    });
  }

  for (const [what, value, expected, type] of [
    [
      'contract',
      { link: '/api/v1/me', apps: { link: '/api/v1/apps', all: [{ link: '/api/v1/apps/1' }] } },
      ['/api/v1/me', '/api/v1/apps', '/api/v1/apps/1'],
    ],
    [
      'HAL',
      { _links: { a: { href: 'b' }, c: [{ href: '/d' }, { href: '/e{?f}', templated: true }] } },
      ['b → https://build.test/api/v1/b', '/d', '/e{?f} → /e{?f}'],
    ],
    [
      'JSON:API',
      { jsonapi: {}, data: [], links: { next: '/p2', prev: null, about: { href: '/about' } } },
      ['/p2', '/about'],
      'application/vnd.api+json',
    ],
    [
      'Siren',
      { links: [{ rel: ['x'], href: '/x' }], entities: [{ rel: ['y'], href: '/y' }] },
      ['/x', '/y'],
      'application/vnd.siren+json',
    ],
    [
      'Collection+JSON',
      { collection: { href: '/c', items: [{ href: '/c/1', links: [{ rel: 'z', href: '/z' }] }] } },
      ['/c', '/c/1', '/z'],
      'application/vnd.collection+json',
    ],
    ['JSON-LD', { '@id': '/a', 'hydra:member': [{ '@id': '/a/1' }] }, ['/a', '/a/1'], 'application/ld+json'],
    ['OData', { '@odata.nextLink': '/n', value: [{ '@odata.id': '/v/1' }] }, ['/n', '/v/1']],
    [
      'other hosts and guessed links',
      { html_url: 'https://other.test/', note: '/api/v1/guess' },
      ['https://other.test/ → https://other.test/', '/api/v1/guess'],
    ],
    ['odd names', { 'a/b~c': { '': { link: '/s' } } }, ['/s']],
  ] as const) {
    it(`finds the position of each link: ${what}`, () => {
      assert.deepEqual(clickable(value, type), expected);
    });
  }

  it('finds no position for links from headers', () => {
    assert.deepEqual(clickable({ a: 'b' }, 'application/json', { link: '</x>; rel="x"' }), []);
  });

  it('finds links next to 5,000 nested levels', () => {
    const text = `{"deep": ${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}, "link": "/x", "list": ["\\"", {"link": "/y"}]}`;
    assert.deepEqual(clickableIn(text), ['/x', '/y']);
  });

  it('finds links under escaped names, up to 10,000', () => {
    assert.deepEqual(clickableIn('{"l\\u0069nk": "/x", "a\\"/~": {"link": "/y"}}'), ['/x', '/y']);
    const links = clickable({ all: Array.from({ length: 10_001 }, (_, id) => ({ link: `/${id}` })) });
    assert.equal(links.length, 10_000);
    assert.deepEqual(links.at(-1), '/9999');
  });

  it('ignores links after very long names, because the search would take too long', () => {
    const name = 'a'.repeat(100_000);
    const list = Array.from({ length: 5000 }, (_, id) => ({ link: `/${id}` }));
    assert.deepEqual(clickable({ [name]: list, link: '/x' }), ['/x']);
  });
});

describe('the formatting of a document', () => {
  it('adds readable white space without changing values', () => {
    const sent = '{"id":12345678901234567890,"n":1.10,"a":1,"a":2,"t":"\\u00e9 \\" {","e":[],"o":{}}';
    const formatted = formatJson(sent);
    assert.equal(formatted.replaceAll(/\n *|(?<=:) /g, ''), sent);
    assert.match(formatted, /^\{\n {2}"id": 12345678901234567890,\n/);
    assert.equal(formatJson(formatted), formatted);
  });

  it('formats JSON like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, indentation) => {
        const expected = JSON.stringify(value, undefined, 2);
        assert.equal(formatJson(JSON.stringify(value, undefined, indentation)), expected);
      }),
    );
  });

  it('leaves thousands of nested levels unchanged, instead of adding megabytes of spaces', () => {
    const sent = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);
    assert.equal(formatJson(sent), sent);
  });

  it('leaves a long, deeply nested list unchanged, because it would become a hundred times larger', () => {
    const sent = `${'['.repeat(150)}${'0,'.repeat(500_000)}0${']'.repeat(150)}`;
    assert.equal(formatJson(sent), sent);
  });
});

describe('the table of media types', () => {
  it('distinguishes files from resources', () => {
    const files = [
      'application/pdf',
      'image/png',
      'application/vnd.android.package-archive',
      'Application/Octet-Stream; q=1',
    ];
    const others = [
      'text/html',
      'application/json; charset=utf-8',
      'application/hal+json',
      'image/svg+xml',
      'nonsense',
      '',
    ];
    assert.deepEqual([...files, ...others, undefined].filter(isFileType), files);
  });

  for (const [type, json, extension] of [
    ['application/hal+json', true, 'json'],
    ['text/plain', true, 'json'],
    ['text/html', false, 'txt'],
    ['text/css', false, 'txt'],
    ['text/markdown', false, 'txt'],
    ['application/atom+xml', false, 'xml'],
    ['application/x-yaml', false, 'yaml'],
    ['text/plain', false, 'txt'],
    ['', false, 'txt'],
    ['image/jpeg', false, 'jpg'],
  ] as const) {
    it(`shows ${type} as .${extension}`, () => assert.equal(getFileExtension(type, json), extension));
  }

  it('identifies images that VS Code can show', () => {
    const pictures = ['image/png', 'image/webp', 'image/tiff', 'application/pdf'].filter(isViewableImage);
    assert.deepEqual(pictures, ['image/png', 'image/webp']);
  });
});
