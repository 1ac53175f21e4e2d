import assert from 'node:assert/strict';
import {
  getAliases,
  checkPassword,
  getFileFacts,
  isKeyPassword,
  readKeyFile,
} from '../../../../src/android-package/keys/keyFile.ts';
import { MAX_KEY_FILE_BYTES } from '../../../../src/android-package/limits.ts';
import { certificateIn, KEY_PASSWORDS, keyFile, provisioningProfile } from '../../../support/signingKeys.ts';

const getYear = (date: Date | undefined): number | undefined => date?.getUTCFullYear();

describe('apps: files of signing keys', () => {
  it('reads alias, owner, and expiry from a Java keystore without its password', async () => {
    const file = await readKeyFile(keyFile('release.jks'));
    assert.equal(file.kind, 'jks');
    assert.deepEqual(getAliases(file), ['release']);
    // Java ignores the case of an alias.
    const facts = getFileFacts(file, 'Release');
    assert.equal(getYear(facts?.expiresAt), 2126);
    assert.notEqual(facts?.subject, undefined);
    assert.equal(getFileFacts(file, 'other'), undefined);
  });

  it('distinguishes the two passwords of a Java keystore', async () => {
    const file = await readKeyFile(keyFile('release.jks'));
    const { keystore, key } = KEY_PASSWORDS['release.jks'];
    assert.equal((await checkPassword(file, keystore, 'release')).kind, 'accepted');
    assert.equal(isKeyPassword(file, 'release', key), true);
    assert.equal(isKeyPassword(file, 'release', keystore), false);
    assert.equal(isKeyPassword(file, 'other', key), undefined);
  });

  it('reads the alias from PKCS#12 without the password, and the expiration date with the password', async () => {
    for (const [name, alias, year] of [
      ['release.p12', 'release', 2126],
      ['expired.p12', 'expired', 2020],
    ] as const) {
      const file = await readKeyFile(keyFile(name));
      assert.deepEqual(getAliases(file), [alias]);
      assert.equal(getFileFacts(file, alias), undefined);
      assert.deepEqual(await checkPassword(file, 'guess'), { kind: 'wrong' });
      const opened = await checkPassword(file, KEY_PASSWORDS[name].keystore);
      assert.ok(opened.kind === 'accepted');
      assert.equal(getYear(opened.facts?.expiresAt), year);
    }
  });

  it('reads the certificates of the selected key, or nothing if the key is missing', async () => {
    const file = await readKeyFile(keyFile('keytool-two.p12'));
    const { keystore } = KEY_PASSWORDS['keytool-two.p12'];
    const [first = '', second = ''] = getAliases(file);
    const facts = await Promise.all([first, second, 'other'].map((alias) => checkPassword(file, keystore, alias)));
    const [own, other, none] = facts.map((each) => (each.kind === 'accepted' ? each.facts?.certificates : 'refused'));
    assert.equal(own?.length, 1);
    assert.notDeepEqual(own, other);
    assert.equal(none, undefined);
  });

  it('reads name, team, and expiry from a provisioning profile', async () => {
    const [list = '', end = ''] = provisioningProfile('2031-05-06T07:08:09Z').toString('latin1').split('</dict>');
    const teams = '<key>TeamIdentifier</key>\n<array>\n<string>TEAM&amp;1</string></array>';
    const file = await readKeyFile(Buffer.from(`${list}${teams}</dict>${end}`, 'latin1'));
    assert.deepEqual(getFileFacts(file), {
      subject: 'Test',
      team: 'TEAM&1',
      expiresAt: new Date('2031-05-06T07:08:09Z'),
      appId: undefined,
      certificates: [],
    });
    const { subject, team, expiresAt } = getFileFacts(await readKeyFile(provisioningProfile('never'))) ?? {};
    assert.deepEqual([subject, team, expiresAt], ['Test', undefined, undefined]);
  });

  it('reads the app ID from a provisioning profile, without the team prefix', async () => {
    const appIdIn = async (text: string) =>
      getFileFacts(await readKeyFile(Buffer.from(`<?xml?><plist>${text}</plist>`)))?.appId;
    const identifier = (text: string) => `<key>application-identifier</key><string>${text}</string>`;
    for (const appId of ['com.example.app', 'com.example.*', '*']) {
      assert.equal(
        getFileFacts(await readKeyFile(provisioningProfile('2031-05-06T07:08:09Z', { appId })))?.appId,
        appId,
      );
      assert.equal(await appIdIn(identifier(`Z9Y8X7W6V5.${appId}`)), appId);
    }
    const team = '<key>TeamIdentifier</key><array><string>team</string></array>';
    assert.equal(await appIdIn(identifier('team.com.example') + team), 'com.example');
    assert.equal(await appIdIn(identifier('com.example') + team), 'com.example');
    assert.equal(await appIdIn('<key>com.apple.application-identifier</key><string>A1B2C3D4E5.a.b</string>'), 'a.b');
    assert.equal(await appIdIn(identifier('')), undefined);
  });

  it('reads the fingerprints of the certificates in a provisioning profile', async () => {
    const file = await readKeyFile(keyFile('release.p12'));
    const opened = await checkPassword(file, KEY_PASSWORDS['release.p12'].keystore);
    const [own = ''] = opened.kind === 'accepted' ? (opened.facts?.certificates ?? []) : [];
    assert.match(own, /^[\da-f]{64}$/);
    const listed = async (names: readonly ('release.p12' | 'expired.p12')[]) => {
      const profile = provisioningProfile('2031-05-06T07:08:09Z', { certificates: names.map(certificateIn) });
      return getFileFacts(await readKeyFile(profile))?.certificates ?? [];
    };
    assert.equal((await listed(['expired.p12', 'release.p12']))[1], own);
    assert.equal((await listed(['expired.p12'])).includes(own), false);
    assert.deepEqual(await listed([]), []);
  });

  it('doesn’t read a keystore of more than 1 MiB', async () => {
    const keystore = keyFile('release.jks');
    // A keystore's digest marks its end, so bytes after it don't matter.
    const pad = (size: number): Buffer => Buffer.concat([keystore, Buffer.alloc(size - keystore.length)]);
    assert.equal((await readKeyFile(pad(MAX_KEY_FILE_BYTES))).kind, 'jks');
    assert.equal((await readKeyFile(pad(MAX_KEY_FILE_BYTES + 1))).kind, 'unknown');
  });

  it('accepts a file of an unknown type, because the service may support it', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('PK\u0003\u0004'), Buffer.alloc(MAX_KEY_FILE_BYTES + 1, 0x30)]) {
      const file = await readKeyFile(bytes);
      assert.equal(file.kind, 'unknown');
      assert.deepEqual(getAliases(file), []);
      assert.deepEqual(await checkPassword(file, 'any'), { kind: 'unknown' });
    }
    const file = await readKeyFile(keyFile('openssl-rc4.p12'));
    assert.deepEqual(await checkPassword(file, KEY_PASSWORDS['openssl-rc4.p12'].keystore), { kind: 'unknown' });
  });
});
