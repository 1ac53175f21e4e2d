/** Files of signing keys for tests, and requests that carry files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** A provisioning profile as far as its dates go: a property list between bytes of a signature. */
export function provisioningProfile(expiresAt: string): Buffer<ArrayBuffer> {
  return Buffer.from(`\u0000\u0001<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
    <key>Name</key><string>Test</string>
    <key>ExpirationDate</key>
    <date>${expiresAt}</date></dict></plist>\u0000signature`);
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
