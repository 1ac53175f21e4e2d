import assert from 'node:assert/strict';
import { createHash, createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';

import {
  KeyFileError,
  type KeyEntry,
  type KeyFileFault,
  type KeyFileSecrets,
} from '../../../../src/android-package/keys/keyEntry.ts';
import { readKeyEntry } from '../../../../src/android-package/keys/readKeyEntry.ts';
import { openedKey } from '../../../support/openedKeys.ts';
import { KEY_CERTIFICATES, KEY_PASSWORDS, keyFile, type KeyFileName } from '../../../support/signingKeys.ts';

/** Opens a file with its own passwords and the alias `release`, unless others are given. */
function open(name: KeyFileName, secrets: Partial<KeyFileSecrets> = {}, bytes: Buffer = keyFile(name)): KeyEntry {
  const { keystore, key } = KEY_PASSWORDS[name];
  return readKeyEntry(bytes, { password: keystore, keyPassword: key, alias: 'release', ...secrets });
}

/** Returns the reason why a file can't be opened. */
function getFault(name: KeyFileName, secrets?: Partial<KeyFileSecrets>, bytes?: Buffer): KeyFileFault | 'opened' {
  try {
    open(name, secrets, bytes);
    return 'opened';
  } catch (error) {
    assert.ok(error instanceof KeyFileError);
    return error.fault;
  }
}

describe('local service: keys in files', () => {
  for (const [name, alias, ...expected] of KEY_CERTIFICATES) {
    it(`opens ${alias} in ${name}, and its certificate verifies a signature created with the key`, () => {
      const { privateKey, certificates } = openedKey(name, alias);
      const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
      assert.deepEqual(
        certificates.map((der) => createHash('sha256').update(der).digest('hex')),
        expected,
      );
      const [certificate = Buffer.alloc(0)] = certificates;
      const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
      const signature = sign(digest, Buffer.from('a package'), key);
      assert.ok(verify(digest, Buffer.from('a package'), new X509Certificate(certificate).publicKey, signature));
    });
  }

  it('opens the first key if no alias is given', () => {
    const [first] = open('keytool-two.p12', { alias: 'first' }).certificates;
    assert.deepEqual(open('keytool-two.p12', { alias: undefined }).certificates, [first]);
    assert.equal(open('release.jks', { alias: undefined }).certificates.length, 1);
  });

  it('reports a wrong password for every encryption method', () => {
    for (const [name, alias] of KEY_CERTIFICATES) {
      const secrets = { password: 'Guess-4711', keyPassword: 'Guess-4711', alias };
      assert.equal(getFault(name, secrets), name === 'openssl-clear.p12' ? 'opened' : 'wrong password', name);
    }
  });

  it('opens a JKS key with the keystore’s password by default, and reports a wrong key password', () => {
    assert.equal(getFault('keytool-rsa.jks', { keyPassword: 'Guess-4711' }), 'wrong key password');
    assert.equal(getFault('keytool-rsa.jks', { keyPassword: undefined }), 'wrong key password');
    assert.equal(getFault('keytool-chain.jks', { keyPassword: undefined }), 'opened');
  });

  it('ignores a separate key password for PKCS#12', () => {
    assert.equal(getFault('keytool-rsa.p12', { keyPassword: 'Guess-4711' }), 'opened');
  });

  it('reports an unknown alias', () => {
    for (const name of ['release.jks', 'release.p12', 'openssl-nomac.p12', 'openssl-no-key.p12'] as const) {
      assert.equal(getFault(name, { alias: 'debug' }), 'unknown alias', name);
    }
    assert.equal(getFault('openssl-nameless.p12', { alias: '2' }), 'unknown alias');
  });

  it('reports a key without a certificate and a file without a key', () => {
    assert.equal(getFault('openssl-no-certificate.p12'), 'no certificate');
    assert.equal(getFault('openssl-no-key.p12', { alias: undefined }), 'no certificate');
  });

  it('explains how to convert an unsupported format', () => {
    for (const name of ['openssl-rc4.p12', 'openssl-rc2-128.p12', 'openssl-2des.p12', 'keytool.jceks'] as const) {
      assert.throws(() => open(name), {
        fault: 'unsupported',
        message: /^Invalid keystore format: .*“keytool -importkeystore .* -deststoretype pkcs12”/,
      });
    }
  });

  it('reports a file truncated at any position, and a file of a different type', () => {
    for (const name of ['release.jks', 'openssl-clear.p12', 'keytool-chain.p12', 'openssl.p12'] as const) {
      const bytes = keyFile(name);
      for (let length = 0; length < bytes.length; length += 1) {
        assert.equal(getFault(name, {}, bytes.subarray(0, length)), 'invalid', `${name}, ${length}`);
      }
    }
    for (const bytes of [
      Buffer.from('not a keystore'),
      Buffer.alloc(1000, 0x30),
      Buffer.from('30800201033080', 'hex'),
    ]) {
      assert.equal(getFault('release.p12', {}, bytes), 'invalid');
    }
  });

  it('rejects a file that is nested deeper than any key file', () => {
    const nested = Buffer.concat([Buffer.from('3080020103', 'hex'), Buffer.alloc(1_000_000, '3080', 'hex')]);
    assert.equal(getFault('release.p12', {}, nested), 'invalid');
  });
});
