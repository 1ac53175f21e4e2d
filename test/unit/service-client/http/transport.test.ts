import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync } from 'node:zlib';

import { BodyTooLargeError, InvalidResponseError } from '../../../../src/service-client/errors/responseErrors.ts';
import { formatSentence } from '../../../../src/errors/index.ts';
import { NetworkError } from '../../../../src/service-client/errors/connectionErrors.ts';
import { retryAfterSeconds } from '../../../../src/service-client/http/failures.ts';
import {
  cleanUp,
  createClient,
  captureFailure,
  freePort,
  json,
  serve,
  serveRaw,
  type TestServer,
} from '../../../support/servers.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

describe('the transport', () => {
  afterEach(cleanUp);

  it('fails if no server listens at any address of the host name', async () => {
    assert.equal(
      (await captureFailure(NetworkError, createClient({ url: `http://localhost:${await freePort()}` }).me())).failure,
      'refused',
    );
  });

  it('sends a GET three times and a POST once when the connection is reset before the response', async () => {
    const server = await serveRaw((socket) => socket.resetAndDestroy());
    assert.equal((await captureFailure(NetworkError, createClient(server).me())).failure, 'reset');
    assert.equal(server.received.length, 3);
    assert.equal(
      (
        await captureFailure(
          NetworkError,
          createClient(server).createAuthenticationToken({ username: 'a', password: 'pass' }),
        )
      ).failure,
      'reset',
    );
    assert.equal(server.received.length, 4);
  });

  for (const [name, answer] of [
    ['a short content-length', `${head}Content-Length: 100\r\n\r\n{"a":`],
    ['a cut chunk', `${head}Transfer-Encoding: chunked\r\n\r\n50\r\n{"a":`],
    ['a missing last chunk', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`],
  ] as const) {
    it(`rejects a body that ends too early: ${name}`, async () => {
      const server = await serveRaw((socket) => socket.end(answer));
      assert.equal((await captureFailure(InvalidResponseError, createClient(server).me())).fault, 'truncated');
      const { body } = await createClient(server).download('/x');
      const error = await captureFailure(InvalidResponseError, Readable.from(body).toArray());
      assert.equal(error.fault, 'truncated');
    });
  }

  for (const [name, answer] of [
    ['a different protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X: a\r\n'.repeat(20_000)}`],
    ['two content lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ] as const) {
    it(`rejects a response that isn’t HTTP: ${name}`, async () => {
      const server = await serveRaw((socket) => socket.end(answer));
      assert.equal((await captureFailure(InvalidResponseError, createClient(server).me())).fault, 'notHttp');
    });
  }

  it('rejects an unannounced response larger than the limit', async () => {
    const server = await serve((_request, response) => response.write('x'.repeat(2000)));
    const call = createClient(server).send({ method: 'GET', url: '/x', maxBytes: 1000 });
    const { sizeBytes, remedy } = await captureFailure(BodyTooLargeError, call);
    assert.deepEqual([sizeBytes, remedy], [undefined, 'download']);
  });

  it('rejects a response announced as too large before its body arrives, and reports its size', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, {
        'content-length': 12_400_000,
        ...(request.url?.startsWith('/packed') && { 'content-encoding': 'gzip' }),
      });
      // Only the headers are ever sent.
      response.flushHeaders();
    });
    const error = await captureFailure(BodyTooLargeError, createClient(server).get('/x'));
    assert.equal(error.message, 'The response is 12.4 MB. At most 1 MB can be shown.');
    assert.equal(error.next && formatSentence(error.next), 'Download it to a file instead.');
    assert.equal(error.sizeBytes, 12_400_000);
    const packed = await captureFailure(BodyTooLargeError, createClient(server).get('/packed'));
    assert.equal(packed.message, 'Responses larger than 1 MB can’t be shown.');
    assert.equal(packed.sizeBytes, undefined);
  });

  it('doesn’t read a body after HEAD, even if the response announces a length', async () => {
    const server = await serve((_request, response) => response.writeHead(200, { 'content-length': 12_400_000 }).end());
    const { status, body } = await createClient(server).send({ method: 'HEAD', url: '/x' });
    assert.deepEqual([status, body.kind], [200, 'none']);
  });

  it('doesn’t read a body after 304, even if the response announces a length', async () => {
    const server = await serveRaw((socket) =>
      socket.end('HTTP/1.1 304 Not Modified\r\nContent-Length: 12400000\r\n\r\n'),
    );
    const { status, body } = await createClient(server).send({ method: 'GET', url: '/x', anyStatus: true });
    assert.deepEqual([status, body.kind], [304, 'none']);
  });

  it('reads a response of 1 MiB', async () => {
    const server = await serve((_request, response) => response.end(Buffer.alloc(1024 * 1024, 120)));
    const { body } = await createClient(server).get('/x');
    assert.equal(body.kind === 'text' && body.text.length, 1024 * 1024);
  });

  for (const [encoding, pack] of [
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const) {
    it(`decompresses ${encoding} (${pack.name})`, async () => {
      const server = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(pack(Buffer.from('{"username":"ann"}'))),
      );
      assert.equal((await createClient(server).currentUser()).username, 'ann');
      const { body } = await createClient(server).download('/x');
      assert.equal((await Readable.from(body).toArray()).join(''), '{"username":"ann"}');
    });
  }

  it('rejects a content encoding that it didn’t request', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
    );
    assert.equal((await captureFailure(InvalidResponseError, createClient(server).me())).fault, 'encoding');
    const { body } = await createClient(server).download('/x');
    assert.equal((await captureFailure(InvalidResponseError, Readable.from(body).toArray())).fault, 'encoding');
  });

  const drip = (): Promise<TestServer> =>
    serve((_request, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
  // A total limit includes connecting, so the request must reach even a busy computer's server in that time.
  for (const [what, start, timeouts, failure] of [
    [
      'an early hint without a response',
      () => serveRaw((socket) => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n')),
      { headers: 60 },
      'headersTimeout',
    ],
    ['no headers', () => serveRaw(() => undefined), { headers: 60 }, 'headersTimeout'],
    ['a body that never ends', drip, { idle: 5_000, total: 1_500 }, 'totalTimeout'],
    [
      'a long wait before a retry',
      () => serve((_request, response) => response.writeHead(503, { 'retry-after': '4' }).end()),
      { total: 1_500 },
      'totalTimeout',
    ],
  ] as const) {
    it(`times out: ${what}`, async () => {
      const server = await start();
      assert.equal(
        (await captureFailure(NetworkError, createClient(server, { carrier: { timeouts } }).me())).failure,
        failure,
      );
      await waitUntil(() => server.received.length === 1);
    });
  }

  it('times out on a stalled body, including a download', async () => {
    const server = await serveRaw((socket) => socket.write(`${head}Content-Length: 100\r\n\r\n{`));
    const client = createClient(server, { carrier: { timeouts: { idle: 60 } } });
    const download = async () => Readable.from((await client.download('/x')).body).toArray();
    for (const failed of [client.me(), download()].map((call) => captureFailure(NetworkError, call))) {
      assert.equal((await failed).failure, 'idleTimeout');
    }
  });

  it('times out on a TLS handshake that never ends', async () => {
    const { url } = await serveRaw(() => undefined);
    const client = createClient({ url: url.replace('http:', 'https:') }, { carrier: { timeouts: { connect: 60 } } });
    assert.equal((await captureFailure(NetworkError, client.me())).failure, 'connectTimeout');
  });

  it('reports a download’s name, size, and progress, and waits for its reader', async () => {
    const size = 8 * 1024 * 1024;
    let sent = 0;
    const server = await serve((_request, response) => {
      response.writeHead(200, {
        'content-length': size,
        'content-disposition': "attachment; filename*=UTF-8''caf%C3%A9.apk",
      });
      Readable.from(
        (function* () {
          for (; sent < size; sent += 65536) {
            yield Buffer.alloc(65536);
          }
        })(),
      ).pipe(response);
    });
    const progress: (number | undefined)[][] = [];
    const download = await createClient(server).download('/x', { onProgress: (...step) => progress.push(step) });
    assert.equal(download.totalBytes, size);
    assert.equal(download.suggestedName, 'café.apk');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(progress.length, 0);
    for await (const piece of download.body) {
      assert.ok(piece.length > 0);
    }
    assert.deepEqual(progress.at(-1), [size, size]);
  });

  it('doesn’t raise an unhandled error when a download that isn’t read fails', async () => {
    let reset = (): void => undefined;
    const server = await serveRaw((socket) => {
      reset = () => socket.resetAndDestroy();
      socket.write(`${head}Content-Length: 9\r\n\r\n{`);
    });
    const { body } = await createClient(server).download('/x');
    reset();
    // The unhandled error would arrive before another connection's response.
    await createClient(await serve((_request, response) => json(response, {}))).home();
    await captureFailure(InvalidResponseError, Readable.from(body).toArray());
  });

  it('reads Retry-After', () => {
    assert.equal(retryAfterSeconds('120'), 120);
    assert.equal(retryAfterSeconds('Thu, 01 Jan 1970 00:01:00 GMT', 0), 60);
    assert.equal(retryAfterSeconds('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
    for (const value of ['soon', 'soon 1', '-1', '1.5', '12 minutes', '']) {
      assert.equal(retryAfterSeconds(value), undefined, value);
    }
    for (const value of ['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994']) {
      assert.equal(retryAfterSeconds(value), 0, value);
    }
    assert.equal(retryAfterSeconds(undefined), undefined);
  });
});
