import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readKeyEntry } from '../../src/android-package/keys/readKeyEntry.ts';
import { KeyFileError } from '../../src/android-package/keys/keyEntry.ts';
import { KEY_PASSWORDS, keyFile, type KeyFileName } from '../support/signingKeys.ts';
import { holds } from './property.ts';

/** Files that open within milliseconds. In those without a MAC, a change is noticed only where its value is used. */
const names = [
  ...['openssl-clear.p12', 'openssl-clear.p12', 'openssl-clear-certificate.p12', 'openssl-nomac.p12'],
  ...['openssl-nomac-legacy.p12', 'openssl-2des.p12', 'keytool-two.p12', 'keytool-chain.p12', 'keytool-chain.jks'],
  'release.jks',
] as const satisfies readonly KeyFileName[];
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const bytes = fc.uint8Array({ maxLength: 8 });

/** Opens a file. @returns the result. Any error other than {@link KeyFileError} fails the test */
function outcome(file: Buffer, name: KeyFileName, alias?: string): string {
  const { keystore: password, key: keyPassword } = KEY_PASSWORDS[name];
  try {
    return `${readKeyEntry(file, { password, keyPassword, alias }).certificates.length} certificates`;
  } catch (error) {
    assert.ok(error instanceof KeyFileError, String(error));
    assert.ok(!error.message.includes(password) && error.cause === undefined);
    return error.fault;
  }
}

describe('key files', () => {
  holds(
    'returns a key or a typed error for any change to a file',
    fc.tuple(
      fc.constantFrom(...names),
      fc.array(fc.tuple(position, fc.nat(8), bytes), { minLength: 1, maxLength: 3 }),
      fc.option(fc.string({ maxLength: 10 }), { nil: undefined }),
    ),
    ([name, changes, alias]) => {
      const file = changes.reduce((changed, [where, removed, added]) => {
        const start = Math.floor(where * changed.length);
        return Buffer.concat([changed.subarray(0, start), added, changed.subarray(start + removed)]);
      }, keyFile(name));
      outcome(file, name, alias);
    },
    2,
  );

  holds(
    'rejects any bytes after the start of a key file',
    fc.tuple(fc.constantFrom('', '3080020103', '3082ffff020103', 'feedfeed00000002', 'cececece'), fc.uint8Array()),
    ([start, rest]) => {
      outcome(Buffer.concat([Buffer.from(start, 'hex'), rest]), 'release.p12');
    },
  );
});
