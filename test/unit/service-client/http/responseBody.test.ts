import assert from 'node:assert/strict';

import { eachResource } from '../../../../src/service-client/hypermedia/readResource.ts';
import { readResource } from '../../../../src/service-client/hypermedia/readResource.ts';
import { parseBody } from '../../../../src/service-client/http/response.ts';
import { MAX_RESOURCE_BYTES } from '../../../../src/service-client/limits.ts';
import { Redactor } from '../../../../src/service-client/redaction.ts';
import { parseServiceUrl } from '../../../../src/service-client/serviceUrl.ts';

const url = 'https://build.example/api/v1/apps';
const service = parseServiceUrl('https://build.example');
const mediaType = 'application/json';

function parse(text: string, headers: Readonly<Record<string, string>> = { 'content-type': mediaType }) {
  const body = parseBody({ bytes: Buffer.from(text), headers, url, service, redactor: new Redactor() });
  assert.ok(body.kind === 'json');
  return body;
}

/** Returns as many elements as fit into the largest resource. */
function largest(element: (index: number) => string): string {
  const count = Math.floor(MAX_RESOURCE_BYTES / (element(9_999).length + 1)) - 1;
  return `[${Array.from({ length: count }, (_, index) => element(index)).join(',')}]`;
}

describe('the body of a JSON response', () => {
  it('is parsed once, on first use', () => {
    let reads = 0;
    const link = '</api/v1>; rel=up';
    const value = { link: '/api/v1/apps', all: [{ id: 1, title: 'App 1', link: '/api/v1/apps/1' }] };
    const body = parse(JSON.stringify(value), {
      'content-type': mediaType,
      get link() {
        reads += 1;
        return link;
      },
    });
    assert.equal(reads, 0);
    assert.deepEqual(body.resource, readResource({ value, url, headers: { link }, mediaType }));
    assert.equal(body.resource, body.resource);
    assert.equal(reads, 1);
  });

  it('keeps long numbers unchanged, even at the largest size', () => {
    const { resource } = parse(
      largest((id) => `{"number":${9_007_199_254_740_993n + BigInt(id)},"text":"a \\" 1234567890123456"}`),
    );
    const texts = resource.embedded[9_999]?.resource.fields.map(({ text }) => text);
    assert.deepEqual(texts, ['9007199254750992', 'a " 1234567890123456']);
  });

  it('can have half a million levels', () => {
    const { resource } = parse('['.repeat(500_000) + ']'.repeat(500_000));
    assert.equal([...eachResource(resource)].length, 251);
  });

  it('is traversed up to 10,000 parts, each once', () => {
    const { resource } = parse(largest(() => '{"a":0}'));
    const pointers = [...eachResource(resource)].map(({ pointer }) => pointer);
    assert.deepEqual(pointers, ['', ...Array.from({ length: 10_000 }, (_, index) => `/${index}`)]);
  });
});
