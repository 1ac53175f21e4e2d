import assert from 'node:assert/strict';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import { KeyFactsStore, type KeyFacts } from '../../../src/apps/keyFacts.ts';
import { MapMemento } from '../../support/mapMemento.ts';
import { signingKey } from '../../support/testData.ts';

const FACTS: KeyFacts = { expiresAt: new Date('2031-05-06T07:08:09Z'), appId: 'com.example.*', team: 'Team' };
const URL_OF_KEY = 'https://build.example.com/api/v1/keys/ios/1';

function serviceAt(url: string, local: boolean) {
  return {
    current: {
      url: parseServiceUrl(url),
      local,
      ready: () => Promise.resolve(),
      registration: () => Promise.resolve(undefined),
    },
  };
}

describe('apps: what files of signing keys said', () => {
  const remote = serviceAt('https://build.example.com', false);

  it('is remembered by the key’s address, without its query, until the key is forgotten', async () => {
    const state = new MapMemento();
    const store = new KeyFactsStore(state, remote);
    await store.remember(`${URL_OF_KEY}?auth_token=secret`, FACTS);
    assert.deepEqual(store.find(URL_OF_KEY), FACTS);
    assert.equal(store.find(`${URL_OF_KEY}0`), undefined);
    assert.doesNotMatch(JSON.stringify([...state.values]), /secret/);
    await store.forget(URL_OF_KEY);
    assert.deepEqual([store.find(URL_OF_KEY), state.keys()], [undefined, []]);
  });

  it('gives way to a key of which nothing could be read', async () => {
    const state = new MapMemento();
    const store = new KeyFactsStore(state, remote);
    await store.remember(URL_OF_KEY, FACTS);
    await store.remember(URL_OF_KEY, { expiresAt: undefined, appId: undefined, team: undefined });
    assert.deepEqual([store.find(URL_OF_KEY), state.keys()], [undefined, []]);
  });

  it('completes what the service tells, whose word goes before', async () => {
    const store = new KeyFactsStore(new MapMemento(), remote);
    await store.remember(URL_OF_KEY, FACTS);
    const { expiresAt, appId } = store.complete(signingKey({ url: URL_OF_KEY }));
    assert.deepEqual([expiresAt, appId], [FACTS.expiresAt, FACTS.appId]);
    const told = signingKey({ url: URL_OF_KEY, expiresAt: new Date(0), appId: 'a.b' });
    assert.deepEqual(store.complete(told), told);
    const unknown = signingKey({ url: `${URL_OF_KEY}0` });
    assert.equal(store.complete(unknown), unknown);
  });

  it('outlasts the port of the local service, and is not that of another service at this address', async () => {
    const state = new MapMemento();
    const at = (port: number) => `http://127.0.0.1:${port}/api/v1/keys/ios/1`;
    await new KeyFactsStore(state, serviceAt('http://127.0.0.1:1234', true)).remember(at(1234), FACTS);
    assert.deepEqual(new KeyFactsStore(state, serviceAt('http://127.0.0.1:5678', true)).find(at(5678)), FACTS);
    assert.equal(new KeyFactsStore(state, serviceAt('http://127.0.0.1:1234', false)).find(at(1234)), undefined);
  });

  it('is not read from what is damaged', async () => {
    const state = new MapMemento();
    const store = new KeyFactsStore(state, remote);
    await store.remember(URL_OF_KEY, FACTS);
    const [name = ''] = state.keys();
    for (const damaged of [null, 'text', 7, { expiresAt: 'x', appId: {}, team: 7 }]) {
      state.values.set(name, damaged);
      const found = store.find(URL_OF_KEY);
      assert.deepEqual(
        Object.values(found ?? {}).filter((value) => value !== undefined),
        [],
      );
    }
  });

  it('is there while the setting of the service is no address', () => {
    const broken = {
      get current(): never {
        throw new TypeError('no address');
      },
    };
    assert.equal(new KeyFactsStore(new MapMemento(), broken).find(URL_OF_KEY), undefined);
  });
});
