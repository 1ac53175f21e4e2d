import assert from 'node:assert/strict';

import { BodyTooLargeError } from '../../../../src/api/errors/responseErrors.ts';
import { plainText } from '../../../../src/api/errors/sentence.ts';
import { eachResource, readAhead } from '../../../../src/api/hypermedia/embeddedResources.ts';
import { readResource } from '../../../../src/api/hypermedia/readResource.ts';
import { parseBody } from '../../../../src/api/http/response.ts';
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

/** Turns of the event loop that others have while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await work();
  clearImmediate(next);
  return turns;
}

const MEGABYTE = 2 ** 20;
const names = (length: number): string[] => Array.from({ length }, (_, id) => `"${id.toString(36)}":0`);

describe('a long JSON body', () => {
  const parsed = (text: string, type = mediaType) =>
    parseBody({
      bytes: Buffer.from(text),
      headers: { 'content-type': type },
      url,
      service,
      redactor: new Redactor(),
    });

  for (const [what, text] of [
    ['a hundred thousand different names in one object', `{${names(100_000).join(',')}}`],
    [
      'a hundred thousand different names in as many objects',
      `[${names(100_000)
        .map((one) => `{${one}}`)
        .join(',')}]`,
    ],
    ['half a million empty lists', `[${'[],'.repeat(500_000)}[]]`],
    ['half a million levels', '['.repeat(500_000) + ']'.repeat(500_000)],
    [
      'a quarter of a million different short texts',
      `[${names(250_000)
        .map((one) => one.slice(0, -2))
        .join(',')}]`,
    ],
  ] as const) {
    it(`is refused as too large when it would take too long to parse: ${what}`, async () => {
      await assert.rejects(parsed(text), (error: unknown) => {
        assert.ok(error instanceof BodyTooLargeError);
        assert.match(plainText(error.what), /^The answer, [\d.]+ [kM]B, consists of too many parts to be shown\.$/);
        assert.equal(error.sizeBytes, text.length);
        assert.equal(error.remedy, 'download');
        return true;
      });
      assert.equal(
        (await parsed(text, 'text/plain')).kind,
        'text',
        'what does not say that it is JSON is shown as text',
      );
    });
  }

  it('of four megabytes of records is read, whatever its numbers and texts are', async () => {
    const records = Array.from(
      { length: 20_000 },
      (_, id) =>
        `{"id":${id},"number":${9_007_199_254_740_993n + BigInt(id)},"name":"Record ${id}","role":"admin","private":true,` +
        `"created_at":"2026-01-05T09:30:00Z","link":"/api/v1/apps/${id}","description":"${'Words, words. '.repeat(4)}","x":null,"y":1.5}`,
    );
    const text = `[${records.join(',')}]`;
    assert.ok(text.length > 4 * MEGABYTE - 200_000, String(text.length));
    const body = await parsed(text);
    assert.ok(body.kind === 'json');
    const fields = body.resource.embedded[19_999]?.resource.fields.map(({ name, text: shown }) => `${name}=${shown}`);
    assert.equal(fields?.[1], 'number=≈ 9007199254760992');
  });

  it('has its long numbers as sent up to 256 Ki characters; in a longer one they are rounded, and say so', async () => {
    const shown = async (length: number) => {
      const text = `{"n":12345678901234567890,"x":"${'x'.repeat(length - 33)}"}`;
      assert.equal(text.length, length);
      const body = await parsed(text);
      return body.kind === 'json' && body.resource.fields[0]?.text;
    };
    assert.equal(await shown(256 * 1024), '12345678901234567890');
    assert.equal(await shown(256 * 1024 + 1), '≈ 12345678901234567000');
  });

  it('gives others a turn for every 256 Ki characters', async () => {
    const text = `[${'{"id":12345678901234567890,"text":"some words"},'.repeat(40_000)}{}]`;
    assert.ok((await turnsDuring(() => parsed(text))) >= Math.floor(text.length / (256 * 1024)));
  });

  it('has a few turns more before rows and links of it are read: none reads more than some thousand parts', async () => {
    const list = Array.from({ length: 1000 }, () =>
      Object.fromEntries(Array.from({ length: 50 }, (_, id) => [`a${id}`, id])),
    );
    const read = () => readResource({ value: list, url, headers: {}, mediaType });
    const [whole, first] = [read(), read()];
    assert.ok((await turnsDuring(() => readAhead(whole, 1000))) >= 50_000 / 4000);
    assert.ok((await turnsDuring(() => readAhead(first, 10))) <= 2);
    const seen: string[] = [];
    const turns = await turnsDuring(async () => {
      for await (const { pointer } of eachResource(read())) {
        seen.push(pointer);
      }
    });
    assert.ok(turns >= 50_000 / 4000);
    assert.deepEqual(seen, ['', ...list.map((_, index) => `/${index}`)]);
  });
});
