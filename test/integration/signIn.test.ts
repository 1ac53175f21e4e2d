import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Redactor, Transport } from '../../src/service-client/index.ts';
import { CALLBACK_PATH } from '../../src/extension/auth/callback/callback.ts';
import { CallbackHandler } from '../../src/extension/auth/callback/callbackHandler.ts';
import type { SignInFlow } from '../../src/extension/auth/flows/flow.ts';
import { passwordFlow } from '../../src/extension/auth/flows/tokenFlows.ts';
import { uriHandlerFlow } from '../../src/extension/auth/flows/browserFlows.ts';
import { SignIn } from '../../src/extension/auth/signIn.ts';
import { Input } from '../../src/extension/workbench/input.ts';
import { Log } from '../../src/extension/workbench/log.ts';
import { approve } from '../support/consent.ts';
import { startLocalService, type LocalService } from '../support/localService.ts';
import { getTestExtension, extensionId, until } from './support/extension.ts';
import { startInterceptingProxy, type InterceptingProxy } from './support/interceptingProxy.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { clientAt, contextAt, captureFailure, getKind, nextPage, serviceAt } from './support/signingIn.ts';

describe('sign-in in the browser', () => {
  const access = getTestExtension();

  describe('with recorded requests', () => {
    const transport = new Transport({ retries: { limit: 0 } });
    let real: LocalService;
    let front: InterceptingProxy;
    const fronts: InterceptingProxy[] = [];
    const person = useRecordingUser();
    const agree = (_text: string, [button]: readonly string[]) => button;

    before(async () => {
      real = await startLocalService();
    });

    const startFront = async () => {
      const started = await startInterceptingProxy(real.baseUrl);
      fronts.push(started);
      return started;
    };

    // Each test has its own service, because the extension remembers whether a service has ever sent a state.
    beforeEach(async () => {
      front = await startFront();
      person.answers.press = () => undefined;
    });

    afterEach(async () => {
      await Promise.all(fronts.splice(0).map((each) => each.close()));
      // No sign-in may be pending, however the test has ended.
      assert.equal(access.callbacks.pending.page(), undefined);
      const { secrets } = access.context;
      await until(secrets.onDidChange, async () => !(await secrets.keys()).some((key) => key.startsWith('relay/')));
    });

    after(async () => {
      await transport.dispose();
      await real.stop();
    });

    const service = ({ url } = front) => serviceAt(url, { clientId: real.clientId, clientSecret: real.clientSecret });
    const flow = (callbacks: CallbackHandler = access.callbacks) =>
      uriHandlerFlow(extensionId, { callbacks, globalState: access.globalState });
    const deliver = (query: string, path = CALLBACK_PATH) =>
      access.callbacks.handleUri(
        vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: extensionId, path, query }),
      );
    const getQuery = (location: string) => new URL(location).search.slice(1);
    /** Begins a sign-in and allows access on its page. */
    const start = async () => {
      const page = nextPage(access.callbacks);
      const context = await contextAt(service(), transport);
      const grant = flow().run(context);
      grant.catch(() => undefined);
      return { context, grant, location: new URL(await approve(real, await page)) };
    };
    const withoutState = ({ searchParams }: URL) => `code=${searchParams.get('code') ?? ''}`;
    const signIn = (by: SignInFlow = flow(), timeoutMs?: number) =>
      new SignIn({
        flows: [by],
        sessions: access.sessions,
        clientFor: (at) => Promise.resolve(clientAt(at, transport)),
        input: new Input(),
        ...(timeoutMs !== undefined && { timeoutMs }),
      });

    describe('concurrent callers', () => {
      beforeEach(() => {
        let name = '';
        front.instead = (asked, authorization) => {
          if (asked === '/token') {
            name =
              Buffer.from(authorization?.replace('Basic ', '') ?? '', 'base64')
                .toString()
                .split(':')[0] ?? '';
            return { status: 200, body: JSON.stringify({ token: `token-of-${name}-here` }) };
          }
          return { status: 200, body: JSON.stringify({ username: name }) };
        };
      });

      const unregistered = () => serviceAt(front.url);

      it('wait for each other if they request different scopes or accounts, and get their own results', async () => {
        person.answers = { typed: ['alice', 'password', 'bob', 'password', 'carol', 'password'] };
        const signingIn = signIn(passwordFlow());
        // Two sign-ins at the same time would receive each other's callbacks.
        const sessions = await Promise.all([
          signingIn.run(unregistered(), { scopes: [] }),
          signingIn.run(unregistered(), { scopes: ['admin'] }),
          signingIn.run(unregistered(), { scopes: [], account: `carol (${front.url})` }),
        ]);
        assert.deepEqual(
          sessions.map(({ username, scopes }) => [username, scopes]),
          [
            ['alice', []],
            ['bob', ['admin']],
            ['carol', []],
          ],
        );
        assert.deepEqual(new Set(await access.sessions.all()), new Set(sessions));
      });

      it('share a sign-in for the same scopes in any order', async () => {
        person.answers = { typed: ['alice', 'password'] };
        const signingIn = signIn(passwordFlow());
        const [first, second] = await Promise.all([
          signingIn.run(unregistered(), { scopes: ['a', 'b'] }),
          signingIn.run(unregistered(), { scopes: ['b', 'a', 'a'] }),
        ]);
        assert.equal(first, second);
      });
    });

    it('time out if the browser never returns', async () => {
      // The log isn't disposed, because VS Code has a single channel with this name, which the extension uses.
      const log = new Log(new Redactor());
      const callbacks = new CallbackHandler(log);
      const failure = await captureFailure(signIn(flow(callbacks), 60).run(service(), { scopes: [] }));
      assert.equal(getKind(failure), 'signInTimedOut');
      assert.equal(callbacks.pending.page(), undefined);
      assert.deepEqual(front.requests, []);
      callbacks.dispose();
    });

    describe('a callback', () => {
      let running: Promise<unknown>;
      let location: URL;
      let cancel: () => void;

      beforeEach(async () => {
        const started = await start();
        ({ location } = started);
        ({ cancel } = started.context);
        running = captureFailure(started.grant);
      });

      afterEach(async () => {
        cancel();
        await running;
      });

      const attacks: Readonly<Record<string, (query: URLSearchParams) => readonly [query: string, path?: string]>> = {
        'with a wrong state': (query) => [`code=${query.get('code') ?? ''}&state=wrong`],
        'with an empty state': (query) => [`code=${query.get('code') ?? ''}&state=`],
        'that denies with a wrong state': () => ['error=authorization_refused&state=wrong'],
        'at a wrong path': (query) => [query.toString(), '/auth/other'],
        'with a code encoded twice': (query) => [
          `code=%2541${query.get('code') ?? ''}&state=${query.get('state') ?? ''}`,
        ],
      };
      for (const [title, attack] of Object.entries(attacks)) {
        it(`${title} changes nothing, and the sign-in continues`, async () => {
          const waiting = access.callbacks.pending.page();
          deliver(...attack(location.searchParams));
          assert.ok(waiting);
          assert.equal(access.callbacks.pending.page(), waiting);
          assert.deepEqual(front.requests, []);
          deliver(getQuery(location.href));
          assert.equal(await running, undefined);
          assert.deepEqual(front.requests, ['POST /authorize/token']);
        });
      }

      it('with an error but no state ends the sign-in as refused if the user confirms the refusal', async () => {
        person.answers.press = agree;
        deliver('error=authorization_refused');
        assert.equal(getKind(await running), 'signInRefused');
        assert.match(person.notifications[0] ?? '', /Did you just deny access/);
        assert.deepEqual(front.requests, []);
      });

      it('that is replayed changes nothing', async () => {
        deliver(getQuery(location.href));
        assert.equal(await running, undefined);
        deliver(getQuery(location.href));
        assert.deepEqual(front.requests, ['POST /authorize/token']);
      });
    });

    it('asks the user to confirm a callback without state, and rejects it once the service has sent a state', async () => {
      const first = await start();
      person.answers.press = agree;
      deliver(withoutState(first.location));
      assert.equal((await first.grant).stateVerified, false);
      assert.equal(person.notifications.length, 1);
      assert.match(person.notifications[0] ?? '', /Did you just allow access on 127\.0\.0\.1/);

      const second = await start();
      deliver(getQuery(second.location.href));
      assert.equal((await second.grant).stateVerified, true);

      const third = await start();
      assert.equal(access.callbacks.pending.expected.withoutState, false);
      third.context.cancel();
      assert.equal(getKind(await captureFailure(third.grant)), 'cancelled');
    });

    it('stores nothing if the user doesn’t confirm the account', async () => {
      person.answers.press = (text, [button]) => (text.startsWith('Did you just allow') ? button : undefined);
      const page = nextPage(access.callbacks);
      const failure = captureFailure(signIn().run(service(), { scopes: [] }));
      deliver(withoutState(new URL(await approve(real, await page))));
      assert.equal(getKind(await failure), 'cancelled');
      assert.match(person.notifications.at(-1) ?? '', /^Signed in as /);
      assert.deepEqual(await access.sessions.all(), []);
    });

    it('runs sign-ins at two services in parallel, and passes each its own callback', async () => {
      const other = await startFront();
      const firstPage = nextPage(access.callbacks);
      const first = signIn().run(service(), { scopes: [] });
      const firstAnswer = await approve(real, await firstPage);
      const otherPage = nextPage(access.callbacks);
      const second = signIn().run(service(other), { scopes: [] });
      const otherAnswer = await approve(real, await otherPage);
      assert.ok(access.callbacks.pending.page(new URL(front.url).origin)?.startsWith(front.url));
      deliver(getQuery(otherAnswer));
      deliver(getQuery(firstAnswer));
      const sessions = await Promise.all([first, second]);
      assert.deepEqual(
        sessions.map((session) => session.service.href),
        [front.url, other.url],
      );
      assert.deepEqual(front.requests, other.requests);
    });

    it('offers a callback without state to the sign-ins that accept it, each by its service’s name', async () => {
      const other = await startFront();
      const { host } = new URL(front.url);
      person.answers.press = (text, [button]) => (text.includes(host) ? button : undefined);
      const { grant, location } = await start();
      const context = await contextAt(service(other), transport);
      const otherPage = nextPage(access.callbacks);
      const otherGrant = captureFailure(flow().run(context));
      await otherPage;
      deliver(withoutState(location));
      assert.equal((await grant).stateVerified, false);
      assert.deepEqual(
        person.notifications.map((text) => /on ([^ ]+)’s page/.exec(text)?.[1]),
        [new URL(other.url).host, host],
      );
      assert.deepEqual(other.requests, [], 'a code went to the other service');
      context.cancel();
      await otherGrant;
    });
  });
});
