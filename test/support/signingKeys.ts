/** Files of signing keys for tests, and requests that carry files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

import { repositoryRoot } from './repository.ts';

const STORE_SECRET = { keystore: 'store-secret', key: 'store-secret' };
const UTF8_SECRET = { keystore: 'Straße-€-😀', key: 'Straße-€-😀' };
const NO_SECRET = { keystore: '', key: '' };

/**
 * The files below `test/fixtures/signingKeys`, made with keytool and openssl: `release` and `expired` are self-signed EC keys
 * under the alias of the same name, until 2126 and 2020; `legacy.p12` has the key of `expired`, encrypted with RC2-40. The
 * others are named after the program that has made them: README.md there tells how.
 */
export const KEY_PASSWORDS = {
  'release.jks': { keystore: 'store-secret', key: 'key-secret' },
  'release.p12': { keystore: 'store-secret', key: 'store-secret' },
  'expired.p12': { keystore: 'cert-secret', key: 'cert-secret' },
  'legacy.p12': { keystore: 'cert-secret', key: 'cert-secret' },
  'keytool-rsa.jks': { keystore: 'store-secret', key: 'key-secret' },
  'keytool-chain.jks': STORE_SECRET,
  'keytool.jceks': { keystore: 'store-secret', key: 'key-secret' },
  'keytool-chain.p12': STORE_SECRET,
  'keytool-dsa.p12': STORE_SECRET,
  'keytool-ec.p12': STORE_SECRET,
  'keytool-ed25519.p12': STORE_SECRET,
  'keytool-legacy.p12': STORE_SECRET,
  'keytool-rsa.p12': STORE_SECRET,
  'keytool-two.p12': STORE_SECRET,
  'keytool-same-key.p12': STORE_SECRET,
  'openssl.p12': STORE_SECRET,
  'openssl-legacy.p12': STORE_SECRET,
  'openssl-rc2-128.p12': STORE_SECRET,
  'openssl-rc4.p12': STORE_SECRET,
  'openssl-3des.p12': STORE_SECRET,
  'openssl-2des.p12': STORE_SECRET,
  'openssl-pbes2-3des.p12': STORE_SECRET,
  'openssl-aes-128.p12': STORE_SECRET,
  'openssl-aes-192.p12': STORE_SECRET,
  'openssl-nomac.p12': STORE_SECRET,
  'openssl-nomac-legacy.p12': STORE_SECRET,
  'openssl-clear-certificate.p12': STORE_SECRET,
  'openssl-clear.p12': STORE_SECRET,
  'openssl-nameless.p12': STORE_SECRET,
  'openssl-no-certificate.p12': STORE_SECRET,
  'openssl-no-key.p12': STORE_SECRET,
  'bouncycastle.p12': STORE_SECRET,
  'bouncycastle-pbes2.p12': STORE_SECRET,
  'openssl-utf8.p12': UTF8_SECRET,
  'openssl-utf8-legacy.p12': UTF8_SECRET,
  'openssl-empty.p12': NO_SECRET,
  'openssl-empty-legacy.p12': NO_SECRET,
} as const;

export type KeyFileName = keyof typeof KEY_PASSWORDS;

const OPENSSL = 'b802b011973f04532b4bf70e94dfdb38e026e4fbb37746620dffd2f1807ae513';
/** Keys that can be opened, with the SHA-256 of their certificates, as `keytool -list` and `openssl x509 -fingerprint` say. */
export const KEY_CERTIFICATES: readonly (readonly [
  file: KeyFileName,
  alias: string,
  ...certificates: readonly string[],
])[] = [
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
      ...['openssl.p12', 'openssl-legacy.p12', 'openssl-3des.p12'],
      ...['openssl-pbes2-3des.p12', 'openssl-aes-128.p12', 'openssl-aes-192.p12', 'openssl-nomac.p12'],
      ...['openssl-nomac-legacy.p12', 'openssl-clear-certificate.p12', 'openssl-clear.p12', 'openssl-empty.p12'],
      ...['openssl-empty-legacy.p12', 'bouncycastle.p12', 'bouncycastle-pbes2.p12'],
    ] as const
  ).map((name) => [name, 'release', OPENSSL] as const),
  ['openssl-utf8.p12', 'Schlüssel', OPENSSL],
  ['openssl-utf8-legacy.p12', 'SCHLÜSSEL', OPENSSL],
  // As keytool lists it.
  ['openssl-nameless.p12', '1', OPENSSL],
];

export function keyFile(name: KeyFileName): Buffer<ArrayBuffer> {
  return Buffer.from(readFileSync(join(repositoryRoot, 'test', 'fixtures', 'signingKeys', name)));
}

/** `release.p12`, hashed 2,147,483,647 times instead of 10,000 times, with every length around the number two greater. */
export function endlesslyHashedFile(): Buffer<ArrayBuffer> {
  const bytes = keyFile('release.p12');
  const rounds = bytes.lastIndexOf(Buffer.from('02022710', 'hex'));
  const changed = Buffer.concat([
    bytes.subarray(0, rounds),
    Buffer.from('02047fffffff', 'hex'),
    bytes.subarray(rounds + 4),
  ]);
  changed.writeUInt16BE(changed.readUInt16BE(2) + 2, 2);
  changed.writeUInt8(0x4f, changed.indexOf(Buffer.from('304d3031300d', 'hex')) + 1);
  return changed;
}

/** What a provisioning profile can say beside its date. */
interface ProfileContents {
  /** Such as `com.example.*`. */
  readonly appId?: string;
  /** DER of each certificate that may sign with it. */
  readonly certificates?: readonly Buffer[];
}

/** A provisioning profile as far as it is read: a property list between bytes of a signature. */
export function provisioningProfile(
  expiresAt: string,
  { appId, certificates }: ProfileContents = {},
): Buffer<ArrayBuffer> {
  const data = (certificates ?? []).map((der) => `<data>\n${der.toString('base64').replace(/.{60}/g, '$&\n')}</data>`);
  return Buffer.from(`\u0000\u0001<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
    <key>ApplicationIdentifierPrefix</key><array><string>A1B2C3D4E5</string></array>
    ${certificates === undefined ? '' : `<key>DeveloperCertificates</key><array>${data.join('\n')}</array>`}
    ${appId === undefined ? '' : entitlements(`A1B2C3D4E5.${appId}`)}
    <key>Name</key><string>Test</string>
    <key>ExpirationDate</key>
    <date>${expiresAt}</date></dict></plist>\u0000signature`);
}

function entitlements(appId: string): string {
  return `<key>Entitlements</key><dict><key>application-identifier</key>\n\t<string>${appId}</string>
    <key>keychain-access-groups</key><array><string>A1B2C3D4E5.*</string></array></dict>`;
}

/** The certificate in a file of {@link keyFile}, in DER. */
export function certificateIn(name: 'release.p12' | 'expired.p12'): Buffer {
  const secure: { readonly context: unknown } = createSecureContext({
    pfx: keyFile(name),
    passphrase: KEY_PASSWORDS[name].keystore,
  });
  // Not documented.
  return (secure.context as { getCertificate(): Buffer }).getCertificate();
}

/** A form with files, as multipart/form-data. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Buffer<ArrayBuffer>>>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value);
  }
  for (const [name, bytes] of Object.entries(files)) {
    form.append(name, new Blob([bytes]), `${name}.bin`);
  }
  return form;
}
