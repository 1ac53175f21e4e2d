import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readResource } from '../../src/service-client/hypermedia/readResource.ts';
import type { Resource } from '../../src/service-client/hypermedia/resource.ts';
import { InvalidResponseError } from '../../src/service-client/errors/responseErrors.ts';
import { parseBody } from '../../src/service-client/http/response.ts';
import { Redactor } from '../../src/service-client/redaction.ts';
import { parseServiceUrl } from '../../src/service-client/serviceUrl.ts';
import { deep, document, mediaType } from './documents.ts';
import { budget, holds, words } from './property.ts';

const service = parseServiceUrl('https://build.example/pgb');
const url = 'https://build.example/pgb/api/v1/me';

const header = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(' ', ...words(`< > ; , = " \\ rel rel=next title*= UTF-8''%ff anchor= </x> <javascript:x> a`)),
      {
        maxLength: 30,
      },
    )
    .map((pieces) => pieces.join('')),
);

let found = 0;

/**
 * Checks every link target in a resource and its parts. @param origin origin of the resource; undefined if it can't contain relative links
 */
function check(root: Resource, origin: string | undefined = service.origin): void {
  const pending = [root];
  for (let resource = pending.pop(); resource !== undefined; resource = pending.pop()) {
    const { self, links, forms, embedded } = resource;
    for (const { target } of [...(self === undefined ? [] : [self]), ...links, ...forms]) {
      found += 1;
      if (target.kind === 'template') {
        assert.doesNotMatch(target.template.replace(/[\p{Cc} ]/gu, ''), /^(?!https?:)[a-z][a-z0-9+.-]*:/i);
        continue;
      }
      const parsed = new URL(target.url);
      assert.match(parsed.protocol, /^https?:$/);
      assert.equal(target.kind === 'internal', parsed.origin === origin, target.url);
      assert.equal(parsed.username + parsed.password, '');
      assert.equal(parsed.href, target.url, 'addresses are in their normal form');
      assert.doesNotMatch(target.url, /s3cret/);
    }
    pending.push(...embedded.map(({ resource: inner }) => inner));
  }
}

describe('documents', () => {
  // A small budget finds fewer targets.
  after(() => assert.ok(budget < 200 || found > 100, `only ${found} targets were checked`));

  holds(
    'reads any JSON as a resource whose links are HTTP(S) without credentials',
    fc.tuple(document, fc.oneof(mediaType, fc.string()), header, fc.boolean()),
    ([value, type, link, odata]) => {
      const headers = { link, ...(odata && { 'odata-version': '4.01' }) };
      check(readResource({ value, url, headers, mediaType: type }));
    },
  );

  holds(
    'reads any JSON from any address, together with its source text',
    fc.tuple(
      fc.oneof(
        fc.json(),
        document.map((value) => JSON.stringify(value)),
      ),
      fc.oneof(fc.webUrl(), fc.string()),
    ),
    ([text, address]) => {
      const resource = readResource({ value: JSON.parse(text), text, url: address, headers: {}, mediaType: '' });
      check(resource, URL.canParse(address) ? new URL(address).origin : undefined);
    },
  );

  holds(
    'reads any body as JSON, text, binary, empty, or invalid JSON',
    fc.tuple(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        document.map((value) => Buffer.from(JSON.stringify(value))),
        deep.map((text) => Buffer.from(text)),
      ),
      mediaType,
    ),
    ([bytes, type]) => {
      try {
        const body = parseBody({
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
