import assert from 'node:assert/strict';
import { readResource } from '../../../src/api/hypermedia/readResource.ts';
import { readApp } from '../../../src/apps/model/app.ts';
import { usedKeys } from '../../../src/apps/model/appKeys.ts';
import { readSigningKeys } from '../../../src/apps/model/signingKey.ts';

const url = 'https://build.example/api/v1/apps/7';

function resource(value: unknown) {
  return readResource({ value, text: JSON.stringify(value), url, headers: {}, mediaType: 'application/json' });
}

const key = (platform: string, id: number, members: object = {}) => ({
  ...{ id, title: `Key ${id}`, default: false, link: `/api/v1/keys/${platform}/${id}` },
  ...members,
});

describe('apps: the keys that an app is built with', () => {
  const android = { all: [key('android', 1, { default: true }), key('android', 2)] };
  const ios = { all: [key('ios', 3, { default: true }), key('ios', 4, { app_id: 'com.example.*' })] };
  const keys = readSigningKeys(resource({ keys: { android, ios } }), url);
  const idsOf = (members: object) => {
    const app = readApp(resource({ id: 7, title: 'Notes', link: url, error: {}, ...members }), url);
    return Object.fromEntries([...usedKeys(app, keys)].map(([platform, { id }]) => [platform, id]));
  };

  it('are the chosen ones, else the default ones of its platforms', () => {
    const status = { android: 'complete', ios: null, winphone: null };
    assert.deepEqual(idsOf({ status, keys: { android: null, ios: key('ios', 4) } }), { android: '1', ios: '4' });
    assert.deepEqual(idsOf({ status: { ios: null }, keys: { ios: 4 } }), { ios: '4' });
    assert.deepEqual(idsOf({ status: { ios: null } }), { ios: '3' });
    assert.deepEqual(idsOf({ status: {} }), {});
  });

  it('are the default ones where the chosen one is gone, or is for another platform', () => {
    assert.deepEqual(idsOf({ status: { ios: null }, keys: { ios: key('ios', 99) } }), { ios: '3' });
    assert.deepEqual(idsOf({ status: { ios: null }, keys: { ios: 2 } }), { ios: '3' });
  });

  it('tell which app their profile is for, where the service does', () => {
    assert.deepEqual(
      keys.map(({ appId }) => appId),
      [undefined, undefined, undefined, 'com.example.*'],
    );
  });
});
