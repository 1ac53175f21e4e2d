import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../src/api/hypermedia/readResource.ts';
import type { Resource } from '../../src/api/hypermedia/resource.ts';
import { InvalidResponseError } from '../../src/api/errors/invalidResponseError.ts';
import { parseBody } from '../../src/api/http/responseBody.ts';
import { Redactor } from '../../src/api/redaction.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { deep, document, mediaType } from './documents.ts';
import { holds } from './property.ts';

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
  holds(
    'any JSON is read as a resource whose links are http(s), without credentials',
    fc.tuple(document, mediaType, fc.string()),
    ([value, type, link]) => {
      check(readResource({ value, url, headers: { link }, mediaType: type }));
    },
  );

  holds(
    'JSON of any depth is read',
    fc.tuple(deep, mediaType),
    ([text, type]) => check(readResource({ value: JSON.parse(text), text, url, headers: {}, mediaType: type })),
    20,
  );

  holds(
    'any body is JSON, text, binary, nothing, or not the JSON that it says it is',
    fc.tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        document.map((value) => Buffer.from(JSON.stringify(value))),
        deep.map((text) => Buffer.from(text)),
      ),
      mediaType,
    ),
    async ([bytes, type]) => {
      try {
        const body = await parseBody({
          bytes,
          headers: { 'content-type': type },
          url,
          service,
          redactor: new Redactor(),
        });
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
