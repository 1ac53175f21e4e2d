import { gzipSync } from 'node:zlib';

import { serve, serveRaw } from '../../support/servers.ts';
import type { FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

/** The beginning of a JSON answer, up to the headers about its length. */
const OK_HEADERS = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Bytes below HTTP, sent at once; then the connection ends unless it is to stay open. */
function raw(name: string, expected: outcome.Outcome, bytes: string, then: 'end' | 'silence' = 'end'): FaultCase {
  return {
    name,
    expected,
    arrange: async (context) => {
      const server = await serveRaw((socket) => {
        socket.write(bytes, () => then === 'end' && socket.end());
      });
      return () => context.client(server).me();
    },
  };
}

function packed(name: string, expected: outcome.Outcome, encoding: string, body: Buffer, status = 200): FaultCase {
  return {
    name,
    expected,
    arrange: async (context) => {
      const server = await serve((_request, response) =>
        response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body),
      );
      return () => context.client(server).me();
    },
  };
}

/** Small when it is compressed. */
const bomb = Buffer.alloc(64 * 1024 * 1024, ' ');
const gzipBomb = gzipSync(bomb, { level: 9 });

/** A connection that is used again holds an answer that nobody asked for. */
const queued: FaultCase = {
  name: 'a second answer in advance: it is no answer to the next question',
  expected: outcome.value('ann, then bob'),
  arrange: async (context) => {
    const user = (name: string): string => `${OK_HEADERS}Content-Length: 18\r\n\r\n{"username":"${name}"}`;
    let calls = 0;
    const server = await serveRaw((socket) => socket.write(calls++ === 0 ? user('ann') + user('eve') : user('bob')));
    const client = context.client(server);
    return async () => `${(await client.currentUser()).username}, then ${(await client.currentUser()).username}`;
  },
};

/** Answers that are no HTTP message, or not a whole one, beside those of test/unit/api/client.test.ts and http/transport.test.ts. */
export const messages: readonly FaultCase[] = [
  queued,
  raw('headers without end', outcome.notHttp, `HTTP/1.1 200 OK\r\n${'X: a\r\n'.repeat(20_000)}`),
  raw('TLS on a plain port', outcome.notHttp, '\x15\x03\x01\x00\x02\x02\x46'),
  raw(
    'Content-Length and chunked',
    outcome.notHttp,
    `${OK_HEADERS}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ),
  raw('a Content-Length that is no number', outcome.notHttp, `${OK_HEADERS}Content-Length: two\r\n\r\n{}`),
  raw(
    'a switch of protocols that nobody asked for',
    outcome.reset,
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'silence',
  ),
  raw(
    'an early hint, then nothing',
    outcome.headersTimeout,
    'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n',
    'silence',
  ),
  raw(
    'a chunk size that is no number',
    outcome.truncated,
    `${OK_HEADERS}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
  ),
  packed('a failure of 64 MiB in 64 kB of gzip', outcome.badRequest, 'gzip', gzipBomb, 400),
];
