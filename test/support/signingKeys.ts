/** Signing key files for tests, and requests that contain files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

import { repositoryRoot } from './repository.ts';

const STORE_SECRET = { keystore: 'store-secret', key: 'store-secret' };
const UTF8_SECRET = { keystore: 'Straße-€-😀', key: 'Straße-€-😀' };
const NO_SECRET = { keystore: '', key: '' };

/**
 * Passwords of the files in `test/fixtures/signingKeys`, created with keytool and openssl. `release` and `expired` are self-signed EC keys
 * under the alias of the same name, valid until 2126 and 2020, respectively. `legacy.p12` contains the key of `expired`, encrypted with
 * RC2-40. The other files are named after the program that created them. README.md explains how.
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

/** Keys that can be opened, with the SHA-256 of their certificates as printed by `keytool -list` and `openssl x509 -fingerprint`. */
export const KEY_CERTIFICATES = JSON.parse(keyFile('certificates.json').toString()) as readonly (readonly [
  file: KeyFileName,
  alias: string,
  ...certificates: readonly string[],
])[];

export function keyFile(name: KeyFileName | 'certificates.json'): Buffer<ArrayBuffer> {
  return Buffer.from(readFileSync(join(repositoryRoot, 'test', 'fixtures', 'signingKeys', name)));
}

/**
 * Returns `release.p12` with 2,147,483,647 hash iterations instead of 10,000. The number is two bytes longer, so every enclosing length
 * grows by two.
 */
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

/** Content of a provisioning profile besides its date. */
interface ProfileContents {
  /** App ID, such as `com.example.*`. */
  readonly appId?: string;
  /** Certificates that may sign with it, in DER. */
  readonly certificates?: readonly Buffer[];
}

/** Returns the parts of a provisioning profile that are read: a property list between bytes of a signature. */
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

/** Returns the certificate in a file of {@link keyFile} in DER. */
export function certificateIn(name: 'release.p12' | 'expired.p12'): Buffer {
  const secure: { readonly context: unknown } = createSecureContext({
    pfx: keyFile(name),
    passphrase: KEY_PASSWORDS[name].keystore,
  });
  // Node doesn't document `getCertificate`.
  return (secure.context as { getCertificate(): Buffer }).getCertificate();
}

/** Returns a form with files as multipart/form-data. */
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
