import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Redactor } from '../../src/api/redaction.ts';
import { Transport } from '../../src/api/http/transport.ts';
import { CALLBACK_PATH } from '../../src/auth/callback/callback.ts';
import { CallbackHandler } from '../../src/auth/callback/callbackHandler.ts';
import { UriHandlerFlow } from '../../src/auth/flows/uriHandlerFlow.ts';
import { SignIn } from '../../src/auth/signIn.ts';
import { StateSupport } from '../../src/auth/callback/stateSupport.ts';
import type { TestAccess } from '../../src/extension.ts';
import { Input } from '../../src/workbench/input.ts';
import { Log } from '../../src/workbench/log.ts';
import { approve } from '../support/consent.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { activated, extensionId, next, signOutEverywhere } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { clientAt, contextAt, failureOf, kindOf, nextPage, serviceAt } from './support/signingIn.ts';

describe('sign-in in the browser', () => {
  let access: TestAccess;

  before(async () => {
    access = await activated();
  });

  after(() => signOutEverywhere(access));

  describe('at a service that is watched', () => {
    const transport = new Transport({ retries: { limit: 0 } });
    let real: LocalService;
    let front: InterceptingProxy;
    let stateSupport: StateSupport;

    before(async () => {
      real = await startLocalService();
      stateSupport = new StateSupport(access.context.globalState);
    });

    beforeEach(async () => {
      front = await startInterceptingProxy(real.baseUrl);
    });

    afterEach(async () => {
      await front.close();
      // Whatever the exit path was.
      assert.equal(access.callbacks.pendingPage, undefined);
      const { secrets } = access.context;
      while ((await secrets.keys()).some((key) => key.startsWith('relay/'))) {
        await next(secrets.onDidChange);
      }
    });

    after(async () => {
      await transport.dispose();
      await real.stop();
    });

    const service = (registration = { clientId: real.clientId, clientSecret: real.clientSecret }) =>
      serviceAt(front.url, registration);
    const flow = (callbacks: CallbackHandler = access.callbacks) =>
      new UriHandlerFlow(extensionId, { callbacks, stateSupport });
    const deliver = (query: string, path = CALLBACK_PATH) =>
      access.callbacks.handleUri(
        vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path, query }),
      );
    const queryOf = (location: string) => new URL(location).search.slice(1);
    const signIn = (timeoutMs?: number, callbacks?: CallbackHandler) =>
      new SignIn({
        flows: [flow(callbacks)],
        sessions: access.sessions,
        clientFor: (at) => Promise.resolve(clientAt(at, transport)),
        input: new Input(),
        notifications: access.notifications,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });

    it('concurrent callers share one sign-in', async () => {
      const page = nextPage(access.callbacks);
      const signingIn = signIn();
      const both = [signingIn.run(service(), { scopes: [] }), signingIn.run(service(), { scopes: [] })];
      deliver(queryOf(await approve(real, await page)));
      const [first, second] = await Promise.all(both);
      assert.ok(first && first === second);
      assert.deepEqual(front.requests, ['POST /authorize/token', 'GET /api/v1/me']);
      await access.sessions.remove(first.id);
    });

    it('denied', async () => {
      const page = nextPage(access.callbacks);
      const failure = failureOf(signIn().run(service(), { scopes: [] }));
      deliver(queryOf(await approve(real, await page, { deny: true })));
      assert.equal(kindOf(await failure), 'signInRefused');
      assert.deepEqual(front.requests, []);
      assert.deepEqual(await access.sessions.all(), []);
    });

    it('cancelled', async () => {
      const page = nextPage(access.callbacks);
      const context = await contextAt(service(), transport);
      const failure = failureOf(flow().run(context));
      const location = await approve(real, await page);
      context.cancel();
      assert.equal(kindOf(await failure), 'cancelled');
      deliver(queryOf(location));
      assert.deepEqual(front.requests, [], 'the code was used after the cancellation');
    });

    it('timed out', async () => {
      // The channel is the extension's own: VS Code knows it by its name. So it is not disposed here.
      const log = new Log(new Redactor());
      const callbacks = new CallbackHandler(log);
      const failure = await failureOf(signIn(60, callbacks).run(service(), { scopes: [] }));
      assert.equal(kindOf(failure), 'signInTimedOut');
      assert.equal(callbacks.pendingPage, undefined);
      assert.deepEqual(front.requests, []);
      callbacks.dispose();
    });

    it('the service is gone', async () => {
      const page = nextPage(access.callbacks);
      const failure = failureOf(signIn().run(service(), { scopes: [] }));
      const location = await approve(real, await page);
      await front.close();
      deliver(queryOf(location));
      assert.equal(kindOf(await failure), 'network');
      assert.deepEqual(await access.sessions.all(), []);
      front = await startInterceptingProxy(real.baseUrl);
    });

    it('the service does not know the client', async () => {
      const page = nextPage(access.callbacks);
      const failure = failureOf(
        signIn().run(service({ clientId: real.clientId, clientSecret: 'wrong-secret' }), { scopes: [] }),
      );
      deliver(queryOf(await approve(real, await page)));
      const error = await failure;
      assert.ok(error instanceof Error);
      assert.equal(kindOf(error), 'service');
      assert.ok(!error.message.includes('wrong-secret'));
      assert.deepEqual(await access.sessions.all(), []);
    });

    describe('a callback', () => {
      let running: Promise<unknown>;
      let location: URL;
      let cancel: () => void;

      beforeEach(async () => {
        const page = nextPage(access.callbacks);
        const context = await contextAt(service(), transport);
        cancel = context.cancel;
        running = failureOf(flow().run(context));
        location = new URL(await approve(real, await page));
      });

      afterEach(async () => {
        cancel();
        await running;
      });

      const attacks: Readonly<Record<string, (query: URLSearchParams) => readonly [query: string, path?: string]>> = {
        'with two codes': (query) => [`${query.toString()}&code=Another1`],
        'with two states': (query) => [`${query.toString()}&state=x`],
        'with a code and an error': (query) => [`${query.toString()}&error=authorization_refused`],
        'with a wrong state': (query) => [`code=${query.get('code') ?? ''}&state=wrong`],
        'with an empty state': (query) => [`code=${query.get('code') ?? ''}&state=`],
        'that denies with a wrong state': () => ['error=authorization_refused&state=wrong'],
        'at a wrong path': (query) => [query.toString(), '/auth/other'],
        'at a path below': (query) => [query.toString(), `${CALLBACK_PATH}/x`],
        'of 100 kB': (query) => [`${query.toString()}&more=${'x'.repeat(100_000)}`],
        'encoded twice': (query) => [encodeURIComponent(query.toString())],
        'with a code encoded twice': (query) => [
          `code=%2541${query.get('code') ?? ''}&state=${query.get('state') ?? ''}`,
        ],
        'with nothing': () => [''],
      };
      for (const [title, attack] of Object.entries(attacks)) {
        it(`${title} changes nothing, and the sign-in goes on`, async () => {
          const waiting = access.callbacks.pendingPage;
          deliver(...attack(location.searchParams));
          assert.ok(waiting);
          assert.equal(access.callbacks.pendingPage, waiting);
          assert.deepEqual(front.requests, []);
          deliver(queryOf(location.href));
          assert.equal(await running, undefined);
          assert.deepEqual(front.requests, ['POST /authorize/token']);
        });
      }

      it('replayed changes nothing', async () => {
        deliver(queryOf(location.href));
        assert.equal(await running, undefined);
        deliver(queryOf(location.href));
        assert.deepEqual(front.requests, ['POST /authorize/token']);
      });

      it('of an earlier sign-in does not fit a later one', async () => {
        const page = nextPage(access.callbacks);
        const context = await contextAt(service(), transport);
        const later = failureOf(flow().run(context));
        await page;
        assert.equal(kindOf(await running), 'cancelled', 'one sign-in waits at a time');
        const waiting = access.callbacks.pendingPage;
        deliver(queryOf(location.href));
        assert.equal(access.callbacks.pendingPage, waiting);
        assert.deepEqual(front.requests, []);
        context.cancel();
        await later;
      });
    });

    it('an answer without state needs a confirmation, and counts only while the service has never sent it', async () => {
      const start = async () => {
        const page = nextPage(access.callbacks);
        const context = await contextAt(service(), transport);
        const grant = flow().run(context);
        grant.catch(() => undefined);
        return { context, grant, location: new URL(await approve(real, await page)) };
      };
      const withoutState = ({ searchParams }: URL) => `code=${searchParams.get('code') ?? ''}`;

      const first = await start();
      deliver(withoutState(first.location));
      assert.equal((await first.grant).stateVerified, false);

      const second = await start();
      deliver(queryOf(second.location.href));
      assert.equal((await second.grant).stateVerified, true);

      const third = await start();
      deliver(withoutState(third.location));
      assert.notEqual(access.callbacks.pendingPage, undefined);
      third.context.cancel();
      assert.equal(kindOf(await failureOf(third.grant)), 'cancelled');
    });

    it('an unconfirmed answer stores nothing', async () => {
      const page = nextPage(access.callbacks);
      const failure = failureOf(signIn().run(service(), { scopes: [] }));
      const { searchParams } = new URL(await approve(real, await page));
      deliver(`code=${searchParams.get('code') ?? ''}`);
      // VS Code refuses the question in tests, as a person would with Cancel.
      assert.notEqual(await failure, undefined);
      assert.deepEqual(await access.sessions.all(), []);
    });
  });
});
