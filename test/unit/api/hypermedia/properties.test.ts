import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import type { LinkTarget, Resource } from '../../../../src/api/hypermedia/resource.ts';
import { document, mediaType as mediaTypes, words } from '../../../fuzz/documents.ts';
import { ORIGIN, URL_OF_ME } from './read.ts';

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
      fc.property(document, header, mediaTypes, fc.boolean(), (value, link, mediaType, odata) => {
        const headers = { link, ...(odata && { 'odata-version': '4.01' }) };
        found += check(readResource({ value, url: URL_OF_ME, headers, mediaType }), ORIGIN);
      }),
      { numRuns: 600 },
    );
    assert.ok(found > 150, `only ${found} targets were checked`);
  });

  it('reads any JSON as parsed from text, with the text at hand', () => {
    fc.assert(
      fc.property(fc.json(), fc.webUrl(), (text, url) => {
        check(
          readResource({ value: JSON.parse(text), text, url, headers: {}, mediaType: 'application/json' }),
          new URL(url).origin,
        );
      }),
      { numRuns: 200 },
    );
  });

  it('shows numbers as they were sent, wherever they are', () => {
    const sent = '12345678901234567890';
    let shown = 0;
    fc.assert(
      fc.property(fc.array(document, { maxLength: 3 }), mediaTypes, (values, mediaType) => {
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
      { numRuns: 200 },
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
          !words.includes(name) && !/[@#]|(?:rl|ri|RL|RI|ef)$|link|next|prev|first|last|^(?:uri|hydra:.*)$/i.test(name),
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
