import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type * as vscode from 'vscode';
import { sentence } from '../../src/errors/index.ts';
import { Redactor, Transport } from '../../src/service-client/index.ts';
import { CallbackHandler } from '../../src/extension/auth/callback/callbackHandler.ts';
import { listenOnLoopback } from '../../src/extension/auth/callback/loopbackListener.ts';
import { loopbackFlow, pastedCallbackFlow } from '../../src/extension/auth/flows/browserFlows.ts';
import { authTokenFlow, passwordFlow } from '../../src/extension/auth/flows/tokenFlows.ts';
import type { SignInFlow } from '../../src/extension/auth/flows/flow.ts';
import { Log } from '../../src/extension/workbench/log.ts';
import { approve } from '../support/consent.ts';
import { listen } from '../support/listen.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { freePort, resetConnect } from '../support/servers.ts';
import { getTestExtension } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { contextAt, captureFailure, getKind, nextPage, serviceAt } from './support/signingIn.ts';

describe('ways to sign in', () => {
  const transport = new Transport({ retries: { limit: 0 } });
  const access = getTestExtension();
  let callbacks: CallbackHandler;
  let browser: { readonly callbacks: CallbackHandler; readonly globalState: vscode.Memento };

  before(() => {
    callbacks = new CallbackHandler(new Log(new Redactor()));
    browser = { callbacks, globalState: access.globalState };
  });

  after(async () => {
    callbacks.dispose();
    await transport.dispose();
  });

  describe('with a browser', () => {
    let real: LocalService;
    let front: InterceptingProxy;
    let callbackUrl: string;

    before(async () => {
      callbackUrl = `http://127.0.0.1:${await freePort()}/sign-in/done`;
      real = await startLocalService({ callbackUrl });
    });

    beforeEach(async () => {
      front = await startInterceptingProxy(real.baseUrl);
    });

    afterEach(async () => {
      assert.equal(callbacks.pending.page(), undefined);
      assert.equal(await refused(callbackUrl), true, 'something still listens');
      await front.close();
    });

    after(() => real.stop());

    const registration = () => ({ clientId: real.clientId, clientSecret: real.clientSecret, callbackUrl });

    async function start(flow: SignInFlow, { url } = front) {
      const page = nextPage(callbacks);
      const context = await contextAt(serviceAt(url, registration()), transport);
      const grant = flow.run(context);
      grant.catch(() => undefined);
      return { grant, context, location: await approve(real, await page) };
    }

    describe('that returns to this computer', () => {
      it('listens on the registered address, reports that the tab can be closed, and stops', async () => {
        const { grant, location } = await start(loopbackFlow(browser));
        assert.equal(new URL(location).origin + new URL(location).pathname, callbackUrl);
        const { status, page, headers } = await ask(location);
        assert.equal(status, 200);
        assert.match(page, /You can close this tab/);
        assert.ok(!page.includes(new URL(location).searchParams.get('code') ?? '?'));
        assert.equal(headers['referrer-policy'], 'no-referrer');
        assert.equal(headers['cache-control'], 'no-store');
        const { token, stateVerified } = await grant;
        assert.equal(stateVerified, true);
        assert.equal(token.type, 'accessToken');
        assert.deepEqual(front.requests, ['POST /authorize/token']);
      });

      it('rejects other requests, and keeps waiting', async () => {
        const { grant, location } = await start(loopbackFlow(browser));
        assert.equal((await ask(location, { host: `localhost:${new URL(location).port}` })).status, 421);
        assert.equal((await ask(location, {}, 'POST')).status, 405);
        const wrongState = new URL(location);
        wrongState.searchParams.set('state', '<script>');
        const { status, page } = await ask(wrongState.href);
        assert.equal(status, 400);
        assert.ok(!page.includes('script>'));
        assert.equal((await ask(`${location}&more=${'x'.repeat(100_000)}`)).status, 431);
        assert.deepEqual(front.requests, []);
        assert.equal((await ask(location)).status, 200);
        await grant;
      });

      it('accepts any request line, and Host as the first header', async () => {
        const { grant, location } = await start(loopbackFlow(browser));
        const { host, port, pathname, search } = new URL(location);
        for (const [line, status, name] of [
          ['GET //', 404],
          ['GET //', 421, 'attacker.example.com'],
          [`GET //${host}${pathname}${search}`, 404],
          ['GET //attacker.example.com/x', 404],
          ['GET http://', 421],
          [`GET http://attacker.example.com${pathname}${search}`, 421],
          [`GET ${location}`, 421, 'attacker.example.com'],
          ['OPTIONS *', 421],
          ['GET %', 400],
          ['GET /%ff%00', 404],
          [`GET /sign-in/other${search}`, 404],
          ['GET \\\\', 400],
          ['GET javascript:1', 400],
          [`CONNECT ${host}`, 405],
          ['garbage', 400],
          ['', 400],
        ] as const) {
          const answer = await exchange(Number(port), `${line} HTTP/1.1\r\nHost: ${name ?? host}\r\n\r\n`);
          assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${line} at ${name ?? host}`);
        }
        await resetConnect(new URL(location));
        assert.deepEqual(front.requests, []);
        const answer = await exchange(Number(port), `GET ${location} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.1 200 /, 'in absolute form, under its own name');
        await grant;
      });

      it('accepts only navigations, and rejects a page’s background requests', async () => {
        const { grant, location } = await start(loopbackFlow(browser));
        for (const headers of [
          { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
          { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
          { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
          { 'sec-fetch-mode': 'websocket' },
        ]) {
          assert.equal((await ask(location, headers)).status, 400);
        }
        assert.deepEqual(front.requests, []);
        assert.equal((await ask(location, { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).status, 200);
        await grant;
      });

      it('serves sign-ins at two services on one address until the last one ends', async () => {
        const flow = loopbackFlow(browser);
        const { grant, location } = await start(flow);
        const other = await startInterceptingProxy(real.baseUrl);
        const second = await start(flow, other);
        assert.equal((await ask(second.location)).status, 200);
        assert.equal((await second.grant).stateVerified, true);
        assert.equal((await ask(location)).status, 200);
        assert.equal((await grant).stateVerified, true);
        assert.deepEqual(other.requests, front.requests);
        await other.close();
      });

      it('stops after a cancellation', async () => {
        const { grant, context } = await start(loopbackFlow(browser));
        context.cancel();
        assert.equal(getKind(await captureFailure(grant)), 'cancelled');
      });

      it('reports that the port is in use before a browser opens', async () => {
        const taken = await listen(createServer(), '127.0.0.1', Number(new URL(callbackUrl).port));
        const context = await contextAt(serviceAt(front.url, registration()), transport);
        const failure = await captureFailure(loopbackFlow(browser).run(context));
        await taken.close();
        assert.equal(getKind(failure), 'loopback');
        assert.ok(failure instanceof Error && failure.message.includes(new URL(callbackUrl).host));
      });
    });

    describe('that returns to localhost', () => {
      let localhost: URL;

      before(async () => {
        localhost = new URL(`http://localhost:${await freePort()}/done`);
      });

      const refuse = () => ({ accepted: false, reason: sentence('Nobody waits.') }) as const;

      it('listens on both of its addresses', async () => {
        const listener = await listenOnLoopback(localhost, refuse);
        try {
          for (const address of ['127.0.0.1', '[::1]']) {
            const { status } = await ask(`http://${address}:${localhost.port}/done`, { host: localhost.host });
            assert.equal(status, 400, address);
          }
        } finally {
          listener.dispose();
        }
      });

      for (const address of ['127.0.0.1', '::1']) {
        it(`reports that another program uses its port at ${address}, and listens nowhere`, async () => {
          const taken = await listen(createServer(), address, Number(localhost.port));
          const failure = await captureFailure(listenOnLoopback(localhost, refuse));
          await taken.close();
          assert.equal(getKind(failure), 'loopback');
          for (const each of ['127.0.0.1', '[::1]']) {
            assert.equal(await refused(`http://${each}:${localhost.port}/`), true, each);
          }
        });
      }
    });
  });

  describe('by typing', () => {
    useRecordingUser();

    for (const [name, getFlow] of [
      ['a pasted result', () => pastedCallbackFlow(browser)],
      ['an authentication token', authTokenFlow],
      ['user name and password', passwordFlow],
    ] as const) {
      it(`sends nothing if the user closes the box for ${name}`, async () => {
        const front = await startInterceptingProxy();
        const service = serviceAt(front.url, {
          clientId: 'id',
          clientSecret: 'a-client-secret',
          callbackUrl: 'https://a.example/',
        });
        const grant = getFlow().run(await contextAt(service, transport));
        assert.equal(getKind(await captureFailure(grant)), 'cancelled');
        assert.deepEqual(front.requests, []);
        await front.close();
      });
    }
  });

  it('requires a registration for an authentication token', async () => {
    const context = await contextAt(serviceAt('http://127.0.0.1:9'), transport);
    assert.equal(getKind(await captureFailure(authTokenFlow().run(context))), 'notRegistered');
  });
});

async function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const sent = request(url, { method, headers, agent: false });
  // The server may reject a long request without reading all of it.
  sent.on('error', () => undefined);
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, page: await text(response).catch(() => ''), headers: response.headers };
}

/** Sends bytes unchanged. @returns the received data until the connection ends */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

async function refused(url: string): Promise<boolean> {
  const failure = await captureFailure(ask(url));
  return failure instanceof Error && 'code' in failure && failure.code === 'ECONNREFUSED';
}
