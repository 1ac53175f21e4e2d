import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BuildKey } from '../../../../src/build-service/builds/builder.ts';
import { findBuildKey, keyFacts, keyFault, openSigner } from '../../../../src/build-service/builds/buildKeys.ts';
import { findApps } from '../../../../src/build-service/store/apps.ts';
import { insertKey } from '../../../../src/build-service/store/keys.ts';
import type { KeyPasswords, KeyPlatform } from '../../../../src/build-service/store/model.ts';
import { testKey } from '../../../support/buildJob.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { openInProcess } from '../../../support/inProcessService.ts';
import {
  endlesslyHashedFile,
  KEY_PASSWORDS,
  keyFile,
  provisioningProfile,
  type KeyFileName,
} from '../../../support/signingKeys.ts';

const VALID_PROFILE = provisioningProfile('2100-01-01T00:00:00Z');
const JUNK = Buffer.from('not a keystore');
const RELEASE = keyFile('release.p12');

describe('local service: signing keys of builds', () => {
  let folder: string;
  useFolderForEachTest((made) => (folder = made));

  /** Creates a key with these files. */
  const getKey = async (
    platform: KeyPlatform,
    contents: Readonly<Record<string, Buffer>>,
    passwords?: KeyPasswords,
    values: Partial<BuildKey['key']> = {},
  ): Promise<BuildKey> => {
    const files: Record<string, string> = {};
    for (const [name, content] of Object.entries(contents)) {
      files[name] = join(folder, name);
      await writeFile(files[name], content);
    }
    return { key: { ...testKey, platform, title: 'Store', alias: 'release', files, ...values }, files, passwords };
  };
  /** Creates an Android key from a test file. */
  const android = (
    name: KeyFileName,
    {
      content = keyFile(name),
      alias = 'release',
      ...passwords
    }: KeyPasswords & { content?: Buffer; alias?: string } = {},
  ): Promise<BuildKey> => {
    const { keystore: keystore_pw, key: key_pw } = KEY_PASSWORDS[name];
    return getKey('android', { keystore: content }, { keystore_pw, key_pw, ...passwords }, { alias });
  };
  const apple = (password: string, cert: Buffer, profile = VALID_PROFILE): Promise<BuildKey> =>
    getKey('ios', { cert, profile }, { password });

  const sound: Readonly<Record<string, () => Promise<BuildKey>>> = {
    'an alias in different case': () => android('release.jks', { alias: 'RELEASE' }),
    'a PKCS#12 keystore, whose key has no separate password': () => android('release.p12', { key_pw: 'x' }),
    'a key of the demo data': () => getKey('android', {}),
    'an ios certificate': () => apple('store-secret', RELEASE),
    'a keystore with unsupported ciphers': () => android('openssl-rc4.p12'),
    'a windows certificate': () => getKey('windows', { keystore: RELEASE }, { password: 'store-secret' }),
    'a publisher’s ID': () => getKey('winphone', {}),
  };
  for (const [name, key] of Object.entries(sound)) {
    it(`accepts ${name}`, async () => assert.equal(await keyFault(await key()), undefined));
  }

  it('signs with a key from a file', async () => {
    const { privateKey, certificates } = await openSigner(await android('keytool-chain.jks'));
    assert.equal(certificates.length, 3);
    assert.ok(new X509Certificate(certificates[0] ?? '').checkPrivateKey(privateKey));
  });

  const LOCKED = 'The signing key “Store” is locked. Unlock it first.';
  const MISSING = 'The file “keystore” of the signing key is missing. Add the key again.';
  const NO_KEYSTORE = 'Invalid keystore format';
  const NO_CERTIFICATE = 'Certificate not found';
  const withoutFile = async (): Promise<BuildKey> => {
    const key = await android('release.jks');
    await rm(join(folder, 'keystore'));
    return key;
  };
  const locked = (): Promise<BuildKey> => getKey('android', { keystore: RELEASE }, undefined, { locked: true });
  const HOLDS_DSA =
    'The file “keystore” of the signing key contains a key of type “DSA”, which Android doesn’t accept. Add an RSA key, or an EC key on the curve P-256.';

  type Refused = Readonly<Record<string, readonly [key: () => Promise<BuildKey>, message: string]>>;
  const refusedByBoth: Refused = {
    'a locked key': [locked, LOCKED],
    'a missing file': [withoutFile, MISSING],
    'a wrong password': [() => android('release.p12', { keystore_pw: 'Guess-1' }), 'Incorrect keystore password'],
    'a file that isn’t a keystore': [() => android('release.jks', { content: JUNK }), NO_KEYSTORE],
  };
  const refusedByCheck: Refused = {
    'a wrong password of an ios certificate': [() => apple('wrong', RELEASE), 'Incorrect certificate password'],
    'an invalid ios certificate': [() => apple('x', JUNK), NO_CERTIFICATE],
    'an expired certificate': [
      () => apple('cert-secret', keyFile('expired.p12')),
      'The certificate of the signing key expired on 2020-12-31. Add a key with a valid one.',
    ],
    'an expired profile': [
      () => apple('store-secret', RELEASE, provisioningProfile('2024-05-06T07:08:09Z')),
      'The provisioning profile of the signing key expired on 2024-05-06. Add a key with a valid one.',
    ],
    'an invalid profile': [() => apple('store-secret', RELEASE, JUNK), 'The provisioning profile can’t be read.'],
  };
  const refusedToSign: Refused = {
    'a key without passwords': [() => getKey('android', { keystore: RELEASE }), LOCKED],
    'a key of the demo data': [() => getKey('android', {}, { keystore_pw: 'x' }), MISSING],
    'a DSA key': [() => android('keytool-dsa.p12'), HOLDS_DSA],
  };
  for (const [name, [key, fault]] of Object.entries({ ...refusedByBoth, ...refusedByCheck })) {
    it(`reports ${name}`, async () => assert.equal(await keyFault(await key()), fault));
  }
  for (const [name, [key, message]] of Object.entries({ ...refusedByBoth, ...refusedToSign })) {
    it(`doesn’t sign with ${name}, and reveals no secret`, async () => {
      await assert.rejects(openSigner(await key()), (error: Error) => {
        assert.equal(error.name, 'BuildError');
        assert.equal(error.message, message);
        assert.doesNotMatch(`${error.stack ?? ''}${String(error.cause)}`, /Guess-|store-secret|key-secret/);
        assert.ok(!error.message.includes(folder));
        return true;
      });
    });
  }

  it('stops opening a key when the build is canceled', async () => {
    const key = await android('release.p12', { content: endlesslyHashedFile() });
    const reason = new Error('cancelled');
    await assert.rejects(openSigner(key, AbortSignal.abort(reason)), reason);
  });

  it('reports the earliest expiration date in the readable files, and the app ID in a provisioning profile', async () => {
    const facts = [
      await keyFacts(await getKey('android', { keystore: keyFile('release.jks') })),
      await keyFacts(await getKey('android', { keystore: RELEASE })),
      await keyFacts(await android('release.p12')),
      await keyFacts(await apple('store-secret', RELEASE)),
      await keyFacts(await apple('cert-secret', keyFile('expired.p12'))),
    ];
    assert.deepEqual(
      facts.map(({ expiresAt }) => expiresAt?.getUTCFullYear()),
      [2126, undefined, 2126, 2100, 2020],
    );
    const profile = provisioningProfile('2100-01-01T00:00:00Z', { appId: 'com.example.*' });
    assert.equal((await keyFacts(await apple('store-secret', RELEASE, profile))).appId, 'com.example.*');
  });

  it('uses the app’s key if it belongs to the owner and the platform, or else the owner’s default key', async () => {
    const { service, stop } = await openInProcess();
    const { store } = service;
    try {
      const add = (ownerId: number, platform: KeyPlatform, isDefault: boolean) =>
        insertKey(store, { ownerId, platform, isDefault, title: 'Key', alias: null, publisherId: null, files: {} });
      const [own, other, foreign, ios] = [
        add(1, 'android', true),
        add(1, 'android', false),
        add(2, 'android', true),
        add(1, 'ios', false),
      ];
      const [app] = findApps(store, 1).apps.filter(({ ownerId }) => ownerId === 1);
      assert.ok(app);
      for (const [named, used] of [
        [other, other],
        [foreign, own],
        [ios, own],
        [undefined, own],
      ] as const) {
        const keys = named === undefined ? {} : { android: named };
        assert.equal(findBuildKey(service, { ...app, keys }, 'android')?.key.id, used);
      }
    } finally {
      await stop();
    }
  });
});
