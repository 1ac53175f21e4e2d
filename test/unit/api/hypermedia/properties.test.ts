import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import type { LinkTarget, Resource } from '../../../../src/api/hypermedia/resource.ts';
import { ORIGIN, URL_OF_ME } from './read.ts';

const NAMES = [
  'link',
  'self',
  'href',
  'url',
  'html_url',
  'links',
  'all',
  'next',
  'location',
  'rel',
  'title',
  'name',
  'id',
  '_links',
  '_embedded',
  '_templates',
  'curies',
  'properties',
  'target',
  'method',
  'jsonapi',
  'data',
  'type',
  'attributes',
  'relationships',
  'included',
  'entities',
  'actions',
  'fields',
  'class',
  'collection',
  'items',
  'queries',
  'template',
  'value',
  '@id',
  '@context',
  '@type',
  'hydra:member',
  'hydra:view',
  'hydra:next',
  'hydra:search',
  'hydra:template',
  'hydra:operation',
  'hydra:method',
  '@odata.context',
  '@odata.nextLink',
  'x@odata.navigationLink',
  '#N.A',
  '__proto__',
  'constructor',
  'toString',
  '',
  '~/',
];
const ADDRESSES = [
  '',
  '/',
  '/x',
  '/api/v1/x',
  '//evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  'http:evil.example',
  'https://build.example@evil.example/',
  'https://a:b@build.example/',
  'https://build.example./',
  'HTTPS://BUILD.example:443/x',
  'blob:https://build.example/1',
  'javascript:alert(1)',
  ' java\nscript:x',
  'data:,x',
  'file:///x',
  '/x{?a}',
  '{+a}',
  'javascript:{a}',
  '{',
  '/x?access_token=s3cret',
  '\ud800',
  '_:b0',
  '#',
  '?',
  'POST',
  'self',
  'next',
];
const TYPES = [
  'application/json',
  'application/hal+json',
  'application/vnd.api+json',
  'application/vnd.siren+json',
  'application/vnd.collection+json',
  'application/ld+json',
  'text/html',
  '',
];

const scalar = fc.oneof(
  fc.constantFrom(...ADDRESSES),
  fc.string(),
  fc.webUrl(),
  fc.double(),
  fc.bigInt().map(Number),
  fc.boolean(),
  fc.constant(null),
);

/** JSON that uses the words of every convention, rightly or wrongly. */
const hypermedia = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), tie('value')), { maxLength: 6 })
    .map((entries) => {
      // as JSON.parse makes it: `__proto__` is a member like any other
      const object: Record<string, unknown> = {};
      for (const [key, value] of entries) {
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
      }
      return object;
    }),
})).value;

const header = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        ';',
        ',',
        '=',
        '"',
        '\\',
        ' ',
        'rel',
        'rel=next',
        'title*=',
        "UTF-8''%ff",
        'anchor=',
        '</x>',
        '<javascript:x>',
        'a',
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join('')),
);

/** Everything a resource points to, however deep. */
function targets(root: Resource): LinkTarget[] {
  const found: LinkTarget[] = [];
  const pending = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    found.push(...resource.links.map((link) => link.target), ...resource.forms.map((form) => form.target));
    if (resource.self !== undefined) {
      found.push(resource.self.target);
    }
    pending.push(...resource.embedded.map((child) => child.resource));
  }
  return found;
}

function check(resource: Resource, origin: string): number {
  const found = targets(resource);
  for (const target of found) {
    if (target.kind === 'template') {
      assert.doesNotMatch(target.template.replace(/[\p{Cc} ]/gu, ''), /^(?!https?:)[a-z][a-z0-9+.-]*:/i);
      continue;
    }
    const url = new URL(target.url);
    assert.match(url.protocol, /^https?:$/);
    assert.equal(url.origin === origin, target.kind === 'internal', target.url);
    assert.equal(url.username + url.password, '');
    assert.equal(url.href, target.url, 'addresses are in their normal form');
    assert.doesNotMatch(target.url, /s3cret/);
  }
  return found.length;
}

describe('hypermedia: properties', () => {
  it('reads any hypermedia-like JSON without throwing, and internal targets are on the response’s origin', () => {
    let found = 0;
    fc.assert(
      fc.property(hypermedia, header, fc.constantFrom(...TYPES), fc.boolean(), (value, link, mediaType, odata) => {
        const headers = { link, ...(odata && { 'odata-version': '4.01' }) };
        found += check(readResource({ value, url: URL_OF_ME, headers, mediaType }), ORIGIN);
      }),
      { numRuns: 1500 },
    );
    assert.ok(found > 400, `only ${found} targets were checked`);
  });

  it('reads any JSON as parsed from text, with the text at hand', () => {
    fc.assert(
      fc.property(fc.json(), fc.webUrl(), (text, url) => {
        check(
          readResource({ value: JSON.parse(text), text, url, headers: {}, mediaType: 'application/json' }),
          new URL(url).origin,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('shows numbers as they were sent, wherever they are', () => {
    const sent = '12345678901234567890';
    let shown = 0;
    fc.assert(
      fc.property(fc.array(hypermedia, { maxLength: 3 }), fc.constantFrom(...TYPES), (values, mediaType) => {
        // every null becomes the number, and an element of a list has it for certain
        const text = JSON.stringify({ values, all: values.map((value) => ({ value, id: null })) }).replace(
          /(?<=[[:,])null/g,
          sent,
        );
        const pending = [readResource({ value: JSON.parse(text), text, url: URL_OF_ME, headers: {}, mediaType })];
        for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
          for (const field of resource.fields) {
            assert.notEqual(field.text, String(Number(sent)), resource.pointer);
            shown += field.text === sent ? 1 : 0;
          }
          pending.push(...resource.embedded.map((child) => child.resource));
        }
      }),
      { numRuns: 500 },
    );
    assert.ok(shown > 500, `only ${shown} were shown`);
  });

  it('reads any header, URL and media type', () => {
    fc.assert(
      fc.property(header, fc.string(), fc.string(), (link, url, mediaType) => {
        readResource({ value: {}, url, headers: { link }, mediaType });
      }),
    );
  });

  it('shows every scalar member of an ordinary object as a field', () => {
    const names = fc
      .string({ minLength: 1 })
      .filter(
        (name) =>
          !NAMES.includes(name) && !/[@#]|(?:rl|ri|RL|RI|ef)$|link|next|prev|first|last|^(?:uri|hydra:.*)$/i.test(name),
      );
    fc.assert(
      fc.property(
        fc.dictionary(names, fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string())),
        (object) => {
          const value = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
          const { fields } = readResource({ value, url: URL_OF_ME, headers: {}, mediaType: '' });
          assert.deepEqual(
            fields.map((field) => [field.name, field.value]),
            Object.entries(value),
          );
        },
      ),
    );
  });
});
