import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createConnection, type Socket } from 'node:net';

import { LIFETIME_MS } from '../../../../../src/extension/devices/limits.ts';
import { Failure } from '../../../../../src/errors/index.ts';
import type { NetworkListener, NetworkSite } from '../../../../../src/extension/devices/network/networkListener.ts';
import { ManualClock } from '../../../../support/manualClock.ts';
import { getTarget, listenForTest, sendRaw, getStatus } from '../../../../support/networkSites.ts';
import { captureFailure } from '../../../../support/servers.ts';

const CONTENT = 'what is shared';

/** Responds under `page`. For `wait`, it sends the first bytes and never ends. The length is known, like that of a file. */
const SITE: NetworkSite = {
  answer: (_request, response, path) => {
    if (path === 'wait') {
      response.writeHead(200, { 'content-length': CONTENT.length + 1 }).write(CONTENT);
      return true;
    }
    if (path !== 'page') {
      return false;
    }
    response.end(CONTENT);
    return true;
  },
};

describe('a network listener', () => {
  const open: NetworkListener[] = [];

  async function listen(options: Partial<Parameters<typeof listenForTest>[0]> = {}): Promise<NetworkListener> {
    const listener = await listenForTest({ site: SITE, ...options });
    open.push(listener);
    return listener;
  }

  afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close())));

  it('uses a new random path of at least 128 bits each time', async () => {
    const paths = await Promise.all([1, 2, 3].map(async () => new URL((await listen()).url).pathname));
    assert.equal(new Set(paths).size, 3);
    for (const path of paths) {
      assert.match(path, /^\/[\w-]{22,}\/$/);
    }
  });

  it('responds only under its path', async () => {
    const listener = await listen();
    const { pathname } = new URL(listener.url);
    const secret = pathname.slice(1, -1);
    const answer = await getTarget(listener, `${pathname}page`);
    assert.equal(getStatus(answer), 200);
    assert.ok(answer.endsWith(CONTENT));
    assert.equal(getStatus(await getTarget(listener, `${pathname}page?query=1`)), 200);
    const others = [
      '/',
      '/page',
      pathname,
      `/${secret}`,
      `/${secret.slice(0, -1)}/page`,
      `/${'A'.repeat(secret.length)}/page`,
      `//${secret}/page`,
      `/x/../${secret}/page`,
      `${pathname}page/`,
      `${pathname}%70age`,
      `${pathname}x%2f..%2fpage`,
    ];
    for (const target of others) {
      const refused = await getTarget(listener, target);
      assert.equal(getStatus(refused), 404, target);
      assert.ok(!refused.includes(CONTENT) && !refused.includes(secret), target);
    }
  });

  it('responds only to its own exact host name', async () => {
    const listener = await listen();
    const { pathname, port } = new URL(listener.url);
    const hosts = [`localhost:${port}`, `rebound.example:${port}`, `127.0.0.1:${port}.x`, ''];
    for (const host of hosts) {
      const answer = await sendRaw(
        listener,
        `GET ${pathname}page HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(getStatus(answer), 421, host);
      assert.ok(!answer.includes(CONTENT));
    }
    assert.equal(getStatus(await sendRaw(listener, `GET ${pathname}page HTTP/1.1\r\n\r\n`)), 400);
    assert.equal(getStatus(await sendRaw(listener, `GET ${pathname}page HTTP/1.0\r\n\r\n`)), 421);
    for (const target of [`http://rebound.example${pathname}page`, `${listener.url.replace(':', 's:')}page`, '*']) {
      assert.equal(getStatus(await getTarget(listener, target)), 421, target);
    }
    assert.equal(getStatus(await getTarget(listener, `${listener.url}page`)), 200);
  });

  it('accepts only GET and HEAD', async () => {
    const listener = await listen();
    for (const method of ['POST', 'OPTIONS', 'TRACE']) {
      const response = await sendRaw(
        listener,
        `${method} ${new URL(listener.url).pathname}page HTTP/1.1\r\nHost: ${new URL(listener.url).host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      assert.equal(getStatus(response), 405, method);
      assert.match(response, /\r\nallow: GET, HEAD\r\n/i);
    }
    const { host } = new URL(listener.url);
    assert.equal(getStatus(await sendRaw(listener, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)), 405);
    const head = await fetch(`${listener.url}page`, { method: 'HEAD' });
    assert.equal(head.status, 200);
  });

  it('prevents caching and content sniffing', async () => {
    const { url } = await listen();
    for (const address of [`${url}page`, `${url}nothing`]) {
      const { headers } = await fetch(address);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('access-control-allow-origin'), null);
    }
    const refused = await fetch(`${url}nothing`);
    assert.match(
      refused.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; .*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    assert.match(await refused.text(), /Sharing may have ended\. Scan the code in VS Code again\./);
  });

  it('reports only accepted requests under its path that aren’t HEAD requests', async () => {
    const visits: string[] = [];
    const { url } = await listen({ onDidVisit: ({ address, path }) => visits.push(`${address} ${path}`) });
    await fetch(`${url}nothing`);
    await fetch(`${url}page`, { method: 'HEAD' });
    await fetch(new URL('/page', url));
    assert.deepEqual(visits, []);
    await fetch(`${url}page?query`);
    assert.deepEqual(visits, ['127.0.0.1 page']);
  });

  it('closes, and accepts other connections, while a CONNECT client keeps its side open', async () => {
    const listener = await listen();
    const { hostname, port, host, pathname } = new URL(listener.url);
    const silent: Socket[] = [];
    for (let index = 0; index < 4; index += 1) {
      const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
      silent.push(socket);
      socket.on('error', () => undefined).write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 405 /);
      await once(socket, 'end');
    }
    assert.equal(getStatus(await getTarget(listener, `${pathname}page`)), 200);
    await listener.close();
    silent.forEach((socket) => socket.destroy());
  });

  it('stops after 30 minutes, and frees its port', async () => {
    const clock = new ManualClock();
    let end: (listener: NetworkListener) => void = () => undefined;
    const ended = new Promise<NetworkListener>((resolve) => {
      end = resolve;
    });
    const listener: NetworkListener = await listen({
      clock,
      onDidEnd: () => {
        end(listener);
        return Promise.resolve();
      },
    });
    assert.equal(listener.endsAt.getTime() - clock.now(), LIFETIME_MS);
    await clock.advance(LIFETIME_MS - 1, () => Promise.resolve());
    assert.equal((await fetch(`${listener.url}page`)).status, 200);
    await clock.advance(1, () => Promise.resolve());
    await ended;
    await assert.rejects(fetch(`${listener.url}page`));
  });

  it('stops immediately and only once, even during a download', async () => {
    let ends = 0;
    const listener = await listen({
      onDidEnd: async () => {
        ends += 1;
        return Promise.resolve();
      },
    });
    const response = await fetch(`${listener.url}wait`);
    const body = response.text();
    await Promise.all([listener.close(), listener.close(), assert.rejects(body)]);
    assert.equal(ends, 1);
    await assert.rejects(fetch(`${listener.url}page`));
  });

  it('reports an address that it can’t listen on', async () => {
    // This address belongs to no host (RFC 5737).
    const error = await captureFailure(Failure, listenForTest({ site: SITE, address: '198.51.100.1' }));
    assert.match(error.message, /doesn’t let the extension listen on 198\.51\.100\.1/);
    assert.equal(error.remedy, 'download');
  });

  it('listens on no other address of the computer', async () => {
    const listener = await listen();
    const { port } = new URL(listener.url);
    // If the listener used all addresses, this port would be occupied here as well.
    const other = createServer();
    other.listen({ host: '127.0.0.2', port: Number(port), exclusive: true });
    await once(other, 'listening');
    other.close();
    await once(other, 'close');
  });
});
