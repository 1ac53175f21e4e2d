import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../../src/service-client/index.ts';
import { KeyFactsStore, type KeyFacts, KeyPasswordStore } from '../../../../src/extension/apps/rememberedKeys.ts';
import type { Service } from '../../../../src/extension/auth/serviceSelection.ts';
import { MapMemento } from '../../../support/mapMemento.ts';
import { MapSecrets } from '../../../support/mapSecrets.ts';
import { signingKey } from '../../../support/testData.ts';

const PASSWORDS = { keystorePassword: 'one', keyPassword: 'two' };
const FACTS: KeyFacts = { expiresAt: new Date('2031-05-06T07:08:09Z'), appId: 'com.example.*', team: 'Team' };

describe('the memory of signing keys', () => {
  let secrets: MapSecrets;
  let state: MapMemento;
  /** Undefined if the settings don't contain an address. */
  let service: Pick<Service, 'url' | 'local'> | undefined;
  let passwords: KeyPasswordStore;
  let facts: KeyFactsStore;

  beforeEach(() => {
    [secrets, state] = [new MapSecrets(), new MapMemento()];
    const selection = {
      get current() {
        if (service === undefined) {
          throw new Error('This is no address.');
        }
        return service as Service;
      },
    };
    [passwords, facts] = [new KeyPasswordStore(secrets, selection), new KeyFactsStore(state, selection)];
  });

  /**
   * Connects to a service.
   * @returns the address of a key there
   */
  const at = (address: string, local = false) => {
    service = { url: parseServiceUrl(address), local };
    return `${address}/api/v1/keys/android/1`;
  };
  const remember = async (key: string) => {
    await passwords.remember(key, PASSWORDS);
    await facts.remember(key, FACTS);
  };
  const find = async (key: string) => [await passwords.find(key), facts.find(key)];

  it('finds a key’s passwords and facts after the local service changes its port, until they’re forgotten', async () => {
    await remember(at('http://127.0.0.1:1001', true));
    assert.deepEqual(await find(at('http://127.0.0.1:1002', true)), [PASSWORDS, FACTS]);
    const key = at('http://127.0.0.1:1003', true);
    await passwords.forget(key);
    await facts.forget(key);
    assert.deepEqual([await secrets.keys(), state.keys()], [[], []]);
  });

  it('returns the passwords and facts only for the same key of the same service', async () => {
    await remember(at('http://127.0.0.1:1001', true));
    assert.deepEqual(await find(at('http://127.0.0.1:1001')), [undefined, undefined]);
    await remember(at('https://build.example.com'));
    assert.deepEqual(await find(at('https://build.example.org')), [undefined, undefined]);
    assert.deepEqual(await find(`${at('https://build.example.com')}0`), [undefined, undefined]);
    assert.deepEqual(await find(at('https://build.example.com')), [PASSWORDS, FACTS]);
  });

  it('stores the key’s address without its query, which may contain a token', async () => {
    const url = at('https://build.example.com');
    await remember(`${url}?auth_token=hidden-1`);
    assert.deepEqual(await secrets.keys(), [`keyPassword/${url}`]);
    assert.doesNotMatch(JSON.stringify([...state.values]), /hidden/);
    assert.deepEqual(await find(`${url}?auth_token=hidden-2`), [PASSWORDS, FACTS]);
  });

  it('works while the settings have no valid service address', async () => {
    const key = at('https://build.example.com');
    service = undefined;
    await remember(key);
    assert.deepEqual(await find(key), [PASSWORDS, FACTS]);
  });

  it('ignores damaged data', async () => {
    const key = at('https://build.example.com');
    for (const text of ['', 'null', '{', '{"password":1}', '{"keystorePassword":"one"}']) {
      await secrets.store(`keyPassword/${key}`, text);
      assert.equal(await passwords.find(key), undefined, text);
    }
    await facts.remember(key, FACTS);
    const [name = ''] = state.keys();
    for (const damaged of [null, 'text', 7, { expiresAt: 'x', appId: {}, team: 7 }]) {
      state.values.set(name, damaged);
      assert.ok(Object.values(facts.find(key) ?? {}).every((value) => value === undefined));
    }
  });

  it('deletes a key’s facts when its new file reveals none', async () => {
    const key = at('https://build.example.com');
    await facts.remember(key, FACTS);
    await facts.remember(key, { expiresAt: undefined, appId: undefined, team: undefined });
    assert.deepEqual([facts.find(key), state.keys()], [undefined, []]);
  });

  it('adds the facts that the service doesn’t report', async () => {
    const url = at('https://build.example.com');
    await facts.remember(url, FACTS);
    const { expiresAt, appId } = facts.complete(signingKey({ url }));
    assert.deepEqual([expiresAt, appId], [FACTS.expiresAt, FACTS.appId]);
    const told = signingKey({ url, expiresAt: new Date(0), appId: 'a.b' });
    assert.deepEqual(facts.complete(told), told);
    const unknown = signingKey({ url: `${url}0` });
    assert.equal(facts.complete(unknown), unknown);
  });
});
