import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createCertificate } from '../../../src/build-service/tls.ts';
import { listenOnLoopback } from '../../../src/extension/auth/callback/loopbackListener.ts';
import type { NetworkSite } from '../../../src/extension/devices/network/networkListener.ts';
import { PreviewSite } from '../../../src/extension/devices/network/networkSites.ts';
import { EVENTS_PATH, frameDocument } from '../../../src/extension/devices/network/phonePages.ts';
import { unpackWebFiles } from '../../../src/extension/devices/network/webFiles.ts';
import { MAX_PIPELINED_REQUESTS } from '../../../src/http-server/limits.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { CORDOVA_SCRIPT, createPackage, listenForTest } from '../../support/networkSites.ts';
import { openConnection, trickle, type RawConnection } from '../../support/rawConnection.ts';
import { freePort, resetConnect } from '../../support/servers.ts';

/** A server of the product. */
interface Started {
  /** Address of a page that it responds to with 200. */
  readonly url: URL;
  /** Path of a response that doesn't end, and whether the timeout ends it. */
  readonly endless?: { readonly pathname: string; readonly isTimed: boolean };
  /** Called once. Doesn't wait for the loopback listener, which has no promise for its end. */
  readonly close: () => Promise<void>;
  /** Number of pages so far, if the received data doesn't show it. */
  readonly pages?: () => number;
}

interface ServerRow {
  /** Largest headers that it accepts, and smallest that it doesn't, in bytes. */
  readonly headers: readonly [most: number, tooMany: number];
  /** @param timeoutMs timeout for headers, and without traffic */
  readonly start: (timeoutMs?: number) => Promise<Started>;
}

const NODE_HEADERS = [15_000, 20_000] as const;
const SHORT_MS = 300;

describe('a server of ours', () => {
  let folder = '';
  useFolderForEachTest((made) => (folder = made));

  async function startService(isSecure: boolean, timeoutMs?: number): Promise<Started> {
    const certificate = isSecure ? await createCertificate(Date.now()) : undefined;
    const limits = timeoutMs === undefined ? {} : { headersTimeoutMs: timeoutMs, idleTimeoutMs: timeoutMs };
    const { baseUrl, stop } = await startInProcess({ certificate, limits });
    return { url: new URL('/sign-in', baseUrl), close: stop };
  }

  async function share(site: NetworkSite, page: string, endless: string, idleTimeoutMs?: number): Promise<Started> {
    const listener = await listenForTest({ site, ...(idleTimeoutMs !== undefined && { idleTimeoutMs }) });
    return {
      url: new URL(page, listener.url),
      endless: {
        pathname: new URL(endless, listener.url).pathname, // The preview's events wait for the next build.
        isTimed: endless !== EVENTS_PATH,
      },
      close: () => listener.close(),
    };
  }

  const SERVERS: Readonly<Record<string, ServerRow>> = {
    'the local service': { headers: NODE_HEADERS, start: (timeoutMs) => startService(false, timeoutMs) },
    'the local service with TLS': { headers: NODE_HEADERS, start: (timeoutMs) => startService(true, timeoutMs) },
    'the phone listener': {
      headers: [60_000, 70_000],
      start: (timeoutMs) => {
        const answer: NetworkSite['answer'] = (_request, response, path) => {
          response.writeHead(200, { 'content-length': 4 });
          if (path === 'endless') {
            response.write('p');
          } else {
            response.end('page');
          }
          return true;
        };
        return share({ answer }, 'page', 'endless', timeoutMs);
      },
    },
    'the preview': {
      headers: [60_000, 70_000],
      start: async (timeoutMs) => {
        const file = join(folder, 'app.apk');
        await writeFile(file, createPackage({ 'index.html': 'start' }));
        const files = await unpackWebFiles(file, new AbortController().signal);
        const site = new PreviewSite(frameDocument('Shop', undefined), files, { cordovaScript: CORDOVA_SCRIPT });
        const shared = await share(site, '', EVENTS_PATH, timeoutMs);
        return {
          ...shared,
          close: async () => {
            await shared.close();
            await site.dispose();
          },
        };
      },
    },
    'the callback’s listener': {
      headers: NODE_HEADERS,
      start: async (timeoutMs) => {
        const url = new URL(`http://127.0.0.1:${await freePort()}/callback`);
        let pages = 0;
        const listener = await listenOnLoopback(
          url,
          () => {
            pages += 1;
            return { accepted: true };
          },
          timeoutMs,
        );
        return { url, pages: () => pages, close: () => Promise.resolve(listener.dispose()) };
      },
    },
  };

  for (const [name, { headers, start }] of Object.entries(SERVERS)) {
    describe(name, () => {
      const clients: RawConnection[] = [];
      let server: Started;
      let hasEnded: boolean;

      const open = async (timeoutMs?: number): Promise<void> => {
        server = await start(timeoutMs);
        hasEnded = false;
      };
      const end = async (): Promise<void> => {
        if (!hasEnded) {
          hasEnded = true;
          await server.close();
        }
      };
      afterEach(async () => {
        clients.splice(0).forEach(({ socket }) => socket.destroy());
        await end();
      });

      async function connect(bytes = ''): Promise<RawConnection> {
        const client = await openConnection(server.url);
        clients.push(client);
        client.send(bytes);
        return client;
      }

      const get = (head = 'Connection: close\r\n', { pathname, host } = server.url): string =>
        `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${head}\r\n`;

      async function exchange(bytes: string): Promise<string> {
        const client = await connect(bytes);
        await client.ended;
        return client.received();
      }

      const assertServing = async (): Promise<void> => assert.match(await exchange(get()), /^HTTP\/1\.1 200 /);

      it('refuses CONNECT, and survives its reset', async () => {
        await open();
        const { host } = server.url;
        assert.match(await exchange(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), /^HTTP\/1\.1 405 /);
        for (let index = 0; index < 5; index += 1) {
          await resetConnect(server.url);
        }
        await assertServing();
      });

      it('handles a request to upgrade as a usual request', async () => {
        await open();
        assert.match(await exchange(get('Connection: close, Upgrade\r\nUpgrade: websocket\r\n')), /^HTTP\/1\.1 200 /);
      });

      it('refuses invalid HTTP and other hosts, and closes the connection', async () => {
        await open();
        assert.match(await exchange('hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
        assert.match(
          await exchange(`GET ${server.url.pathname} HTTP/1.1\r\nConnection: close\r\n\r\n`),
          /^HTTP\/1\.1 4(00|21) /,
        );
        const { pathname } = server.url;
        for (const host of ['rebound.example', `rebound.example:${server.url.port}`, '127.0.0.1:1']) {
          assert.match(await exchange(get(undefined, { pathname, host } as URL)), /^HTTP\/1\.1 421 /, host);
          const target = `${server.url.protocol}//${host}${pathname}`;
          assert.match(await exchange(get().replace(pathname, target)), /^HTTP\/1\.1 421 /, target);
        }
        assert.match(await exchange(get().replace(pathname, server.url.href)), /^HTTP\/1\.1 200 /);
      });

      it('limits the size of headers', async () => {
        await open();
        const [most, tooMany] = headers;
        const cookie = (length: number): string => get(`Connection: close\r\nCookie: a=${'a'.repeat(length)}\r\n`);
        assert.match(await exchange(cookie(most)), /^HTTP\/1\.1 200 /);
        assert.match(await exchange(cookie(tooMany)), /^HTTP\/1\.1 431 /);
      });

      it('closes a connection with too many pipelined requests', async () => {
        await open();
        const received = await exchange(get('').repeat(MAX_PIPELINED_REQUESTS) + get());
        const pages = server.pages?.() ?? received.split('HTTP/1.1 200').length - 1;
        assert.ok(pages <= MAX_PIPELINED_REQUESTS, `${pages} pages`);
        await assertServing();
      });

      it('closes connections that are silent or whose headers are slow', async () => {
        await open(SHORT_MS);
        const slow = await connect(get().slice(0, -2));
        await Promise.all([trickle(slow), exchange('')]);
        assert.match(slow.received(), /^HTTP\/1\.1 408 /);
        const { endless, url } = server;
        if (endless?.isTimed === true) {
          const { pathname } = endless;
          const { host } = url;
          assert.match(await exchange(get('', { pathname, host } as URL)), /^HTTP\/1\.1 200 /);
        }
      });

      it('ends while clients keep their side open', async () => {
        await open(10 * SHORT_MS);
        const { host, pathname } = server.url;
        const open405 = await connect(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        const kept = await connect(get(''));
        const waiting = await connect(get('', { pathname: server.endless?.pathname ?? pathname, host } as URL));
        const partial = await connect(get().slice(0, -2));
        await Promise.all([open405.until(/405/), kept.until(/200/), waiting.until(/200/)]);
        const silent = await connect();
        await end();
        await Promise.all([open405, kept, waiting, partial, silent].map(({ ended }) => ended));
        await assert.rejects(openConnection(server.url), { code: 'ECONNREFUSED' });
      });
    });
  }
});
