import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { parseServiceUrl, Redactor } from '../../../../src/service-client/index.ts';
import { KeychainError } from '../../../../src/extension/auth/authErrors.ts';
import { newSession, serialize, type Session } from '../../../../src/extension/auth/session.ts';
import { SessionStore, type SessionChange } from '../../../../src/extension/auth/sessionStore.ts';
import type { Log } from '../../../../src/extension/workbench/log.ts';
import type { Notifications } from '../../../../src/extension/workbench/notifications.ts';
import { next } from '../../../support/events.ts';
import { MapSecrets } from '../../../support/mapSecrets.ts';

const one = parseServiceUrl('https://one.example.com');
const two = parseServiceUrl('https://two.example.com:8443/build');

/** Copies the storage so that its methods can be replaced. */
function copySecrets(secrets: MapSecrets): vscode.SecretStorage {
  return {
    get: (key) => secrets.get(key),
    keys: () => secrets.keys(),
    onDidChange: secrets.onDidChange,
    store: (key, value) => secrets.store(key, value),
    delete: (key) => secrets.delete(key),
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

const getKey = ({ id }: Session): string => `session/${id}`;

/** Names the changed sessions, for comparison. */
function named({ added, removed, changed }: SessionChange): Record<keyof SessionChange, string[]> {
  const labels = (sessions: readonly Session[]) => sessions.map(({ account }) => account.label);
  return { added: labels(added), removed: labels(removed), changed: labels(changed) };
}

describe('the session store', () => {
  let secrets: MapSecrets;
  let lines: string[];
  let sessions: SessionStore;
  const ann = session(one, 'ann');
  const bob = session(one, 'bob');
  const annElsewhere = session(two, 'ann');

  beforeEach(() => {
    [secrets, lines] = [new MapSecrets(), []];
    sessions = createStore(secrets);
  });

  afterEach(() => sessions.dispose());

  const createStore = (storage: vscode.SecretStorage) => {
    const log = (...parts: unknown[]) => void lines.push(parts.map((part) => inspect(part)).join(' '));
    return new SessionStore({
      secrets: storage,
      log: { warn: log, error: log } as unknown as Log,
      redactor: new Redactor(),
      notifications: { warning: log } as unknown as Notifications,
    });
  };
  const captureFailure = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => assert.fail('nothing failed'),
      (error: unknown) => error,
    );

  it('stores one secret and a distinct label for each account and service', async () => {
    for (const each of [ann, bob, annElsewhere]) {
      await sessions.store(each);
    }
    const keys = (await secrets.keys()).filter((key) => key.startsWith('session/'));
    assert.deepEqual(keys.sort(), [ann, bob, annElsewhere].map(getKey).sort());
    for (const each of [ann, bob, annElsewhere]) {
      const text = (await secrets.get(getKey(each))) ?? '';
      assert.equal(text, serialize(each));
      assert.deepEqual(
        [ann, bob, annElsewhere].filter(({ accessToken }) => text.includes(accessToken)),
        [each],
      );
    }
    assert.deepEqual(
      (await sessions.all()).map(({ account }) => account.label),
      ['ann (one.example.com)', 'bob (one.example.com)', 'ann (two.example.com:8443)'],
    );
  });

  it('keeps the other sessions when one is signed out', async () => {
    await sessions.store(ann);
    await sessions.store(bob);
    const seen: Promise<unknown>[] = [];
    const subscription = sessions.onDidChange(() => seen.push(Promise.resolve(secrets.get(getKey(ann)))));
    await sessions.remove(ann.id);
    subscription.dispose();
    assert.deepEqual(await Promise.all(seen), [undefined], 'the keychain changes before the event');
    assert.deepEqual(await sessions.all(), [bob]);
    assert.ok(await secrets.get(getKey(bob)));
  });

  it('reports each change from another window once: added, changed, and removed', async () => {
    const heard: unknown[] = [];
    const subscription = sessions.onDidChange((change) => heard.push(named(change)));
    const label = ann.account.label;
    const told = () => next(sessions.onDidChange);

    const added = told();
    await secrets.store(getKey(ann), serialize(ann));
    await added;
    const newer = session(one, 'ann', 'a-newer-token');
    const changed = told();
    await secrets.store(getKey(ann), serialize(newer));
    await changed;
    // Storing the same value again, or another extension's secret, isn't a change.
    await secrets.store(getKey(ann), serialize(newer));
    await secrets.store('another/secret', 'x');
    const removed = told();
    await secrets.delete(getKey(ann));
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
    ['invalid JSON', '{"accessToken":"corrupt-token-content'],
    ['from another account', serialize(bob)],
    [
      'of an unknown type',
      serialize(ann).replace('"accessToken","accessToken"', '"corrupt-token-content","accessToken"'),
    ],
    ['null', 'null'],
  ] as const) {
    it(`drops only an entry that is ${what}, and doesn’t log its content`, async () => {
      await secrets.store(getKey(ann), text);
      await secrets.store(getKey(annElsewhere), serialize(annElsewhere));
      const store = createStore(secrets);
      assert.deepEqual(await store.all(), [annElsewhere]);
      assert.equal(await secrets.get(getKey(ann)), text, 'reading must not write');
      store.dispose();
      const log = lines.join('\n');
      assert.match(log, /Ignored an unreadable session/);
      for (const secret of ['corrupt-token-content', ann.accessToken, bob.accessToken]) {
        assert.ok(!log.includes(secret));
      }
    });
  }

  describe('the session store with a failing keychain', () => {
    const reason = new Error('the-keychain-told-a-secret');
    const reject = () => Promise.reject(reason);

    it('reports a temporary error instead of "signed out" when the keychain can’t be read', async () => {
      await secrets.store(getKey(ann), serialize(ann));
      let locked = true;
      const store = createStore({ ...copySecrets(secrets), keys: () => (locked ? reject() : secrets.keys()) });
      const failure = await captureFailure(store.all());
      assert.ok(failure instanceof KeychainError);
      assert.ok(!`${failure.stack ?? ''}${String(failure.cause)}`.includes(reason.message));
      locked = false;
      assert.deepEqual(await store.all(), [ann]);
      locked = true;
      assert.deepEqual(await store.all(), [ann], 'what is known stays known');
      store.dispose();
    });

    it('keeps the session until the window closes when the keychain can’t be written', async () => {
      const changes: unknown[] = [];
      const store = createStore({ ...copySecrets(secrets), store: reject });
      store.onDidChange((change) => changes.push(named(change)));
      await store.store(bob);
      assert.deepEqual(await store.all(), [bob]);
      // Reading the keychain again doesn't lose the session.
      const added = next(store.onDidChange);
      await secrets.store(getKey(ann), serialize(ann));
      await added;
      assert.deepEqual(new Set(await store.all()), new Set([ann, bob]));
      assert.deepEqual(changes.slice(0, 1), [{ added: [bob.account.label], removed: [], changed: [] }]);
      assert.ok(!lines.join('\n').includes(reason.message));
      await store.remove(bob.id);
      assert.deepEqual(await store.all(), [ann]);
      store.dispose();
    });

    it('can sign out of a session that was never stored', async () => {
      const store = createStore({ ...copySecrets(secrets), store: reject, delete: reject });
      await store.store(bob);
      assert.deepEqual(await store.all(), [bob]);
      await store.remove(bob.id);
      assert.deepEqual(await store.all(), []);
      store.dispose();
    });

    it('keeps the user signed in when the keychain can’t replace or delete an older token', async () => {
      await secrets.store(getKey(ann), serialize(ann));
      const store = createStore({ ...copySecrets(secrets), store: reject, delete: reject });
      const newer = session(one, 'ann', 'a-newer-token');
      await store.store(newer);
      assert.ok((await captureFailure(store.remove(newer.id))) instanceof KeychainError);
      assert.deepEqual(await store.all(), [newer]);
      store.dispose();
    });

    it('keeps the user signed in, in every window, when the keychain can’t delete', async () => {
      const store = createStore({ ...copySecrets(secrets), delete: reject });
      await store.store(ann);
      const failure = await captureFailure(store.remove(ann.id));
      assert.ok(failure instanceof KeychainError);
      assert.ok(!inspect(failure, { showHidden: true, depth: 9 }).includes(reason.message));
      assert.deepEqual(await store.all(), [ann]);
      store.dispose();
    });
  });

  it('removes a rejected token only if no newer token has replaced it', async () => {
    const newer = session(one, 'ann', 'a-newer-token');
    await sessions.store(newer);
    assert.equal(await sessions.removeIfCurrent(ann), false);
    assert.deepEqual(await sessions.all(), [newer]);
    assert.equal(await sessions.removeIfCurrent(newer), true);
    assert.deepEqual(await sessions.all(), []);
  });

  it('keeps a newer token that another window has stored when an older token is rejected', async () => {
    await secrets.store(getKey(ann), serialize(ann));
    // Changes from another window arrive with a delay.
    const store = createStore({ ...copySecrets(secrets), onDidChange: () => new vscode.Disposable(() => undefined) });
    assert.deepEqual(await store.all(), [ann]);
    const newer = session(one, 'ann', 'a-newer-token');
    await secrets.store(getKey(ann), serialize(newer));
    assert.equal(await store.removeIfCurrent(ann), false);
    assert.equal(await secrets.get(getKey(ann)), serialize(newer));
    assert.equal(await store.removeIfCurrent(newer), true);
    assert.equal(await secrets.get(getKey(ann)), undefined);
    store.dispose();
  });
});
