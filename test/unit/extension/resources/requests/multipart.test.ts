import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';

import { NetworkError } from '../../../../../src/service-client/index.ts';
import { encodeMultipart, type FormPart } from '../../../../../src/extension/resources/requests/multipart.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import {
  accessToken,
  cleanUp,
  createClient,
  captureFailure,
  json,
  serve,
  type TestServer,
} from '../../../../support/servers.ts';
import { memoryFile } from '../../../../support/testData.ts';

type Received = { name: string; value: string } | { name: string; file: string; bytes: Buffer };

/** Reads the parts with a real server-side parser, in order. */
async function parse(request: IncomingMessage): Promise<Received[]> {
  const received: Promise<Received>[] = [];
  const parser = new Busboy({
    headers: request.headers as IncomingMessage['headers'] & { 'content-type': string },
    preservePath: true,
  });
  parser.on('field', (name, value) => received.push(Promise.resolve({ name, value })));
  parser.on('file', (name, stream, file) => received.push(buffer(stream).then((bytes) => ({ name, file, bytes }))));
  await new Promise((resolve, reject) => request.pipe(parser).on('finish', resolve).on('error', reject));
  return Promise.all(received);
}

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/[\p{Cc}"\\%]/u.test(text));
const part = fc.oneof(
  fc.record({
    name,
    value: fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text.replace(/[\r\n]/g, '')).toString()),
  }),
  fc.record({
    name,
    file: fc.tuple(name, fc.uint8Array({ maxLength: 200_000 })).map(([file, bytes]) => memoryFile(file, bytes)),
  }),
);

describe('a multipart body', () => {
  afterEach(cleanUp);

  it('arrives unchanged at a server-side parser, with the announced length', async () => {
    let last: { received: Received[]; length: string | undefined; encoding: string | undefined } | undefined;
    const server = await serve((request, response) => {
      void parse(request).then((received) => {
        last = { received, length: request.headers['content-length'], encoding: request.headers['transfer-encoding'] };
        json(response, {});
      });
    });
    const client = createClient(server);
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (parts: FormPart[]) => {
        let sent = 0;
        const encoded = encodeMultipart(parts, { onProgress: (bytes) => (sent = bytes) });
        await client.send({ method: 'POST', url: '/api/v1/apps', ...encoded });
        assert.equal(last?.length, String(sent));
        assert.equal(last.encoding, undefined);
        const byName = (left: Received, right: Received) => left.name.localeCompare(right.name);
        const expected = await Promise.all(
          parts.map(async (each) =>
            'value' in each
              ? { ...each }
              : { name: each.name, file: each.file.name, bytes: await buffer(Readable.from(each.file.bytes())) },
          ),
        );
        assert.deepEqual([...last.received].sort(byName), [...expected].sort(byName));
      }),
      { numRuns: 40 },
    );
  });

  it('escapes quotes and line breaks in names', async () => {
    const { body } = encodeMultipart([
      { name: 'a"b\r\nX-Injected: 1', value: 'v' },
      { name: 'f', file: memoryFile('x"\r\n.png', Buffer.from('p')) },
    ]);
    const text = (await buffer(body)).toString();
    assert.match(text, /name="a%22b%0D%0AX-Injected: 1"\r\n/);
    assert.match(text, /filename="x%22%0D%0A\.png"\r\n/);
  });

  describe('with files on disk', () => {
    let folder: string;

    useFolderForEachTest((made) => (folder = made));

    it('distinguishes an unreadable file from a failed connection', async () => {
      const unreadable: unknown[] = [];
      const send = (server: TestServer, name: string): Promise<unknown> => {
        const bytes = () => createReadStream(path.join(folder, name)) as AsyncIterable<Uint8Array>;
        const part = { name, file: { name, size: 5_000_000, bytes } };
        const form = encodeMultipart([part], { onUnreadable: (error) => unreadable.push(error) });
        return createClient(server).send({ method: 'POST', url: '/', ...form });
      };
      await assert.rejects(send(await serve((request) => request.resume()), 'gone'));
      assert.equal((unreadable[0] as NodeJS.ErrnoException).code, 'ENOENT');
      await writeFile(path.join(folder, 'big'), Buffer.alloc(5_000_000));
      const closes = await serve((request) => request.on('data', () => request.socket.destroy()));
      const error = await captureFailure(NetworkError, send(closes, 'big'));
      assert.equal(unreadable.length, 1);
      assert.doesNotMatch(JSON.stringify(error), new RegExp(accessToken.slice(0, 6)));
    });
  });
});
