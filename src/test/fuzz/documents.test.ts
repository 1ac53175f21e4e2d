import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../api/hypermedia/reader.ts';
import type { Resource } from '../../api/hypermedia/resource.ts';
import { InvalidResponseError } from '../../api/invalidResponseError.ts';
import { parseBody } from '../../api/responseBody.ts';
import { parseServiceUrl } from '../../api/serviceUrl.ts';
import { holds } from './property.ts';

const words = ['link', 'links', '_links', '_embedded', '_templates', 'href', 'url', 'self', 'all', 'rel', 'class', 'entities', 'actions', 'collection', 'items', 'data', '@id', '@odata.nextLink', 'hydra:member', 'relationships', 'next', 'download', 'id', 'title', 'error', '__proto__', 'constructor', 'toString', 'length', ''];
const texts = ['/api/v1/apps', '//evil.example', 'javascript:alert(1)', '{?q}', '\\\\host', 'https://user:pw@h/', '?access_token=s3cret', '\u202e', '<b>', '\u0000', 'blob:https://build.example/x', 'a'.repeat(10_000)];
const leaf = fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary' }), fc.double(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: fc.string() });
const document = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    // As JSON.parse makes it: __proto__ is a member like any other.
    fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map((members) => JSON.parse(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`) as unknown),
  ),
})).value;

/** A value in very many arrays or objects. */
const deep = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(['[', ']'], ['{"link":', '}'], ['{"_embedded":{"x":', '}}'])).map(([depth, [open, close]]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
const mediaType = fc.constantFrom('application/json', 'application/hal+json', 'application/vnd.siren+json', 'application/vnd.api+json', 'application/vnd.collection+json', 'application/ld+json', 'text/html', 'text/plain', 'image/png', 'APPLICATION/JSON; charset=utf-16', 'text/plain; charset=nonsense', ';', '');

const service = parseServiceUrl('https://build.example/pgb');
const url = 'https://build.example/pgb/api/v1/me';

/** Every target in a resource and below it. */
function check(root: Resource): void {
  const pending = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    for (const { target } of [...resource.links, ...resource.forms]) {
      if (target.kind !== 'template') {
        const parsed = new URL(target.url);
        assert.match(parsed.protocol, /^https?:$/);
        assert.equal(target.kind === 'internal', parsed.origin === service.origin);
        assert.doesNotMatch(target.url, /s3cret|user:pw/);
      }
    }
    pending.push(...resource.embedded.map(({ resource: inner }) => inner));
  }
}

describe('documents', () => {
  holds('any JSON is read as a resource whose links are http(s), without credentials', fc.tuple(document, mediaType, fc.string()), ([value, type, link]) => {
    check(readResource({ value, url, headers: { link }, mediaType: type }));
  });

  holds('JSON of any depth is read', fc.tuple(deep, mediaType), ([text, type]) => check(readResource({ value: JSON.parse(text), text, url, headers: {}, mediaType: type })), 20);

  holds(
    'any body is JSON, text, binary, nothing, or not the JSON that it says it is',
    fc.tuple(fc.oneof(fc.uint8Array({ maxLength: 200 }), document.map((value) => Buffer.from(JSON.stringify(value))), deep.map((text) => Buffer.from(text))), mediaType),
    async ([bytes, type]) => {
      try {
        const body = await parseBody({ bytes, headers: { 'content-type': type }, url, service });
        if (body.kind === 'json') {
          check(body.resource);
        }
      } catch (error) {
        assert.ok(error instanceof InvalidResponseError && error.fault === 'notJson', String(error));
      }
    },
    2,
  );
});
