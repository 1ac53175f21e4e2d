import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseServiceUrl } from '../../src/service-client/index.ts';
import { PROVIDER_ID } from '../../src/extension/auth/authenticationProvider.ts';
import { newSession, type Session } from '../../src/extension/auth/session.ts';
import { getTestExtension, configure } from './support/extension.ts';
import { startInterceptingProxy } from './support/interceptingProxy.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { captureFailure } from './support/signingIn.ts';

const one = parseServiceUrl('https://one.example.com');
const two = parseServiceUrl('https://two.example.com:8443/build');

function session(
  service: typeof one,
  username: string,
  accessToken = `token-of-${username}-${crypto.randomUUID()}`,
  scopes: readonly string[] = [],
): Session {
  return newSession(service, username, { type: 'accessToken', accessToken }, scopes);
}

describe('sessions', () => {
  const access = getTestExtension();
  const ann = session(one, 'ann');
  const bob = session(one, 'bob');
  const annElsewhere = session(two, 'ann');

  beforeEach(() => configure({ serviceUrl: one.href }));

  describe('of several services', () => {
    const witness = useRecordingUser();
    const offered = async () => (await access.provider.getSessions(undefined, {})).map(({ id }) => id);

    it('are offered only while their service is in use, and each change is announced', async () => {
      for (const each of [ann, bob, annElsewhere]) {
        await access.sessions.store(each);
      }
      assert.deepEqual(await offered(), [ann.id, bob.id]);
      assert.deepEqual(await access.provider.getSessions([], { account: annElsewhere.account }), []);
      const events: vscode.AuthenticationProviderAuthenticationSessionsChangeEvent[] = [];
      const subscription = access.provider.onDidChangeSessions((event) => events.push(event));
      await configure({ serviceUrl: two.href });
      assert.deepEqual(await offered(), [annElsewhere.id]);
      await configure({ serviceUrl: undefined });
      assert.deepEqual(await offered(), []);
      await configure({ serviceUrl: 'this is no address' });
      assert.deepEqual(await offered(), []);
      subscription.dispose();
      const ids = (list: readonly vscode.AuthenticationSession[] | undefined) => list?.map(({ id }) => id);
      assert.deepEqual(
        events.map(({ added, removed, changed }) => [ids(added), ids(removed), ids(changed)]),
        [
          [[annElsewhere.id], [ann.id, bob.id], []],
          [[], [annElsewhere.id], []],
        ],
      );
    });

    it('are stored but not returned if another service was chosen during the sign-in', async () => {
      const front = await startInterceptingProxy();
      try {
        await configure({ serviceUrl: front.url });
        front.instead = async (asked) => {
          if (asked === '/token') {
            return { status: 200, body: '{"token":"token-of-carol-here"}' };
          }
          await configure({ serviceUrl: two.href });
          return { status: 200, body: '{"username":"carol"}' };
        };
        witness.answers.typed = ['carol', 'password'];
        const failure = await captureFailure(access.provider.createSession([], {}));
        assert.ok(failure instanceof vscode.CancellationError);
        assert.deepEqual(
          (await access.sessions.all()).map(({ username }) => username),
          ['carol'],
        );
      } finally {
        await front.close();
      }
    });
  });

  it('keep the requested scopes unchanged and in order', async () => {
    const scopes = ['write', 'read', 'write'];
    await access.sessions.store(session(one, 'ann', 'a-scoped-token', ['read', 'write']));
    await access.sessions.store(bob);
    const found = await access.provider.getSessions(scopes, {});
    assert.equal(found.length, 1);
    assert.deepEqual(found[0]?.scopes, scopes);
    assert.deepEqual(await access.provider.getSessions(['read'], {}), []);
    assert.deepEqual(
      (await access.provider.getSessions([], {})).map(({ id }) => id),
      [bob.id],
    );
    assert.equal((await access.provider.getSessions(undefined, {})).length, 2);
  });

  // With consent, another extension gets the session. That needs a click on a modal dialog, which VS Code rejects in these tests, so an
  // end-to-end test covers it.
  describe('requested by another extension without consent', () => {
    interface Consumer {
      getSession(
        scopes: readonly string[],
        options: vscode.AuthenticationGetSessionOptions,
      ): Promise<vscode.AuthenticationSession | undefined>;
      getAccounts(): Promise<readonly vscode.AuthenticationSessionAccountInformation[]>;
    }
    let consumer: Consumer;

    before(async () => {
      const extension = vscode.extensions.getExtension<Consumer>('app-build-test.session-consumer');
      assert.ok(extension, 'the other extension is not installed');
      consumer = await extension.activate();
    });

    it('are never returned silently while the account exists', async () => {
      await access.sessions.store(ann);
      assert.ok(
        (await vscode.authentication.getAccounts(PROVIDER_ID)).some(({ label }) => label === ann.account.label),
      );
      assert.equal(await consumer.getSession([], { silent: true }), undefined);
    });

    for (const [option, options] of [
      ['createIfNone', { createIfNone: true }],
      ['forceNewSession', { forceNewSession: true }],
    ] as const) {
      it(`need the user’s answer with ${option}, and start nothing after a refusal`, async () => {
        await access.sessions.store(ann);
        const failure = await captureFailure(consumer.getSession([], options));
        assert.ok(failure instanceof Error);
        assert.ok(!failure.message.includes(ann.accessToken));
        assert.equal(access.callbacks.pending.page(), undefined);
        assert.deepEqual(await access.sessions.all(), [ann]);
      });
    }
  });
});
