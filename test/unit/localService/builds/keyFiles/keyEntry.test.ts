import assert from 'node:assert/strict';
import { createHash, createPrivateKey, sign, verify, X509Certificate } from 'node:crypto';

import {
  readKeyEntry,
  type KeyEntry,
  type KeyFileSecrets,
} from '../../../../../src/localService/builds/keyFiles/keyEntry.ts';
import { KeyFileError, type KeyFileFault } from '../../../../../src/localService/builds/keyFiles/keyFileError.ts';
import { KEY_PASSWORDS, keyFile, type KeyFileName } from '../../../../support/signingKeys.ts';

/** The certificates by their SHA-256, as `keytool -list` and `openssl x509 -fingerprint` say. */
const OPENSSL = 'b802b011973f04532b4bf70e94dfdb38e026e4fbb37746620dffd2f1807ae513';
const OPENED: readonly (readonly [file: KeyFileName, alias: string, ...certificates: readonly string[]])[] = [
  ['release.jks', 'release', '47963932a976409d63f7ffddb359efd04af3e02b5ae9c2024b351765e27a6d93'],
  ['release.p12', 'release', 'fa6857bddd2bc824d516ffbdeec940251ccb8dca8a2d077055bfcfffcf1a38ce'],
  ['legacy.p12', 'legacy', '23149563eec76f16c0e1ed84af931916d7d04d51f2565677853ede687eadc35f'],
  ['keytool-rsa.p12', 'release', '17c48be39f4211ef5d948bd2218fb681075d4def24b4bc73abeec04e667991e1'],
  ['keytool-rsa.jks', 'Release', '6cfc724963c8eaede7eabb4d1c3bf58413233152134185f7dcf94411282bd3a7'],
  ['keytool-legacy.p12', 'RELEASE', '681c5c0222835d1ec3c63c96c787df0ddded289ad322db6565e415a391580a73'],
  ['keytool-ec.p12', 'release', '56d93a3d1e315c257e5a441fd4205c2c11e20e9a67ab8f1fb23c9067057283a0'],
  ['keytool-dsa.p12', 'release', 'a3d9afd0f68ef0e3f912fdb925d3d22e5fca7cd685037d380718b56d288167f5'],
  ['keytool-ed25519.p12', 'release', '2361f11dbd9a8c0ffcb763d4668019ab606498ae96a37ed216ae741505c7ea71'],
  ['keytool-two.p12', 'first', '35b4799fad59151178b8513a9b82c6700f9451dfa8174a8c8ebb4e121824bb1a'],
  ['keytool-two.p12', 'second', 'a82b7ab74660100d29a2bec311581afaa99a6974af371dfcfba25f8caa8134a1'],
  ['keytool-same-key.p12', 'first', 'ed180b3366873c9fe0ba3faa20da094026754628518c2e73ef55308f4819be87'],
  ['keytool-same-key.p12', 'second', '817100ae27b55c945cc038cb941b216d60eef007dd63f274f6d7e2c25c3462e0'],
  [
    'keytool-chain.p12',
    'release',
    '949aeac4dbcf3cf18fb454cbd8fb728a96ba9e55bebce61514ba9df228b1356e',
    'af6da6117d50211971d83e3e973ec1428f5ae5d5e5b648039db0a3e624fb8f11',
    '2021276595205c8a7ad532fe35d3fbaf51f2ba3cba01f105734861b02aee9914',
  ],
  [
    'keytool-chain.jks',
    'release',
    '1d3a36b21d055112858f8e513116c882d2cf5f94477dd839d387bdf03c81307f',
    'bf2496f8d903ff5f660fc81f10c8af0c8bf61f4b30772ee2af67ad1793e7ba27',
    'f4e5e8348a312acaca2e2c85cbedb107cddc4eb1941b86c6ef41f237da22fecb',
  ],
  ...(
    [
      ...['openssl.p12', 'openssl-legacy.p12', 'openssl-rc2-128.p12', 'openssl-3des.p12', 'openssl-2des.p12'],
      ...['openssl-pbes2-3des.p12', 'openssl-aes-128.p12', 'openssl-aes-192.p12', 'openssl-nomac.p12'],
      ...['openssl-nomac-legacy.p12', 'openssl-clear-certificate.p12', 'openssl-clear.p12', 'openssl-empty.p12'],
      ...['openssl-empty-legacy.p12', 'bouncycastle.p12', 'bouncycastle-pbes2.p12', 'bouncycastle-empty.p12'],
    ] as const
  ).map((name) => [name, 'release', OPENSSL] as const),
  ['openssl-utf8.p12', 'Schlüssel', OPENSSL],
  ['openssl-utf8-legacy.p12', 'SCHLÜSSEL', OPENSSL],
  // As keytool lists it.
  ['openssl-nameless.p12', '1', OPENSSL],
];

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
  for (const [name, alias, ...expected] of OPENED) {
    it(`opens ${alias} in ${name}, which signs what its certificate verifies`, () => {
      const { privateKey, certificates } = open(name, { alias });
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
    for (const [name, alias] of OPENED) {
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
});
