/**
 * What documents that are odd, or that no media type declares, are read as. The plain cases of each convention are those of the corpus.
 */
import assert from 'node:assert/strict';

import type { Convention, Form, Link, Resource } from '../../../../src/api/hypermedia/resource.ts';
import { assertReasons, fieldTexts, formText, linkText, outline, read } from './read.ts';

type Aspect = 'links' | 'embedded' | 'paging' | 'templates' | 'forms';

interface Case {
  readonly convention: Convention;
  readonly aspect: Aspect;
  readonly what: string;
  readonly value: unknown;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `self` and links of the convention, forms, or the outline: whatever the aspect is about. */
  readonly expected: readonly string[];
  readonly fields?: readonly string[];
  readonly skipped?: readonly RegExp[];
}

const HAL = 'application/hal+json';
const JSON_API = 'application/vnd.api+json';
const SIREN = 'application/vnd.siren+json';
const COLLECTION = 'application/vnd.collection+json';
const LD = 'application/ld+json';
const ODATA = { 'odata-version': '4.0' };

const CASES: readonly Case[] = [
  // HAL
  {
    convention: 'hal',
    aspect: 'links',
    what: 'CURIEs',
    mediaType: HAL,
    value: {
      _links: {
        curies: [{ name: 'acme', href: '/rels/{rel}', templated: true }],
        'acme:widgets': { href: '/widgets' },
      },
    },
    expected: ['curies → template /rels/{rel} (rel)', 'acme:widgets → /widgets'],
  },
  {
    convention: 'hal',
    aspect: 'embedded',
    what: 'null is a field, the rest stays, scalars are skipped',
    mediaType: HAL,
    value: { _embedded: { a: null, b: [{ id: 1 }, null], c: {}, d: 7 } },
    expected: ['', '  b', '    b "1"', '  c'],
    fields: ['a=null'],
    skipped: [/Not a resource/],
  },
  {
    convention: 'hal',
    aspect: 'templates',
    what: 'the flag without a variable',
    mediaType: HAL,
    value: { _links: { find: { href: '/o', templated: true } } },
    expected: ['find → /o'],
  },
  {
    convention: 'hal',
    aspect: 'forms',
    what: 'odd templates',
    mediaType: HAL,
    value: {
      _templates: {
        a: null,
        b: { method: 7 },
        c: { target: 'javascript:x' },
        d: { properties: [null, { prompt: 'x' }] },
        e: { properties: {} },
      },
    },
    expected: ['d: GET /api/v1/me application/json []', 'e: GET /api/v1/me application/json []'],
    skipped: [/not an object/, /method/, /javascript:/, /no name/, /no name/, /not an array/],
  },
  // JSON:API
  {
    convention: 'json-api',
    aspect: 'links',
    what: 'one resource: attributes are fields, relationships links',
    mediaType: JSON_API,
    value: {
      data: {
        type: 'articles',
        id: '1',
        attributes: { title: 'T', links: 'kept' },
        links: { self: '/articles/1' },
        relationships: {
          author: { links: { self: '/articles/1/relationships/author', related: '/articles/1/author' } },
          tags: null,
        },
      },
    },
    expected: ['self → /articles/1', 'author → /articles/1/relationships/author', 'author → /articles/1/author'],
    fields: ['title=T', 'links=kept', 'type=articles', 'id=1'],
    skipped: [/not an object/],
  },
  {
    convention: 'json-api',
    aspect: 'links',
    what: 'errors',
    mediaType: JSON_API,
    value: { errors: [{ title: 'Bad', links: { about: '/help' } }] },
    expected: [],
    fields: [],
  },
  {
    convention: 'json-api',
    aspect: 'links',
    what: 'without the media type',
    value: { jsonapi: { version: '1.1' }, links: { self: '/x' } },
    expected: ['self → /x'],
  },
  {
    convention: 'json-api',
    aspect: 'embedded',
    what: 'without the media type, by its structure',
    value: { data: [{ type: 'a', id: '1', attributes: { title: 'T' } }] },
    expected: ['', '  data "T"'],
  },
  {
    convention: 'json-api',
    aspect: 'paging',
    what: 'null is no page and nothing to report',
    mediaType: JSON_API,
    value: {
      links: { first: '/a?page[number]=1', prev: null, next: '/a?page[number]=3', last: { href: '/a?page[number]=9' } },
      data: [],
    },
    expected: ['first → /a?page[number]=1', 'next → /a?page[number]=3', 'last → /a?page[number]=9'],
  },
  // Siren
  {
    convention: 'siren',
    aspect: 'links',
    what: 'several relations, titles, classes',
    mediaType: SIREN,
    value: {
      class: ['order', 'open'],
      properties: { id: 42 },
      links: [
        { rel: ['self'], href: '/o/42' },
        { rel: ['next', 'last'], href: '/o/43', title: 'N' },
      ],
    },
    expected: ['self → /o/42', 'next → /o/43', 'last → /o/43'],
    fields: ['class=order, open', 'id=42'],
  },
  {
    convention: 'siren',
    aspect: 'links',
    what: 'what siren-parser rejects as a whole',
    mediaType: SIREN,
    value: {
      links: [{ rel: ['a'] }, { rel: 'b', href: '/b' }, null, { href: '/c' }],
      entities: [null, { rel: ['d'], href: '/d' }],
    },
    expected: ['b → /b', 'related → /c', 'd → /d'],
    skipped: [/no address/, /not an object/, /not an object/],
  },
  {
    convention: 'siren',
    aspect: 'links',
    what: 'links null',
    mediaType: SIREN,
    value: { links: null, entities: 7 },
    expected: [],
    fields: [],
    skipped: [/entities is not an array/],
  },
  {
    convention: 'siren',
    aspect: 'embedded',
    what: 'representations and links',
    value: {
      entities: [
        { rel: ['items'], class: ['c'], href: '/items' },
        { rel: ['customer'], properties: { name: 'Peter' }, links: [{ rel: ['self'], href: '/c/1' }] },
        { properties: { id: 7 } },
      ],
    },
    expected: ['', '  customer "Peter" @/c/1', '  item "7"'],
  },
  {
    convention: 'siren',
    aspect: 'forms',
    what: 'odd actions',
    mediaType: SIREN,
    value: { actions: [{ name: 'a' }, { name: 'b', href: '/b', method: 'a b' }, 7, { href: '/c' }] },
    expected: [': GET /c application/x-www-form-urlencoded []'],
    skipped: [/no address/, /method/, /not an object/],
  },
  // Collection+JSON
  {
    convention: 'collection-json',
    aspect: 'links',
    what: 'href and links',
    mediaType: COLLECTION,
    value: {
      collection: {
        version: '1.0',
        href: '/friends/',
        links: [{ rel: 'feed', href: '/friends/rss', prompt: 'Feed' }, null],
      },
    },
    expected: ['self → /friends/', 'feed → /friends/rss'],
    fields: ['version=1.0'],
    skipped: [/Not an object/],
  },
  {
    convention: 'collection-json',
    aspect: 'embedded',
    what: 'items with data',
    value: {
      collection: {
        href: '/f',
        items: [
          {
            href: '/f/1',
            data: [{ name: 'name', value: 'Ada' }, { name: 'tags', value: ['x'] }, 3],
            links: [{ rel: 'blog', href: '/b' }],
          },
          null,
        ],
      },
    },
    expected: [' @/f', '  item "Ada" @/f/1', '    tags'],
    skipped: [/Not a resource/, /Not an object/],
  },
  {
    convention: 'collection-json',
    aspect: 'embedded',
    what: 'an error',
    mediaType: COLLECTION,
    value: { collection: { error: { title: 'Bad', code: 'X' } } },
    expected: ['', '  error "Bad"'],
  },
  // Hydra, JSON-LD
  {
    convention: 'hydra',
    aspect: 'links',
    what: 'identifiers and contexts',
    mediaType: LD,
    value: {
      '@context': ['/contexts/x', { name: 'http://schema.example/name' }],
      '@id': '/x/1',
      '@type': 'X',
      friend: { '@id': '/x/2' },
      blank: { '@id': '_:b0' },
    },
    expected: ['self → /x/1', 'http://www.w3.org/ns/json-ld#context → /contexts/x'],
    fields: ['@type=X'],
  },
  {
    convention: 'hydra',
    aspect: 'embedded',
    what: 'members, with and without the prefix',
    mediaType: LD,
    value: { 'hydra:member': [{ '@id': '/x/1', name: 'A' }], member: { '@id': '/x/2' } },
    expected: ['', '  member "A" @/x/1', '  member @/x/2'],
  },
  {
    convention: 'hydra',
    aspect: 'embedded',
    what: 'references, and blank nodes, which have no address',
    value: { '@id': '/x/1', friend: { '@id': '/x/2' }, blank: { '@id': '_:b0' } },
    expected: [' @/x/1', '  friend @/x/2', '  blank'],
  },
  {
    convention: 'hydra',
    aspect: 'paging',
    what: 'a view',
    value: {
      '@id': '/x',
      'hydra:view': { '@id': '/x?p=2', 'hydra:first': '/x?p=1', 'hydra:next': { '@id': '/x?p=3' }, 'hydra:last': 7 },
    },
    expected: ['self → /x', 'first → /x?p=1', 'next → /x?p=3'],
    skipped: [/not text/],
  },
  {
    convention: 'hydra',
    aspect: 'paging',
    what: 'a view without prefixes',
    mediaType: LD,
    value: { view: { '@id': '/x?p=2', previous: '/x?p=1' } },
    expected: ['previous → /x?p=1'],
  },
  {
    convention: 'hydra',
    aspect: 'forms',
    what: 'operations',
    value: {
      '@id': '/x/1',
      'hydra:operation': [{ 'hydra:method': 'DELETE', 'hydra:title': 'Remove' }, { method: 'PUT' }],
    },
    expected: ['Remove: DELETE /x/1 application/ld+json []', 'PUT: PUT /x/1 application/ld+json []'],
  },
  // OData
  {
    convention: 'odata',
    aspect: 'links',
    what: 'an edit link beside the address',
    value: {
      '@odata.context': '/odata/$metadata#Customers/$entity',
      '@odata.id': "Customers('A')",
      '@odata.editLink': "Customers('A')/edit",
    },
    expected: [
      "self → /odata/Customers('A')",
      'context → /odata/$metadata#Customers/$entity',
      "edit → /odata/Customers('A')/edit",
    ],
  },
  {
    convention: 'odata',
    aspect: 'links',
    what: '4.01 without odata., declared by the header',
    headers: ODATA,
    value: { '@context': '/odata/$metadata#C', '@id': 'C(1)', '@type': '#T' },
    expected: ['self → /odata/C(1)', 'context → /odata/$metadata#C'],
    fields: ['@type=#T'],
  },
  {
    convention: 'odata',
    aspect: 'links',
    what: 'odd values',
    value: { '@odata.context': null, '@odata.id': 7, 'a@b': 'c' },
    expected: [],
    fields: ['@odata.context=null', 'a@b=c'],
    skipped: [/not text/],
  },
  {
    convention: 'odata',
    aspect: 'embedded',
    what: 'value',
    value: {
      '@odata.context': '/odata/$metadata#C',
      value: [{ '@odata.id': 'C(1)', Name: 'x' }, { '@odata.id': 'C(2)' }],
    },
    expected: ['', '  value "x" @/odata/C(1)', '  value @/odata/C(2)'],
  },
  {
    convention: 'odata',
    aspect: 'paging',
    what: 'next and delta',
    value: { '@odata.nextLink': '/odata/C?$skiptoken=x', '@odata.deltaLink': '/odata/C?$deltatoken=y', value: [] },
    expected: ['next → /odata/C?$skiptoken=x', 'delta → /odata/C?$deltatoken=y'],
  },
  // plain
  {
    convention: 'plain',
    aspect: 'links',
    what: 'a list',
    value: { links: [{ rel: 'self', href: '/x' }, { rel: 'a', href: '/a' }, 7, { rel: 'b' }] },
    expected: ['self → /x', 'a → /a'],
    skipped: [/Not a link/, /no address/],
  },
  { convention: 'plain', aspect: 'links', what: 'links that are none', value: { links: [{ id: 1 }] }, expected: [] },
  {
    convention: 'plain',
    aspect: 'embedded',
    what: 'all',
    value: { apps: { link: '/apps', all: [{ title: 'A', link: '/apps/1' }] }, all: [{ id: 1 }] },
    expected: ['', '  apps @/apps', '    apps "A" @/apps/1', '  all "1"'],
  },
  {
    convention: 'plain',
    aspect: 'embedded',
    what: 'an empty or odd all',
    value: { a: { all: [] }, b: { all: 'x' } },
    expected: ['', '  a', '  b'],
  },
  // inferred
  {
    convention: 'inferred',
    aspect: 'links',
    what: 'in arrays',
    value: ['/api/v1/x', 'no', '/api/v1/x y', 'https://'],
    expected: ['item → /api/v1/x'],
    fields: ['1=no', '2=/api/v1/x y', '3=https://'],
  },
];

const ASPECTS: Readonly<Record<Aspect, (resource: Resource, convention: Convention) => readonly string[]>> = {
  links: linksOf,
  paging: linksOf,
  templates: linksOf,
  embedded: (resource) => outline(resource),
  forms: (resource, convention) => resource.forms.filter((form: Form) => form.convention === convention).map(formText),
};

function linksOf({ self, links }: Resource, convention: Convention): readonly string[] {
  return [...(self === undefined ? [] : [self]), ...links]
    .filter((link: Link) => link.convention === convention)
    .map(linkText);
}

const CELLS = new Set(CASES.map(({ convention, aspect }) => `${convention} / ${aspect}`));

for (const cell of CELLS) {
  describe(`hypermedia matrix: ${cell}`, () => {
    const cases = CASES.filter(({ convention, aspect }) => `${convention} / ${aspect}` === cell);
    for (const {
      what,
      value,
      mediaType = 'application/json',
      headers = {},
      convention,
      aspect,
      expected,
      fields,
      skipped = [],
    } of cases) {
      it(what, () => {
        const resource = read(value, { mediaType, headers });
        assert.deepEqual(ASPECTS[aspect](resource, convention), expected);
        if (fields !== undefined) {
          assert.deepEqual(fieldTexts(resource), fields);
        }
        assertReasons(resource, skipped);
      });
    }
  });
}

describe('hypermedia: precedence', () => {
  const value = {
    _links: { next: { href: '/x' } },
    links: [{ rel: ['next'], href: '/x' }],
    next: '/x',
    other: '/api/v1/o',
  };
  const found = (mediaType: string): string[] =>
    read(value, { mediaType }).links.map(({ rel, convention }) => `${rel}: ${convention}`);

  it('puts the format that the media type declares first, the structure second', () => {
    assert.deepEqual(found('application/json'), ['next: hal', 'other: inferred']);
    assert.deepEqual(found(SIREN), ['next: siren', 'other: inferred']);
  });

  it('lets several conventions contribute', () => {
    const resource = read(
      { _links: { a: '/a' }, b_url: '/b', '@odata.nextLink': '/c', d: '/api/v1/d' },
      { headers: { link: '</e>; rel=e' } },
    );
    assert.deepEqual(
      resource.links.map(({ rel, convention }) => `${rel}: ${convention}`),
      ['e: link-header', 'a: hal', 'next: odata', 'b: plain', 'd: inferred'],
    );
  });

  it('keeps what a form says of its fields', () => {
    const [form] = read({
      actions: [
        {
          name: 'a',
          title: 'A',
          href: '/a',
          fields: [{ name: 'n', type: 'number', value: 0, title: 'N', required: true }],
        },
      ],
    }).forms;
    assert.deepEqual(
      [form?.title, form?.fields],
      ['A', [{ name: 'n', type: 'number', title: 'N', value: '0', required: true }]],
    );
  });

  it('marks deprecated links', () => {
    const marks = read({
      _links: { a: { href: '/a', deprecation: '/why' }, b: { href: '/b', deprecation: false }, c: '/c' },
    }).links;
    assert.deepEqual(
      marks.map(({ deprecated }) => deprecated),
      [true, undefined, undefined],
    );
  });
});
