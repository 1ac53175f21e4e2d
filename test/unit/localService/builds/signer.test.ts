import assert from 'node:assert/strict';
import { sign, verify, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BuildKey } from '../../../../src/localService/builds/builder.ts';
import { openSigner } from '../../../../src/localService/builds/buildKeys.ts';
import { testKey } from '../../../support/buildJob.ts';
import { endlesslyHashedFile, KEY_PASSWORDS, keyFile, type KeyFileName } from '../../../support/signingKeys.ts';

const TEXT = Buffer.from('a package');

describe('local service: what signs packages for Android', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-build-signer-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** A key with this file and its passwords, or with others. */
  const keyOf = async (
    name: KeyFileName,
    {
      alias = 'release',
      content = keyFile(name),
      ...passwords
    }: { alias?: string; content?: Buffer; keystore_pw?: string; key_pw?: string } = {},
  ): Promise<BuildKey> => {
    const keystore = join(folder, name);
    await writeFile(keystore, content);
    const { keystore: keystore_pw, key: key_pw } = KEY_PASSWORDS[name];
    return {
      key: { ...testKey, title: 'Store', alias },
      files: { keystore },
      passwords: { keystore_pw, key_pw, ...passwords },
    };
  };

  const usable: readonly (readonly [file: KeyFileName, alias: string, certificates: number])[] = [
    ['keytool-rsa.p12', 'release', 1],
    ['keytool-ec.p12', 'release', 1],
    ['keytool-chain.jks', 'release', 3],
  ];
  for (const [name, alias, count] of usable) {
    it(`is ${alias} in ${name}`, async () => {
      const { privateKey, certificates } = await openSigner(await keyOf(name, { alias }));
      assert.equal(certificates.length, count);
      const { publicKey } = new X509Certificate(certificates[0] ?? '');
      assert.ok(verify('sha256', TEXT, publicKey, sign('sha256', TEXT, privateKey)));
    });
  }

  const LOCKED = 'The signing key “Store” is locked: unlock it first.';
  const MISSING = 'The file “keystore” of the signing key is missing: add the key again.';
  const DSA =
    'The file “keystore” of the signing key holds a key of DSA, and Android takes no package that is signed with it: add a key of RSA, or of EC on the curve P-256.';
  const refused: Readonly<Record<string, readonly [key: () => Promise<BuildKey>, message: string | RegExp]>> = {
    'a key that is locked': [
      async () => ({ ...(await keyOf('release.p12')), key: { ...testKey, title: 'Store', locked: true } }),
      LOCKED,
    ],
    'a key without passwords': [async () => ({ ...(await keyOf('release.p12')), passwords: undefined }), LOCKED],
    'a key of the demo data': [async () => ({ ...(await keyOf('release.p12')), files: {} }), MISSING],
    'a file that is gone': [
      async () => ({ ...(await keyOf('release.p12')), files: { keystore: join(folder, 'gone') } }),
      MISSING,
    ],
    'a wrong password': [() => keyOf('release.p12', { keystore_pw: 'Guess-4711' }), 'Incorrect keystore password'],
    'an alias that is not told': [
      async () => ({ ...(await keyOf('release.p12')), key: { ...testKey, alias: null } }),
      'Keystore alias not recognized',
    ],
    'a key without certificate': [() => keyOf('openssl-no-certificate.p12'), 'Certificate not found'],
    'a cipher that is not known': [
      () => keyOf('openssl-rc4.p12'),
      /^Invalid keystore format: this kind can’t be opened\. Convert it with “keytool /,
    ],
    'a file of another kind': [() => keyOf('release.p12', { content: Buffer.from('text') }), 'Invalid keystore format'],
    'a key of DSA': [() => keyOf('keytool-dsa.p12'), DSA],
    'a key of Ed25519': [() => keyOf('keytool-ed25519.p12'), DSA.replace('DSA', 'ED25519')],
  };
  for (const [name, [key, message]] of Object.entries(refused)) {
    it(`refuses ${name}`, async () => {
      await assert.rejects(openSigner(await key()), (error: Error) => {
        assert.equal(error.name, 'BuildError');
        assert.ok(typeof message === 'string' ? error.message === message : message.test(error.message), error.message);
        assert.doesNotMatch(`${error.stack ?? ''}${String(error.cause)}`, /Guess-|store-secret|key-secret/);
        assert.ok(!error.message.includes(folder));
        return true;
      });
    });
  }

  it('stops when the build is cancelled', async () => {
    const key = await keyOf('release.p12', { content: endlesslyHashedFile() });
    const reason = new Error('cancelled');
    await assert.rejects(openSigner(key, AbortSignal.abort(reason)), reason);
  });
});
