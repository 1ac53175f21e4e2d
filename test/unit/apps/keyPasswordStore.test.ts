import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { KeyPasswordStore } from '../../../src/apps/keyPasswordStore.ts';
import type { Service } from '../../../src/auth/serviceSelection.ts';
import { MapSecrets } from '../../support/mapSecrets.ts';

const PASSWORDS = { keystorePassword: 'one', keyPassword: 'two' };

describe('passwords of signing keys', () => {
  let kept: MapSecrets;
  /** Undefined: the settings hold no address. */
  let service: Pick<Service, 'url' | 'local'> | undefined;
  let store: KeyPasswordStore;

  beforeEach(() => {
    kept = new MapSecrets();
    const selection = {
      get current() {
        if (service === undefined) {
          throw new Error('This is no address.');
        }
        return service as Service;
      },
    };
    store = new KeyPasswordStore(kept, selection);
  });

  const at = (address: string, local = false) => {
    service = { url: parseServiceUrl(address), local };
    return `${address}/api/v1/keys/android/1`;
  };

  it('are found again when the local service comes back at another port', async () => {
    await store.remember(at('http://127.0.0.1:1001', true), PASSWORDS);
    assert.deepEqual(await store.find(at('http://127.0.0.1:1002', true)), PASSWORDS);
    await store.forget(at('http://127.0.0.1:1003', true));
    assert.deepEqual(await kept.keys(), []);
  });

  it('belong to one service', async () => {
    await store.remember(at('http://127.0.0.1:1001', true), PASSWORDS);
    assert.equal(await store.find(at('http://127.0.0.1:1001')), undefined);
    await store.remember(at('https://build.example.com'), PASSWORDS);
    assert.equal(await store.find(at('https://build.example.org')), undefined);
    assert.deepEqual(await store.find(at('https://build.example.com')), PASSWORDS);
  });

  it('go by the address of the key without its query, which may hold a token', async () => {
    const url = at('https://build.example.com');
    await store.remember(`${url}?auth_token=hidden-1`, PASSWORDS);
    assert.deepEqual(await kept.keys(), [`keyPassword/${url}`]);
    assert.deepEqual(await store.find(`${url}?auth_token=hidden-2`), PASSWORDS);
  });

  it('are kept and found while the address of the service in the settings is none', async () => {
    const key = at('https://build.example.com');
    service = undefined;
    await store.remember(key, PASSWORDS);
    assert.deepEqual(await store.find(key), PASSWORDS);
  });

  it('that are damaged are asked for again', async () => {
    const key = at('https://build.example.com');
    for (const text of ['', 'null', '{', '{"password":1}', '{"keystorePassword":"one"}']) {
      await kept.store(`keyPassword/${key}`, text);
      assert.equal(await store.find(key), undefined, text);
    }
  });
});
