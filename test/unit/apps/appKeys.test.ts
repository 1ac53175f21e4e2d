import assert from 'node:assert/strict';
import { usedKeys, readSigningKeys } from '../../../src/apps/model/signingKey.ts';
import { APP_URL, appOf, keyJson as key, resourceOf } from '../../support/testData.ts';

describe('apps: the keys that an app is built with', () => {
  const android = { all: [key('android', 1, { default: true }), key('android', 2)] };
  const ios = { all: [key('ios', 3, { default: true }), key('ios', 4, { app_id: 'com.example.*' })] };
  const keys = readSigningKeys(resourceOf({ keys: { android, ios } }), APP_URL);
  const idsOf = (members: object) =>
    Object.fromEntries([...usedKeys(appOf(members), keys)].map(([platform, { id }]) => [platform, id]));

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
