import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { BuildServiceError } from '../../../../src/errors/index.ts';
import { NetworkError, ProxyError } from '../../../../src/service-client/errors/connectionErrors.ts';
import { ServiceError } from '../../../../src/service-client/errors/serviceError.ts';
import type { ProxyServer } from '../../../../src/service-client/http/transport.ts';
import { createCertificate } from '../../../support/certificates.ts';
import { startProxy, type ProxyOptions } from '../../../support/proxyServer.ts';
import {
  accessToken,
  addCleanup,
  cleanUp,
  createClient,
  captureFailure,
  json,
  serve,
  serveRaw,
  type TestServer,
} from '../../../support/servers.ts';

/** Starts a SOCKS 5 proxy (RFC 1928) that requires no user, or u:p (RFC 1929), and connects to names on this computer. */
function socks(wantsUser: boolean): Promise<TestServer> {
  const tunnels = new Map<Socket, Socket>();
  const greeted = new Set<Socket>();
  return serveRaw((socket, bytes) => {
    const target = tunnels.get(socket);
    if (target !== undefined) {
      target.write(bytes, 'latin1');
    } else if (!greeted.has(socket)) {
      greeted.add(socket);
      socket.write(wantsUser ? '\x05\x02' : '\x05\x00', 'latin1');
    } else if (bytes.startsWith('\x01')) {
      socket.write(bytes === '\x01\x01u\x01p' ? '\x01\x00' : '\x01\x01', 'latin1');
    } else {
      const onward = connect(Buffer.from(bytes.slice(-2), 'latin1').readUInt16BE(), '127.0.0.1');
      tunnels.set(socket, onward);
      socket.on('close', () => onward.destroy());
      onward.on('error', () => socket.destroy());
      void once(onward, 'connect').then(() => socket.write('\x05\x00\x00\x01\0\0\0\0\0\0', 'latin1'));
      onward.pipe(socket);
    }
  });
}

/** Starts a proxy that tunnels to the server. */
async function tunnelTo({ port }: TestServer, options: ProxyOptions) {
  const proxy = await startProxy({ hosts: { [`127.0.0.1:${port}`]: port }, ...options });
  addCleanup(() => proxy.close());
  return proxy;
}

describe('requests through a proxy', () => {
  afterEach(cleanUp);

  async function secure() {
    const certificate = await createCertificate();
    const server = await serve((_request, response) => json(response, { username: 'ann' }), certificate);
    return { server, authorities: () => Promise.resolve([certificate.cert]) };
  }

  it('tunnels HTTPS through CONNECT and never sees the token', async () => {
    const { server, authorities } = await secure();
    const proxy = await tunnelTo(server, { authorization: 'Basic dTpw' });
    const requestedOrigins: string[] = [];
    const proxyFor = (origin: string): Promise<ProxyServer> => {
      requestedOrigins.push(origin);
      return Promise.resolve({ url: proxy.url, authorization: 'Basic dTpw' });
    };
    const client = createClient(server, { carrier: { authorities, proxyFor } });
    assert.equal((await client.currentUser()).username, 'ann');
    assert.equal((await client.currentUser()).username, 'ann');
    assert.deepEqual(requestedOrigins, [server.url, server.url]);
    assert.ok(proxy.received.some((bytes) => bytes.startsWith('CONNECT ')));
    assert.ok(!proxy.received.join('').includes('access_token') && !proxy.received.join('').includes(accessToken));
    assert.doesNotMatch(server.received.join(), /proxy-authorization/);
  });

  it('connects to a proxy over TLS and with a user in its address', async () => {
    const certificate = await createCertificate({ hosts: ['127.0.0.1', 'localhost'] });
    const server = await serve((_request, response) => json(response, { username: 'ann' }), certificate);
    const proxy = await tunnelTo(server, { authorization: 'Basic dTpw', tls: certificate });
    const client = createClient(server, {
      carrier: {
        authorities: () => Promise.resolve([certificate.cert]),
        proxyFor: () => Promise.resolve({ url: proxy.url.replace('//', '//u:p@') }),
      },
    });
    assert.equal((await client.currentUser()).username, 'ann');
    assert.ok(proxy.received.some((bytes) => bytes.startsWith('CONNECT ')));
  });

  it('rejects a line break in the proxy’s credentials instead of injecting a header', async () => {
    const { server, authorities } = await secure();
    const proxy = await tunnelTo(server, { authorization: 'Basic dTpw' });
    const proxyFor = () => Promise.resolve({ url: proxy.url, authorization: 'Basic dTpw\r\nx: y' });
    await captureFailure(BuildServiceError, createClient(server, { carrier: { authorities, proxyFor } }).me());
    assert.ok(!proxy.received.join().includes('"x":'));
  });

  for (const user of ['', 'u:p@']) {
    it(`connects through SOCKS 5 ${user === '' ? 'without' : 'with'} a user`, async () => {
      const { server, authorities } = await secure();
      const proxy = await socks(user !== '');
      const proxyFor = () => Promise.resolve({ url: `socks5://${user}127.0.0.1:${proxy.port}` });
      const client = createClient(server, { carrier: { authorities, proxyFor } });
      assert.equal((await client.currentUser()).username, 'ann');
      assert.equal(proxy.received[0]?.[0], '\x05');
      assert.ok(!proxy.received.join('').includes(accessToken));
    });
  }

  for (const [failure, options] of [
    ['authentication', { authorization: 'Basic other' }],
    ['refused', { status: 403 }],
  ] as const) {
    it(`reports the proxy failure “${failure}”`, async () => {
      const { server, authorities } = await secure();
      const proxy = await tunnelTo(server, options);
      const error = await captureFailure(
        ProxyError,
        createClient(server, {
          carrier: {
            authorities,
            proxyFor: () => Promise.resolve({ url: proxy.url.replace('//', '//user:pr0xypass@') }),
          },
        }).me(),
      );
      assert.equal(error.failure, failure);
      assert.ok(error.message.includes(new URL(proxy.url).host) && !error.message.includes('pr0xypass'));
      assert.deepEqual(server.received, []);
    });
  }

  it('reports a proxy that is down or hangs up', async () => {
    const gone = await serve(() => undefined);
    await cleanUp();
    const rude = await serveRaw((socket) => socket.destroy());
    const { server, authorities } = await secure();
    for (const { url } of [gone, rude]) {
      const error = await captureFailure(
        ProxyError,
        createClient(server, { carrier: { authorities, proxyFor: () => Promise.resolve({ url }) } }).me(),
      );
      assert.equal(error.failure, 'down');
    }
  });

  it('sends an http: request in absolute form, and attributes a 407 to the proxy', async () => {
    let status = 200;
    const proxy = await serve((_request, response) => response.writeHead(status).end('{"username":"ann"}'));
    const client = createClient(
      { url: 'http://127.0.0.1:9' },
      { carrier: { proxyFor: () => Promise.resolve({ url: proxy.url }) } },
    );
    assert.equal((await client.currentUser()).username, 'ann');
    assert.match(proxy.received[0] ?? '', /^GET http:\/\/127\.0\.0\.1:9\/api\/v1\/me/);
    status = 407;
    assert.equal((await captureFailure(ProxyError, client.me())).failure, 'authentication');
    status = 404;
    await captureFailure(ServiceError, client.me());
  });

  it('stops waiting for a proxy resolver that hangs when the call times out', async () => {
    const server = await serve((_request, response) => json(response, {}));
    const proxyFor = () => new Promise<never>(() => undefined);
    const error = await captureFailure(
      NetworkError,
      createClient(server, { carrier: { proxyFor, timeouts: { total: 60 } } }).me(),
    );
    assert.equal(error.failure, 'totalTimeout');
  });

  it('throws a BuildServiceError if the proxy resolver fails or returns an invalid URL', async () => {
    const server = await serve((_request, response) => json(response, {}));
    for (const proxyFor of [
      () => Promise.reject(new Error('no')),
      () => Promise.resolve({ url: 'nonsense?access_token=abc' }),
    ]) {
      const error = await captureFailure(BuildServiceError, createClient(server, { carrier: { proxyFor } }).me());
      assert.ok(!String(error.cause).includes('abc'));
    }
  });
});
