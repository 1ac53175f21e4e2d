import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { startHttpServer, type HttpServer } from '../../../src/http-server/index.ts';
import { MAX_PIPELINED_REQUESTS } from '../../../src/http-server/limits.ts';
import { openConnection, trickle, type RawConnection } from '../../support/rawConnection.ts';
import { waitUntil } from '../../support/waitUntil.ts';

type Options = Parameters<typeof startHttpServer>[0];

/** Longer than a test may take. */
const NEVER_MS = 600_000;
const SHORT_MS = 200;

describe('an HTTP server', () => {
  const servers: HttpServer[] = [];
  const clients: RawConnection[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
  let host = '';

  beforeEach(() => {
    answer = ({ url }, response) => response.end(`content of ${url}`);
  });
  afterEach(async () => {
    clients.splice(0).forEach(({ socket }) => socket.destroy());
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function start(options: Partial<Options> = {}): Promise<HttpServer> {
    const server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      maxConnections: 8,
      headersTimeoutMs: NEVER_MS,
      requestTimeoutMs: NEVER_MS,
      idleTimeoutMs: NEVER_MS,
      closeTimeoutMs: 0,
      createHandlers: (port) => ({
        hosts: new Set([`127.0.0.1:${port}`]),
        answer: (request, response) => void answer(request, response),
        answerOtherHost: (_request, response) => void response.writeHead(421).end(),
      }),
      describeRefusal: ({ status, message }) => ({
        headers: [['X-Status', String(status)]],
        body: `refused: ${message}`,
      }),
      ...options,
    });
    servers.push(server);
    host = `127.0.0.1:${server.port}`;
    return server;
  }

  async function connect(): Promise<RawConnection> {
    const client = await openConnection(new URL(`http://${host}`));
    clients.push(client);
    return client;
  }

  /** Returns a request with additional header lines. */
  const get = (path = '/', head = ''): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n`;

  /** Returns all received data of a connection that the server ends. */
  async function exchange(bytes: string): Promise<string> {
    const client = await connect();
    client.send(bytes);
    await client.ended;
    return client.received();
  }

  /** Makes every response wait. @returns the responses */
  function holdResponses(): ServerResponse[] {
    const held: ServerResponse[] = [];
    answer = (_request, response) => held.push(response);
    return held;
  }

  it('passes only requests for its hosts to the handler, as paths', async () => {
    await start();
    const close = 'Connection: close\r\n';
    for (const [target, sent] of [
      ['/a?b', host],
      [`http://${host}/a?b`, host.toUpperCase()],
    ] as const) {
      const answered = await exchange(`GET ${target} HTTP/1.1\r\nHost: ${sent}\r\n${close}\r\n`);
      assert.match(answered, /^HTTP\/1\.1 200 .*\r\n\r\n.*content of \/a\?b/s, target);
    }
    for (const [target, sent] of [
      ['/', 'rebound.example'],
      ['/', host.replace(/\d$/, 'x')],
      ['/', ''],
      [`http://rebound.example/`, host],
      [`http://${host}/`, 'rebound.example'],
      [`https://${host}/`, host],
      [`http://${host}@rebound.example/`, host],
      ['*', host],
    ] as const) {
      assert.match(
        await exchange(`OPTIONS ${target} HTTP/1.1\r\nHost: ${sent}\r\n${close}\r\n`),
        /^HTTP\/1\.1 421 /,
        `${target} ${sent}`,
      );
    }
    assert.match(await exchange('GET / HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 421 /);
  });

  it('handles a request to upgrade and an expectation as usual requests', async () => {
    await start();
    for (const head of [
      'Connection: Upgrade, close\r\nUpgrade: websocket\r\n',
      'Connection: close\r\nExpect: magic\r\n',
    ]) {
      assert.match(await exchange(get('/', head)), /^HTTP\/1\.1 200 /);
    }
    answer = (_request, response) => response.writeHead(403).end();
    assert.match(
      await exchange(get('/', 'Connection: close\r\nExpect: 100-continue\r\nContent-Length: 5\r\n')),
      /^HTTP\/1\.1 403 /,
    );
  });

  it('closes a connection without traffic, even during a response', async () => {
    await start({ idleTimeoutMs: SHORT_MS });
    assert.equal(await exchange(''), '');
    const held = holdResponses();
    assert.equal(await exchange(get()), '');
    assert.equal(held.length, 1);
  });

  it('closes a connection whose headers or body arrive too slowly', async () => {
    await start({ headersTimeoutMs: SHORT_MS });
    const slow = await connect();
    slow.send(get().slice(0, -2));
    await trickle(slow);
    assert.match(slow.received(), /^HTTP\/1\.1 408 Request Timeout\r\nX-Status: 408\r\n/);
    assert.match(slow.received(), /\r\n\r\nrefused: The request took too long to arrive\.$/);

    await start({ headersTimeoutMs: SHORT_MS, requestTimeoutMs: 2 * SHORT_MS });
    const held = holdResponses();
    const body = await connect();
    body.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000\r\n\r\n`);
    await waitUntil(() => held.length === 1);
    held[0]?.req.resume();
    await trickle(body);
    assert.match(body.received(), /^HTTP\/1\.1 408 /);
  });

  it('closes connections beyond its limit', async () => {
    await start({ maxConnections: 2 });
    const [first] = [await connect(), await connect()];
    const third = await connect();
    await third.ended;
    first.send(get());
    await first.until(/content of \/$/);
  });

  it('doesn’t keep a place for a client that asked for a tunnel and stays', async () => {
    await start({ maxConnections: 1 });
    const tunnel = await connect();
    tunnel.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await tunnel.ended;
    await waitUntil(async () => (await exchange(get('/', 'Connection: close\r\n'))).startsWith('HTTP/1.1 200 '));
    assert.equal(tunnel.socket.writableEnded, false);
  });

  it('closes a connection with too many requests that wait, and all of their responses', async () => {
    await start();
    const held = holdResponses();
    let closed = 0;
    const most = await connect();
    most.send(get().repeat(MAX_PIPELINED_REQUESTS));
    await waitUntil(() => held.length === MAX_PIPELINED_REQUESTS);
    held.forEach((response) => response.once('close', () => (closed += 1)));
    most.send(get());
    await most.ended;
    await waitUntil(() => closed === MAX_PIPELINED_REQUESTS);
    assert.equal(held.length, MAX_PIPELINED_REQUESTS);
    assert.equal(most.received(), '');
  });

  it('serves any number of requests whose responses have ended', async () => {
    await start();
    const client = await connect();
    for (let index = 0; index <= 2 * MAX_PIPELINED_REQUESTS; index += 1) {
      client.send(get(`/${index}`));
      await client.until(new RegExp(`content of /${index}\\b`));
    }
  });

  it('limits the size of headers', async () => {
    await start({ maxHeaderSize: 2000 });
    assert.match(await exchange(get('/', `Connection: close\r\nX: ${'a'.repeat(1500)}\r\n`)), /^HTTP\/1\.1 200 /);
    assert.match(await exchange(get('/', `X: ${'a'.repeat(2500)}\r\n`)), /^HTTP\/1\.1 431 .*X-Status: 431\r\n/s);
  });

  it('refuses invalid HTTP and CONNECT once, with the content of the caller', async () => {
    await start();
    for (const [bytes, line] of [
      ['hello\r\n\r\n', '400 Bad Request'],
      [`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, '405 Method Not Allowed'],
    ] as const) {
      const client = await connect();
      client.send(bytes);
      await client.until(/refused/);
      client.send('more\r\n\r\n');
      await client.ended;
      const [head = '', body = '', ...more] = client.received().split('\r\n\r\n');
      assert.ok(head.startsWith(`HTTP/1.1 ${line}\r\nX-Status: ${line.slice(0, 3)}\r\n`), head);
      assert.match(head, new RegExp(`\r\nContent-Length: ${body.length}\r\nConnection: close$`));
      assert.deepEqual(more, []);
    }
  });

  it('doesn’t send a second response when the rest of a request is invalid', async () => {
    await start();
    answer = (_request, response) => response.writeHead(403, { 'content-length': 0 }).end();
    const client = await connect();
    client.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    await client.until(/403/);
    client.send('not a chunk\r\n');
    await client.ended;
    assert.equal(client.received().match(/HTTP\/1\.1/g)?.length, 1);
  });

  it('ends with silent clients, and with those that asked for a tunnel', async () => {
    const server = await start();
    const held = holdResponses();
    const [, tunnel, waiting] = [await connect(), await connect(), await connect()];
    tunnel.send(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    waiting.send(get());
    await Promise.all([tunnel.until(/405/), waitUntil(() => held.length === 1)]);
    await Promise.all([server.close(), server.close()]);
    await assert.rejects(connect(), { code: 'ECONNREFUSED' });
  });

  it('gives open responses time to end', async () => {
    const server = await start({ closeTimeoutMs: NEVER_MS });
    const held = holdResponses();
    const client = await connect();
    client.send(get());
    await waitUntil(() => held.length === 1);
    const closed = server.close();
    held[0]?.end('the last content');
    await Promise.all([closed, client.ended]);
    assert.match(client.received(), /the last content/);
  });

  it('reports a port that is in use', async () => {
    const { port } = await start();
    await assert.rejects(start({ port }), { code: 'EADDRINUSE' });
  });

  it('continues after a client resets its connection', async () => {
    await start();
    for (const bytes of ['', get().slice(0, -4), get(), `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`]) {
      const { socket } = await connect();
      socket.write(bytes, () => socket.resetAndDestroy());
      await once(socket, 'close');
    }
    assert.match(await exchange(get('/', 'Connection: close\r\n')), /^HTTP\/1\.1 200 /);
  });
});
