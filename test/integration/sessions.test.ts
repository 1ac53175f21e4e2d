import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { Redactor } from '../../src/api/redaction.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { KeychainError } from '../../src/auth/authErrors.ts';
import { PROVIDER_ID } from '../../src/auth/authenticationProvider.ts';
import { newSession, serialise, type Session } from '../../src/auth/session.ts';
import { SessionStore, type SessionChange } from '../../src/auth/sessionStore.ts';
import { Log } from '../../src/workbench/log.ts';
import { extensionOfTests, configure, logged, next, until } from './support/extension.ts';
import { startInterceptingProxy } from './support/interceptingProxy.ts';
import { userOfEachTest } from './support/recordingUser.ts';
import { failureOf } from './support/signingIn.ts';

const one = parseServiceUrl('https://one.example.com');
const two = parseServiceUrl('https://two.example.com:8443/build');

/** The same storage; notes the keys that are written. */
function recordingWrites(secrets: vscode.SecretStorage, writes: string[] = []): vscode.SecretStorage {
  return {
    get: (key) => secrets.get(key),
    keys: () => secrets.keys(),
    onDidChange: secrets.onDidChange,
    store: (key, value) => {
      writes.push(key);
      return secrets.store(key, value);
    },
    delete: (key) => {
      writes.push(key);
      return secrets.delete(key);
    },
  };
}

function session(
  service: typeof one,
  username: string,
  accessToken = `token-of-${username}-${crypto.randomUUID()}`,
  scopes: readonly string[] = [],
): Session {
  return newSession(service, username, { type: 'accessToken', accessToken }, scopes);
}

const keyOf = ({ id }: Session): string => `session/${id}`;

/** Names what changed, for comparison. */
function named({ added, removed, changed }: SessionChange): Record<keyof SessionChange, string[]> {
  const labels = (sessions: readonly Session[]) => sessions.map(({ account }) => account.label);
  return { added: labels(added), removed: labels(removed), changed: labels(changed) };
}

describe('sessions', () => {
  const access = extensionOfTests();
  let secrets: vscode.SecretStorage;
  const ann = session(one, 'ann');
  const bob = session(one, 'bob');
  const annElsewhere = session(two, 'ann');

  before(() => {
    ({ secrets } = access.context);
  });

  beforeEach(() => configure({ serviceUrl: one.href }));

  afterEach(async () => {
    for (const key of await secrets.keys()) {
      if (key.startsWith('session/')) {
        await secrets.delete(key);
      }
    }
    await until(access.sessions.onDidChange, async () => (await access.sessions.all()).length === 0);
  });

  const storeOf = (storage: vscode.SecretStorage) =>
    new SessionStore({
      secrets: storage,
      log: new Log(new Redactor()),
      redactor: new Redactor(),
      notifications: access.notifications,
    });

  it('of several accounts and services: one secret each, and labels that differ', async () => {
    for (const each of [ann, bob, annElsewhere]) {
      await access.sessions.store(each);
    }
    const keys = (await secrets.keys()).filter((key) => key.startsWith('session/'));
    assert.deepEqual(keys.sort(), [ann, bob, annElsewhere].map(keyOf).sort());
    for (const each of [ann, bob, annElsewhere]) {
      const text = (await secrets.get(keyOf(each))) ?? '';
      assert.equal(text, serialise(each));
      assert.deepEqual(
        [ann, bob, annElsewhere].filter(({ accessToken }) => text.includes(accessToken)),
        [each],
      );
    }
    assert.deepEqual(
      (await access.sessions.all()).map(({ account }) => account.label),
      ['ann (one.example.com)', 'bob (one.example.com)', 'ann (two.example.com:8443)'],
    );
  });

  describe('of several services', () => {
    const witness = userOfEachTest();
    const offered = async () => (await access.provider.getSessions(undefined, {})).map(({ id }) => id);

    it('are offered only while their service is in use, and the change is announced', async () => {
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

    it('are stored, and not given away, when another service was chosen during the sign-in', async () => {
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
        const failure = await failureOf(access.provider.createSession([], {}));
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

  it('signing one out leaves the others', async () => {
    await access.sessions.store(ann);
    await access.sessions.store(bob);
    const seen: Promise<unknown>[] = [];
    const subscription = access.sessions.onDidChange(() => seen.push(Promise.resolve(secrets.get(keyOf(ann)))));
    await access.provider.removeSession(ann.id);
    subscription.dispose();
    assert.deepEqual(await Promise.all(seen), [undefined], 'gone from the keychain before anybody hears of it');
    assert.deepEqual(await access.sessions.all(), [bob]);
    assert.ok(await secrets.get(keyOf(bob)));
  });

  it('written by another window arrive once each: added, changed, removed', async () => {
    const heard: unknown[] = [];
    const subscription = access.sessions.onDidChange((change) => heard.push(named(change)));
    const label = ann.account.label;
    const told = () => next(access.sessions.onDidChange);

    const added = told();
    await secrets.store(keyOf(ann), serialise(ann));
    await added;
    const newer = session(one, 'ann', 'a-newer-token');
    const changed = told();
    await secrets.store(keyOf(ann), serialise(newer));
    await changed;
    // An equal value, and a secret that is none of ours, are no change.
    await secrets.store(keyOf(ann), serialise(newer));
    await secrets.store('another/secret', 'x');
    const removed = told();
    await secrets.delete(keyOf(ann));
    await removed;
    await secrets.delete('another/secret');
    subscription.dispose();
    assert.deepEqual(heard, [
      { added: [label], removed: [], changed: [] },
      { added: [], removed: [], changed: [label] },
      { added: [], removed: [label], changed: [] },
    ]);
  });

  for (const [what, text] of [
    ['no JSON', '{"accessToken":"corrupt-token-content'],
    ['of another account', serialise(bob)],
    [
      'of an unknown type',
      serialise(ann).replace('"accessToken","accessToken"', '"corrupt-token-content","accessToken"'),
    ],
    ['null', 'null'],
  ] as const) {
    it(`an entry that is ${what} is dropped alone, and its content is not logged`, async () => {
      await secrets.store(keyOf(ann), text);
      await secrets.store(keyOf(annElsewhere), serialise(annElsewhere));
      const store = storeOf(secrets);
      assert.deepEqual(await store.all(), [annElsewhere]);
      assert.equal(await secrets.get(keyOf(ann)), text, 'reading has written');
      store.dispose();
      const log = await logged(access);
      assert.match(log, /A stored session could not be read and is ignored/);
      for (const secret of ['corrupt-token-content', ann.accessToken, bob.accessToken]) {
        assert.ok(!log.includes(secret));
      }
    });
  }

  describe('reading', () => {
    const scopes = ['write', 'read', 'write'];

    it('gives the requested scopes back unchanged and in order', async () => {
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
  });

  describe('with a keychain that', () => {
    const reason = new Error('the-keychain-told-a-secret');
    const reject = () => Promise.reject(reason);

    it('cannot be read: that is an error, not "signed out", and it passes', async () => {
      await secrets.store(keyOf(ann), serialise(ann));
      let locked = true;
      const store = storeOf({ ...recordingWrites(secrets), keys: () => (locked ? reject() : secrets.keys()) });
      const failure = await failureOf(store.all());
      assert.ok(failure instanceof KeychainError);
      assert.ok(!`${failure.stack ?? ''}${String(failure.cause)}`.includes(reason.message));
      locked = false;
      assert.deepEqual(await store.all(), [ann]);
      locked = true;
      assert.deepEqual(await store.all(), [ann], 'what is known stays known');
      store.dispose();
    });

    it('cannot be written: the session lasts as long as the window', async () => {
      const changes: unknown[] = [];
      const store = storeOf({ ...recordingWrites(secrets), store: reject });
      store.onDidChange((change) => changes.push(named(change)));
      await store.store(bob);
      assert.deepEqual(await store.all(), [bob]);
      // Reading the keychain again does not lose it.
      const added = next(store.onDidChange);
      await secrets.store(keyOf(ann), serialise(ann));
      await added;
      assert.deepEqual(new Set(await store.all()), new Set([ann, bob]));
      assert.deepEqual(changes.slice(0, 1), [{ added: [bob.account.label], removed: [], changed: [] }]);
      assert.ok(!(await logged(access)).includes(reason.message));
      await store.remove(bob.id);
      assert.deepEqual(await store.all(), [ann]);
      store.dispose();
    });

    it('never took a newer token, and cannot delete the older one: the person stays signed in', async () => {
      await secrets.store(keyOf(ann), serialise(ann));
      const store = storeOf({ ...recordingWrites(secrets), store: reject, delete: reject });
      const newer = session(one, 'ann', 'a-newer-token');
      await store.store(newer);
      assert.ok((await failureOf(store.remove(newer.id))) instanceof KeychainError);
      assert.deepEqual(await store.all(), [newer]);
      store.dispose();
    });

    it('cannot delete: the person stays signed in, here and there', async () => {
      const store = storeOf({ ...recordingWrites(secrets), delete: reject });
      await store.store(ann);
      const failure = await failureOf(store.remove(ann.id));
      assert.ok(failure instanceof KeychainError);
      assert.ok(!inspect(failure, { showHidden: true, depth: 9 }).includes(reason.message));
      assert.deepEqual(await store.all(), [ann]);
      store.dispose();
    });
  });

  it('only the current token is removed by a late refusal', async () => {
    const newer = session(one, 'ann', 'a-newer-token');
    await access.sessions.store(newer);
    assert.equal(await access.sessions.removeIfCurrent(ann), false);
    assert.deepEqual(await access.sessions.all(), [newer]);
    assert.equal(await access.sessions.removeIfCurrent(newer), true);
    assert.deepEqual(await access.sessions.all(), []);
  });

  it('a refusal removes no newer token that another window has just stored', async () => {
    await secrets.store(keyOf(ann), serialise(ann));
    // What another window writes arrives a little later.
    const store = storeOf({ ...recordingWrites(secrets), onDidChange: () => new vscode.Disposable(() => undefined) });
    assert.deepEqual(await store.all(), [ann]);
    const newer = session(one, 'ann', 'a-newer-token');
    await secrets.store(keyOf(ann), serialise(newer));
    assert.equal(await store.removeIfCurrent(ann), false);
    assert.equal(await secrets.get(keyOf(ann)), serialise(newer));
    assert.equal(await store.removeIfCurrent(newer), true);
    assert.equal(await secrets.get(keyOf(ann)), undefined);
    store.dispose();
  });

  // With consent given, another extension gets the session: that takes a click on a modal dialog, which VS Code refuses in
  // these tests, so it is shown end to end.
  describe('asked for by another extension without consent', () => {
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

    it('silently: it gets none, while the account exists', async () => {
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
      it(`with ${option}: VS Code asks first, and a refusal gives nothing and starts nothing`, async () => {
        await access.sessions.store(ann);
        const failure = await failureOf(consumer.getSession([], options));
        assert.ok(failure instanceof Error);
        assert.ok(!failure.message.includes(ann.accessToken));
        assert.equal(access.callbacks.pending.page(), undefined);
        assert.deepEqual(await access.sessions.all(), [ann]);
      });
    }
  });
});
