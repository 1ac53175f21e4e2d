import assert from 'node:assert/strict';

import type { Convention, Form, Link, Resource } from '../../../../src/api/hypermedia/resource.ts';
import { fieldTexts, formText, linkText, outline, read, reasons } from './read.ts';

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
    what: 'self and others',
    mediaType: HAL,
    value: { _links: { self: { href: '/o/1' }, item: [{ href: '/i/1' }, { href: '/i/2' }] }, total: 3 },
    expected: ['self → /o/1', 'item → /i/1', 'item → /i/2'],
    fields: ['total=3'],
  },
  {
    convention: 'hal',
    aspect: 'links',
    what: 'without the media type',
    value: { _links: { self: { href: '/o/1' } } },
    expected: ['self → /o/1'],
  },
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
    what: 'objects and arrays',
    mediaType: HAL,
    value: { _embedded: { orders: [{ _links: { self: '/o/1' }, id: 1 }, { id: 2 }], owner: { name: 'Ada' } } },
    expected: ['', '  orders "1" @/o/1', '  orders "2"', '  owner "Ada"'],
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
    aspect: 'paging',
    what: 'next and prev; null is no page and nothing to report',
    mediaType: HAL,
    value: { _links: { prev: { href: '?page=1' }, next: null } },
    expected: ['prev → /api/v1/me?page=1'],
  },
  {
    convention: 'hal',
    aspect: 'templates',
    what: 'with the flag',
    mediaType: HAL,
    value: { _links: { find: { href: '/o{?id,name*}', templated: true } } },
    expected: ['find → template /o{?id,name*} (id, name)'],
  },
  {
    convention: 'hal',
    aspect: 'templates',
    what: 'without the flag',
    mediaType: HAL,
    value: { _links: { find: { href: '/o{/id}' } } },
    expected: ['find → template /o{/id} (id)'],
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
    aspect: 'templates',
    what: 'unbalanced',
    mediaType: HAL,
    value: { _links: { find: { href: '/o{', templated: true } } },
    expected: [],
    skipped: [/template/],
  },
  {
    convention: 'hal',
    aspect: 'forms',
    what: 'HAL-FORMS',
    mediaType: 'application/prs.hal-forms+json',
    value: {
      _links: { self: { href: '/o/1' } },
      _templates: {
        default: {
          title: 'Change',
          method: 'put',
          contentType: 'application/json',
          properties: [
            { name: 'title', prompt: 'Title', required: true, value: 'x' },
            { name: 'n', value: 3 },
          ],
        },
        other: { target: '/o/2' },
      },
    },
    expected: ['default: PUT /o/1 application/json [title, n]', 'other: GET /o/2 application/json []'],
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
    what: 'strings, objects and null',
    mediaType: JSON_API,
    value: { links: { self: '/articles', related: { href: '/r', title: 'R' }, describedby: null }, data: [] },
    expected: ['self → /articles', 'related → /r'],
  },
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
    what: 'data, included and relationship data',
    mediaType: JSON_API,
    value: {
      data: [
        {
          type: 'articles',
          id: '1',
          attributes: { title: 'T' },
          links: { self: '/articles/1' },
          relationships: {
            author: { data: { type: 'people', id: '9' } },
            tags: { data: [{ type: 'tags', id: '2' }] },
            none: { data: null },
          },
        },
      ],
      included: [{ type: 'people', id: '9', attributes: { name: 'Ada' } }],
    },
    expected: ['', '  data "T" @/articles/1', '    author "Ada"', '    tags "2"', '  included "Ada"'],
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
  {
    convention: 'json-api',
    aspect: 'templates',
    what: 'braces',
    mediaType: JSON_API,
    value: { links: { find: '/a{?filter}' } },
    expected: ['find → template /a{?filter} (filter)'],
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
    aspect: 'paging',
    what: 'next and previous',
    value: {
      links: [
        { rel: ['previous'], href: '?p=1' },
        { rel: ['next'], href: '?p=3' },
      ],
    },
    expected: ['previous → /api/v1/me?p=1', 'next → /api/v1/me?p=3'],
  },
  {
    convention: 'siren',
    aspect: 'templates',
    what: 'braces',
    value: { links: [{ rel: ['find'], href: '/o{?id}' }] },
    expected: ['find → template /o{?id} (id)'],
  },
  {
    convention: 'siren',
    aspect: 'forms',
    what: 'actions',
    value: {
      actions: [
        {
          name: 'add',
          title: 'Add',
          method: 'POST',
          href: '/o/1/items',
          type: 'application/json',
          fields: [{ name: 'n', type: 'number', value: 1, title: 'Count' }],
        },
        { name: 'find', href: '/o' },
      ],
    },
    expected: ['add: POST /o/1/items application/json [n]', 'find: GET /o application/x-www-form-urlencoded []'],
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
  {
    convention: 'collection-json',
    aspect: 'paging',
    what: 'links',
    mediaType: COLLECTION,
    value: { collection: { links: [{ rel: 'next', href: '?p=2' }] } },
    expected: ['next → /api/v1/me?p=2'],
  },
  {
    convention: 'collection-json',
    aspect: 'templates',
    what: 'braces',
    mediaType: COLLECTION,
    value: { collection: { links: [{ rel: 'find', href: '/f{?q}' }] } },
    expected: ['find → template /f{?q} (q)'],
  },
  {
    convention: 'collection-json',
    aspect: 'forms',
    what: 'queries and the template',
    mediaType: COLLECTION,
    value: {
      collection: {
        href: '/f',
        queries: [{ rel: 'search', href: '/f/search', prompt: 'Search', data: [{ name: 'q', value: '' }] }],
        template: { data: [{ name: 'email', prompt: 'E' }] },
      },
    },
    expected: [
      'search: GET /f/search application/x-www-form-urlencoded [q]',
      `template: POST /f ${COLLECTION} [email]`,
    ],
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
    aspect: 'links',
    what: 'without the media type',
    value: { '@id': '/x/1' },
    expected: ['self → /x/1'],
  },
  {
    convention: 'hydra',
    aspect: 'links',
    what: 'an identifier that is no address',
    value: { '@id': 'urn:x:1' },
    expected: [],
    fields: ['@id=urn:x:1'],
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
    aspect: 'templates',
    what: 'an IRI template',
    value: { 'hydra:search': { '@type': 'hydra:IriTemplate', 'hydra:template': '/x{?name}', 'hydra:mapping': [] } },
    expected: ['search → template /x{?name} (name)'],
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
    what: 'relative to the context',
    value: {
      '@odata.context': '/odata/$metadata#Customers/$entity',
      '@odata.id': "Customers('A')",
      '@odata.editLink': "Customers('A')/edit",
      'Orders@odata.navigationLink': "Customers('A')/Orders",
      'Photo@odata.mediaReadLink': 'Photos(1)/$value',
      Name: 'x',
    },
    expected: [
      "self → /odata/Customers('A')",
      'context → /odata/$metadata#Customers/$entity',
      "edit → /odata/Customers('A')/edit",
      "Orders → /odata/Customers('A')/Orders",
      'Photo → /odata/Photos(1)/$value',
    ],
    fields: ['Name=x'],
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
  {
    convention: 'odata',
    aspect: 'templates',
    what: 'braces',
    value: { '@odata.nextLink': '/odata/C{?q}' },
    expected: ['next → template /odata/C{?q} (q)'],
  },
  {
    convention: 'odata',
    aspect: 'forms',
    what: 'actions',
    value: {
      '@odata.context': '/odata/$metadata',
      '#Ns.Approve': { title: 'Approve', target: '/odata/C(1)/Ns.Approve' },
      '#note': 'x',
    },
    expected: ['Approve: POST /odata/C(1)/Ns.Approve application/json []'],
  },
  // plain
  {
    convention: 'plain',
    aspect: 'links',
    what: 'url, *_url and *Url',
    value: {
      url: '/repos/1',
      html_url: 'https://web.example/1',
      mirror_url: null,
      avatarUrl: '/a.png',
      uri: 'urn:x:y',
      homepage_url: 'coming soon',
    },
    expected: ['self → /repos/1', 'html → external https://web.example/1', 'avatar → /a.png'],
    fields: ['mirror_url=null', 'uri=urn:x:y', 'homepage_url=coming soon'],
  },
  {
    convention: 'plain',
    aspect: 'links',
    what: 'the address of something elsewhere is not the resource’s own',
    value: { url: 'https://web.example/1', href: '/x' },
    expected: ['self → /x', 'url → external https://web.example/1'],
  },
  {
    convention: 'plain',
    aspect: 'links',
    what: 'a list',
    value: { links: [{ rel: 'self', href: '/x' }, { rel: 'a', href: '/a' }, 7, { rel: 'b' }] },
    expected: ['self → /x', 'a → /a'],
    skipped: [/Not a link/, /no address/],
  },
  {
    convention: 'plain',
    aspect: 'links',
    what: 'a map',
    value: { links: { self: '/x', a: { href: '/a' }, b: null } },
    expected: ['self → /x', 'a → /a'],
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
  {
    convention: 'plain',
    aspect: 'paging',
    what: 'next and previous',
    value: { count: 3, next: 'https://build.example/x?page=3', previous: null },
    expected: ['next → /x?page=3'],
    fields: ['count=3', 'previous=null'],
  },
  {
    convention: 'plain',
    aspect: 'paging',
    what: 'words are no pages',
    value: { next: 'tomorrow', last: 'Lovelace' },
    expected: [],
    fields: ['next=tomorrow', 'last=Lovelace'],
  },
  {
    convention: 'plain',
    aspect: 'templates',
    what: '*_url without a flag',
    value: { commits_url: '/repos/1/commits{/sha}' },
    expected: ['commits → template /repos/1/commits{/sha} (sha)'],
  },
  // inferred
  {
    convention: 'inferred',
    aspect: 'links',
    what: 'paths of the API and URLs elsewhere',
    value: {
      a: '/api/v1/x',
      b: 'https://build.example/api/v1/y',
      c: 'https://web.example/',
      d: '/etc/passwd',
      e: 'https://build.example/z',
      f: '/api/v1/x y',
      g: 'https://',
    },
    expected: ['a → /api/v1/x', 'b → /api/v1/y', 'c → external https://web.example/'],
    fields: ['d=/etc/passwd', 'e=https://build.example/z', 'f=/api/v1/x y', 'g=https://'],
  },
  {
    convention: 'inferred',
    aspect: 'links',
    what: 'in arrays',
    value: ['/api/v1/x', 'no'],
    expected: ['item → /api/v1/x'],
    fields: ['1=no'],
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
        const found = reasons(resource);
        assert.equal(found.length, skipped.length, found.join('\n'));
        for (const [index, pattern] of skipped.entries()) {
          assert.match(found[index] ?? '', pattern);
        }
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
