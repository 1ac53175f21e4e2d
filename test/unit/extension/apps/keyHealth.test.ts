import assert from 'node:assert/strict';
import { KEY_WARNING_MS } from '../../../../src/extension/apps/limits.ts';
import { isForApp, keyFaults } from '../../../../src/extension/apps/model/signingKey.ts';

const DAY_MS = 24 * 60 * 60_000;

const NOW = new Date('2031-05-06T07:08:09Z');
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const GOOD = { locked: false, expiresAt: after(400 * DAY_MS), appId: undefined };
const getFaults = (key: Partial<Parameters<typeof keyFaults>[0]>, packageId?: string) =>
  keyFaults({ ...GOOD, ...key }, packageId, NOW);
const getKinds = (...parameters: Parameters<typeof getFaults>) => getFaults(...parameters).map(({ kind }) => kind);

describe('apps: problems of a signing key', () => {
  it('reports no problem for a key that can sign or for one without details', () => {
    assert.deepEqual(getFaults({}), []);
    assert.deepEqual(keyFaults({ locked: undefined, expiresAt: undefined, appId: undefined }, 'a.b', NOW), []);
  });

  it('lists problems that prevent a build first', () => {
    const appId = 'com.example.other';
    assert.deepEqual(getKinds({ locked: true, expiresAt: after(-1), appId }, 'com.example.app'), [
      'locked',
      'expired',
      'otherApp',
    ]);
    assert.deepEqual(getKinds({ expiresAt: after(DAY_MS), appId }, 'com.example.app'), ['otherApp', 'expiresSoon']);
    assert.deepEqual(getKinds({ appId }), [], 'the caller names no app');
  });

  it('warns in the last week before a key expires', () => {
    for (const left of [KEY_WARNING_MS, DAY_MS, 1]) {
      assert.deepEqual(getFaults({ expiresAt: after(left) }), [{ kind: 'expiresSoon', at: after(left) }]);
    }
    assert.deepEqual(getKinds({ expiresAt: after(KEY_WARNING_MS + 1) }), []);
    assert.deepEqual(getKinds({ expiresAt: NOW }), ['expired']);
  });

  it('compares a profile’s app ID, which may end with a wildcard, with the app’s ID', () => {
    for (const [profile, app, fits] of [
      ['com.example.app', 'com.example.app', true],
      ['com.example.app', 'com.example.App', false],
      ['com.example.app', 'com.example.app2', false],
      ['com.example.*', 'com.example.app.beta', true],
      ['com.example.*', 'com.example.', false],
      ['com.example.*', 'com.examples.app', false],
      ['*', 'anything', true],
    ] as const) {
      assert.equal(isForApp(profile, app), fits, `${profile} for ${app}`);
    }
  });
});
