import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BuildKey } from '../../../../src/localService/builds/builder.ts';
import { buildKeyOf, keyFacts, keyFault } from '../../../../src/localService/builds/buildKeys.ts';
import { findApps } from '../../../../src/localService/store/apps.ts';
import { insertKey } from '../../../../src/localService/store/keys.ts';
import type { KeyPasswords, KeyPlatform } from '../../../../src/localService/store/model.ts';
import { testKey } from '../../../support/buildJob.ts';
import { openInProcess } from '../../../support/inProcessService.ts';
import { keyFile, provisioningProfile } from '../../../support/signingKeys.ts';

const VALID_PROFILE = provisioningProfile('2100-01-01T00:00:00Z');
const JUNK = Buffer.from('not a keystore');
const STORE = { key_pw: 'key-secret', keystore_pw: 'store-secret' };

describe('local service: faults of signing keys', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-build-keys-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** A key with these files. */
  const keyOf = async (
    platform: KeyPlatform,
    contents: Readonly<Record<string, Buffer>>,
    passwords?: KeyPasswords,
    { alias = 'release', locked = false } = {},
  ): Promise<BuildKey> => {
    const files: Record<string, string> = {};
    for (const [name, content] of Object.entries(contents)) {
      files[name] = join(folder, name);
      await writeFile(join(folder, name), content);
    }
    return { key: { ...testKey, platform, title: 'Store', locked, alias, files }, files, passwords };
  };
  const jks = { keystore: keyFile('release.jks') };
  const p12 = { keystore: keyFile('release.p12') };
  const ios = (cert: Buffer, profile = VALID_PROFILE): Record<string, Buffer> => ({ cert, profile });

  const android = (
    files: Readonly<Record<string, Buffer>>,
    passwords: KeyPasswords = STORE,
    alias?: string,
  ): Promise<BuildKey> => keyOf('android', files, passwords, alias === undefined ? {} : { alias });
  const apple = (password: string, cert: Buffer, profile?: typeof VALID_PROFILE): Promise<BuildKey> =>
    keyOf('ios', ios(cert, profile), { password });
  const release = keyFile('release.p12');

  const sound: Readonly<Record<string, () => Promise<BuildKey>>> = {
    'a JKS keystore': () => android(jks),
    'a JKS keystore whose alias is written otherwise': () => android(jks, STORE, 'RELEASE'),
    'a PKCS#12 keystore': () => android(p12, { key_pw: 'x', keystore_pw: 'store-secret' }),
    'a key of the demo data': () => keyOf('android', {}),
    'an ios certificate': () => apple('store-secret', release),
    'a keystore with old ciphers': () => android({ keystore: keyFile('keytool-legacy.p12') }),
    'a keystore with ciphers that are not known here': () => android({ keystore: keyFile('openssl-rc4.p12') }),
    'a key that Android does not take': () => android({ keystore: keyFile('keytool-dsa.p12') }),
    'a windows certificate': () => keyOf('windows', p12, { password: 'store-secret' }),
    'a publisher’s ID': () => keyOf('winphone', {}),
  };
  for (const [name, key] of Object.entries(sound)) {
    it(`finds nothing against ${name}`, async () => assert.equal(await keyFault(await key()), undefined));
  }

  const WRONG_CERTIFICATE = 'Incorrect certificate password';
  const faulty: Readonly<Record<string, readonly [key: () => Promise<BuildKey>, fault: string]>> = {
    'an alias that is not in the keystore': [() => android(jks, STORE, 'debug'), 'Keystore alias not recognized'],
    'a file that is no keystore': [() => android({ keystore: JUNK }), 'Invalid keystore format'],
    'a keystore that is cut off': [
      () => android({ keystore: jks.keystore.subarray(0, 300) }),
      'Invalid keystore format',
    ],
    'a key that is locked': [
      () => keyOf('android', jks, undefined, { locked: true }),
      'The signing key “Store” is locked: unlock it first.',
    ],
    'a wrong password of an ios certificate': [() => apple('wrong', release), WRONG_CERTIFICATE],
    'an ios certificate that is none': [() => apple('x', JUNK), 'Certificate not found'],
    'an ios certificate without a key': [
      () => apple('store-secret', keyFile('openssl-no-key.p12')),
      'Certificate not found',
    ],
    'an ios certificate that is cut off': [() => apple('x', release.subarray(0, 300)), 'Certificate not found'],
    'an expired certificate': [
      () => apple('cert-secret', keyFile('expired.p12')),
      'The certificate of the signing key expired on 2020-12-31: add a key with a valid one.',
    ],
    'an expired profile': [
      () => apple('store-secret', release, provisioningProfile('2024-05-06T07:08:09Z')),
      'The provisioning profile of the signing key expired on 2024-05-06: add a key with a valid one.',
    ],
    'a profile that is none': [() => apple('store-secret', release, JUNK), 'The provisioning profile cannot be read.'],
  };
  for (const [name, [key, fault]] of Object.entries(faulty)) {
    it(`names ${name}`, async () => assert.equal(await keyFault(await key()), fault));
  }

  it('names a file that is gone', async () => {
    const key = await keyOf('android', jks, STORE);
    await rm(join(folder, 'keystore'));
    assert.equal(await keyFault(key), 'The file “keystore” of the signing key is missing: add the key again.');
  });

  it('tells when the first of the files expires, as far as it can be read', async () => {
    const facts = [
      await keyFacts(await keyOf('android', jks)),
      await keyFacts(await keyOf('android', p12)),
      await keyFacts(await keyOf('android', p12, STORE)),
      await keyFacts(await keyOf('ios', ios(keyFile('release.p12')), { password: 'store-secret' })),
      await keyFacts(await keyOf('ios', ios(keyFile('expired.p12')), { password: 'cert-secret' })),
    ];
    assert.deepEqual(
      facts.map(({ expiresAt }) => expiresAt?.getUTCFullYear()),
      [2126, undefined, 2126, 2100, 2020],
    );
  });

  it('tells which app a provisioning profile is for', async () => {
    for (const appId of ['com.example.app', 'com.example.*', '*']) {
      const files = ios(keyFile('release.p12'), provisioningProfile('2100-01-01T00:00:00Z', { appId }));
      assert.equal((await keyFacts(await keyOf('ios', files))).appId, appId);
    }
    assert.equal((await keyFacts(await keyOf('ios', ios(keyFile('release.p12'))))).appId, undefined);
  });
});

describe('local service: the key that a build signs with', () => {
  it('is one of the owner of the app, for its platform, whatever key the app names', async () => {
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
        assert.equal(buildKeyOf(service, { ...app, keys }, 'android')?.key.id, used);
      }
    } finally {
      await stop();
    }
  });
});
