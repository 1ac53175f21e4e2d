import assert from 'node:assert/strict';
import { createHash, createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';

import { BerElement } from '../../../src/formats/berElement.ts';
import { KeyFileError, type KeyEntry, type KeyFileFault, type KeyFileSecrets } from '../../../src/formats/keyEntry.ts';
import { readKeyEntry } from '../../../src/formats/keyFile.ts';
import { openedKey } from '../../support/openedKeys.ts';
import { KEY_CERTIFICATES, KEY_PASSWORDS, keyFile, type KeyFileName } from '../../support/signingKeys.ts';

/** Opens a file with its own passwords and the alias `release`, or with others. */
function open(name: KeyFileName, secrets: Partial<KeyFileSecrets> = {}, bytes: Buffer = keyFile(name)): KeyEntry {
  const { keystore, key } = KEY_PASSWORDS[name];
  return readKeyEntry(bytes, { password: keystore, keyPassword: key, alias: 'release', ...secrets });
}

/** Why a file is not opened. */
function faultOf(name: KeyFileName, secrets?: Partial<KeyFileSecrets>, bytes?: Buffer): KeyFileFault | 'opened' {
  try {
    open(name, secrets, bytes);
    return 'opened';
  } catch (error) {
    assert.ok(error instanceof KeyFileError);
    return error.fault;
  }
}

/** The file with other bytes in the place of some that it has once. */
function changed(name: KeyFileName, from: string, to: string): Buffer {
  const hex = keyFile(name).toString('hex');
  assert.equal(hex.split(from).length, 2);
  return Buffer.from(hex.replace(from, to), 'hex');
}

describe('local service: keys in files', () => {
  for (const [name, alias, ...expected] of KEY_CERTIFICATES) {
    it(`opens ${alias} in ${name}, which signs what its certificate verifies`, () => {
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

  it('opens the first key where no alias is told', () => {
    const [first] = open('keytool-two.p12', { alias: 'first' }).certificates;
    assert.deepEqual(open('keytool-two.p12', { alias: undefined }).certificates, [first]);
    assert.equal(open('release.jks', { alias: undefined }).certificates.length, 1);
  });

  it('tells a wrong password, in each way of encryption', () => {
    for (const [name, alias] of KEY_CERTIFICATES) {
      const secrets = { password: 'Guess-4711', keyPassword: 'Guess-4711', alias };
      assert.equal(faultOf(name, secrets), name === 'openssl-clear.p12' ? 'opened' : 'wrong password', name);
    }
  });

  it('tells a wrong password of a key in JKS, which is that of the keystore where none is told', () => {
    assert.equal(faultOf('keytool-rsa.jks', { keyPassword: 'Guess-4711' }), 'wrong key password');
    assert.equal(faultOf('keytool-rsa.jks', { keyPassword: undefined }), 'wrong key password');
    assert.equal(faultOf('keytool-chain.jks', { keyPassword: undefined }), 'opened');
  });

  it('pays no attention to the password of a key in PKCS#12', () => {
    assert.equal(faultOf('keytool-rsa.p12', { keyPassword: 'Guess-4711' }), 'opened');
  });

  it('tells an alias that is not there', () => {
    for (const name of ['release.jks', 'release.p12', 'openssl-nomac.p12', 'openssl-no-key.p12'] as const) {
      assert.equal(faultOf(name, { alias: 'debug' }), 'unknown alias', name);
    }
    assert.equal(faultOf('openssl-nameless.p12', { alias: '2' }), 'unknown alias');
  });

  it('tells a key without certificate, and a file without key', () => {
    assert.equal(faultOf('openssl-no-certificate.p12'), 'no certificate');
    assert.equal(faultOf('openssl-no-key.p12', { alias: undefined }), 'no certificate');
  });

  it('names what it does not know', () => {
    assert.throws(() => open('openssl-rc4.p12'), {
      fault: 'unsupported',
      message:
        'Invalid keystore format: the algorithm RC4 is not known here. Make one with AES, such as with “keytool -importkeystore -deststoretype pkcs12”.',
    });
    assert.throws(() => open('keytool.jceks'), {
      fault: 'invalid',
      message:
        'Invalid keystore format: it is JCEKS. Make one of the type PKCS12, with “keytool -importkeystore -deststoretype pkcs12”.',
    });
    // The last number of PBKDF2's name is another one, in the key alone: there is no certificate that is encrypted.
    const otherDerivation = changed(
      'openssl-clear-certificate.p12',
      '06092a864886f70d01050c',
      '06092a864886f70d01057f',
    );
    // Without the MAC, which would tell that something was changed.
    const otherMac = Buffer.from(
      otherDerivation
        .toString('hex')
        .replace(/0609608648016503040201(?!.*0609608648016503040201)/, '060960864801650304027f'),
      'hex',
    );
    assert.throws(() => open('openssl-clear-certificate.p12', {}, otherMac), {
      fault: 'unsupported',
      message: / 1\.2\.840\.113549\.1\.5\.127 /,
    });
  });

  it('opens a file with a MAC of a kind that it does not know: decryption tells whether the password is right', () => {
    const otherMac = changed('openssl-2des.p12', '0609608648016503040204', '060960864801650304027f');
    assert.equal(faultOf('openssl-2des.p12', {}, otherMac), 'opened');
    assert.equal(faultOf('openssl-2des.p12', { password: 'Guess-4711' }, otherMac), 'wrong password');
  });

  it('tells a file that is cut off, wherever that is, and one of another kind', () => {
    for (const name of ['release.jks', 'openssl-clear.p12', 'keytool-chain.p12', 'bouncycastle.p12'] as const) {
      const bytes = keyFile(name);
      for (let length = 0; length < bytes.length; length += 1) {
        assert.equal(faultOf(name, {}, bytes.subarray(0, length)), 'invalid', `${name}, ${length}`);
      }
    }
    for (const bytes of [
      Buffer.from('not a keystore'),
      Buffer.alloc(1000, 0x30),
      Buffer.from('30800201033080', 'hex'),
    ]) {
      assert.equal(faultOf('release.p12', {}, bytes), 'invalid');
    }
  });

  it('reads elements within elements only as deep as key files have them', () => {
    const nested = Buffer.concat([Buffer.from('3080020103', 'hex'), Buffer.alloc(1_000_000, '3080', 'hex')]);
    assert.equal(faultOf('release.p12', {}, nested), 'invalid');
  });

  it('reads no more elements than key files have', () => {
    const sequenceOf = (count: number): BerElement => {
      const head = Buffer.from('3083000000', 'hex');
      head.writeUIntBE(2 * count, 2, 3);
      return BerElement.read(Buffer.concat([head, Buffer.alloc(2 * count, '0500', 'hex')]));
    };
    assert.equal(sequenceOf(19_998).children.length, 19_998);
    assert.throws(() => sequenceOf(20_000), { fault: 'invalid' });
  });
});
