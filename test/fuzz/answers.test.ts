import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';

import fc from 'fast-check';

import type { BuildServiceClient, LoggedExchange } from '../../src/service-client/client.ts';
import { BuildServiceError } from '../../src/errors/buildServiceError.ts';
import { Redactor } from '../../src/service-client/redaction.ts';
import { accessToken, cleanUp, createClient, serveRaw } from '../support/servers.ts';
import { holds } from './property.ts';

/** A server's data, its chunks, and the end of the connection. */
interface Answer {
  readonly bytes: Uint8Array;
  readonly pieces: number;
  readonly reset: boolean;
}

const statusLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(200, 200, 201, 204, 206, 301, 302, 304, 400, 401, 404, 407, 416, 429, 500, 503)
      .map((status) => `HTTP/1.1 ${status} x`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['HTTP/1.0 200 OK', 'HTTP/2 200', 'HTTP/1.1 100 Continue', 'HTTP/1.1 101 x', 'HTTP/1.1 0', 'HTTP/1.1 -1', ''],
    ),
  },
);
const headerLine = fc.oneof(
  fc.constantFrom(
    ...['application/json', 'text/html; charset=utf-7', ';;;'].map((type) => `Content-Type: ${type}`),
    ...['gzip', 'br', 'deflate', 'gzip, gzip', 'x'].map((encoding) => `Content-Encoding: ${encoding}`),
    ...['0', '5', '99999999999999999999', '-1', '1, 1'].map((length) => `Content-Length: ${length}`),
    ...['/api/v1', 'http://[', 'javascript:1', `/?access_token=${accessToken}`, '//evil.invalid/'].map(
      (address) => `Location: ${address}`,
    ),
    ...['0', '-1', '99', 'Thu, 01 Jan 1970 00:00:00 GMT'].map((date) => `Retry-After: ${date}`),
    ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Connection: close', 'Upgrade: h2c', 'Trailer: x'],
    ...[
      'Link: </x>; rel="next"',
      'Link: <<<>>>;;;,,,',
      "Content-Disposition: attachment; filename*=UTF-8''%ff%00..%2f",
    ],
    ...['Set-Cookie: a=b', `X-Echo: ${accessToken}`, 'OData-Version: 4', ' folded: x', 'no colon', ': x', 'x:\u0000'],
  ),
  fc.string({ maxLength: 40 }),
);
const text = fc.oneof(
  fc.json(),
  fc.constant(JSON.stringify({ error: `bad ${accessToken}` })),
  fc.string(),
  fc.constantFrom('{}', '<!DOCTYPE html>', '', '\ufeff{}', '5\r\n{"a":\r\n0\r\n\r\n', 'ffffffffffffffff\r\nx'),
);
const body = fc.oneof(
  text.map((content) => Buffer.from(content)),
  text.chain((content) => {
    const bytes = Buffer.from(content);
    return fc.constantFrom(
      gzipSync(bytes),
      gzipSync(bytes).subarray(0, -5),
      brotliCompressSync(bytes),
      deflateRawSync(bytes),
    );
  }),
  fc.uint8Array({ maxLength: 200 }),
);
const message = fc
  .tuple(statusLine, fc.array(headerLine, { maxLength: 6 }), body)
  .map(([first, lines, content]) =>
    Buffer.concat([Buffer.from(`${[first, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), content]),
  );
/** A message in which some bytes are changed or missing. */
const broken = fc
  .tuple(message, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat(400))
  .map(([bytes, changes, end]) => {
    const copy = Buffer.from(bytes);
    for (const [at, byte] of changes) {
      copy[at % Math.max(1, copy.length)] = byte;
    }
    return copy.subarray(0, end);
  });
const answer = fc.record({
  bytes: fc.oneof(message, message, broken, fc.uint8Array({ maxLength: 300 })),
  pieces: fc.constantFrom(1, 1, 1, 2, 5),
  reset: fc.constantFrom(false, false, false, true),
});

const known = new Redactor();
known.add(accessToken);

const calls: Readonly<Record<string, (client: BuildServiceClient) => Promise<unknown>>> = {
  get: (client) => client.get('/api/v1'),
  currentUser: (client) => client.currentUser(),
  exchangeCode: (client) => client.exchangeCode({ clientId: 'c', clientSecret: accessToken, code: accessToken }),
  download: async (client) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of (await client.download('/x')).body) {
      pieces.push(piece);
    }
    return pieces.length;
  },
};

describe('any bytes as an HTTP response', () => {
  let next: Answer;
  let client: BuildServiceClient;
  const exchanges: LoggedExchange[] = [];
  const strays: unknown[] = [];
  const stray = (error: unknown): void => void strays.push(error);
  before(async () => {
    const server = await serveRaw((socket) => {
      const { bytes, pieces, reset } = next;
      for (let piece = 0; piece < pieces; piece += 1) {
        socket.write(
          bytes.subarray(
            Math.floor((bytes.length * piece) / pieces),
            Math.floor((bytes.length * (piece + 1)) / pieces),
          ),
        );
      }
      if (reset) {
        socket.resetAndDestroy();
      } else {
        socket.end();
      }
    });
    client = createClient(server, {
      onExchange: (exchange) => exchanges.push(exchange),
      carrier: { timeouts: { connect: 500, headers: 500, idle: 500, total: 1500 } },
    });
    process.on('unhandledRejection', stray);
  });
  after(async () => {
    process.off('unhandledRejection', stray);
    await cleanUp();
  });

  for (const [name, call] of Object.entries(calls)) {
    holds(
      `${name} returns a value or a typed error, without the token`,
      answer,
      async (input) => {
        next = input;
        exchanges.length = 0;
        try {
          await call(client);
        } catch (error) {
          assert.ok(error instanceof BuildServiceError, inspect(error));
          assert.ok(!known.containsSecret(inspect(error, { depth: Infinity, showHidden: true })), inspect(error));
        }
        assert.ok(!known.containsSecret(inspect(exchanges, { depth: Infinity })));
        assert.deepEqual(strays, []);
      },
      10,
    );
  }
});
