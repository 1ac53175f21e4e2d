/** Files of signing keys for tests, and requests that carry files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';

import { repositoryRoot } from './repository.ts';

/**
 * The files below `test/fixtures/signingKeys`, made with keytool and openssl: `release` and `expired` are self-signed EC keys
 * under the alias of the same name, until 2126 and 2020; `legacy.p12` has the key of `expired`, encrypted with RC2-40.
 */
export const KEY_PASSWORDS = {
  'release.jks': { keystore: 'store-secret', key: 'key-secret' },
  'release.p12': { keystore: 'store-secret', key: 'store-secret' },
  'expired.p12': { keystore: 'cert-secret', key: 'cert-secret' },
  'legacy.p12': { keystore: 'cert-secret', key: 'cert-secret' },
} as const;

export function keyFile(name: keyof typeof KEY_PASSWORDS): Buffer<ArrayBuffer> {
  return Buffer.from(readFileSync(join(repositoryRoot, 'test', 'fixtures', 'signingKeys', name)));
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
