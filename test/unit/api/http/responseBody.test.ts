import assert from 'node:assert/strict';

import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import { parseBody } from '../../../../src/api/http/responseBody.ts';
import { Redactor } from '../../../../src/api/redaction.ts';
import { parseServiceUrl } from '../../../../src/api/serviceUrl.ts';
import { whole } from '../hypermedia/read.ts';

const url = 'https://build.example/api/v1/apps';
const service = parseServiceUrl('https://build.example');
const mediaType = 'application/json';

/** Reads a value as a body, and counts how often its links are read: each time asks for the `Link` header. */
async function parse(value: unknown) {
  let reads = 0;
  const headers = {
    'content-type': mediaType,
    get link() {
      reads += 1;
      return '</api/v1>; rel=up';
    },
  };
  const body = await parseBody({
    bytes: Buffer.from(JSON.stringify(value)),
    headers,
    url,
    service,
    redactor: new Redactor(),
  });
  assert.ok(body.kind === 'json');
  return {
    body,
    reads: () => reads,
    expected: readResource({ value, url, headers: { link: '</api/v1>; rel=up' }, mediaType }),
  };
}

const list = (apps: number): unknown => ({
  link: '/api/v1/apps',
  all: Array.from({ length: apps }, (_, id) => ({ id, title: `App ${id}`, link: `/api/v1/apps/${id}` })),
});

describe('the resource of a JSON body', () => {
  it('is read when it is first asked for, and once', async () => {
    const { body, reads, expected } = await parse(list(3));
    assert.equal(reads(), 0);
    assert.deepEqual(whole(body.resource), whole(expected));
    assert.equal(body.resource, body.resource);
    assert.equal(reads(), 1);
  });

  it('of a long document is read when it is first asked for, after what else waited for its turn', async () => {
    let others = 0;
    setImmediate(() => (others += 1));
    const { body, reads, expected } = await parse(list(10_000));
    assert.deepEqual([others, reads()], [1, 0]);
    assert.deepEqual(whole(body.resource), whole(expected));
  });
});
