import type { KeyEntry } from '../../src/android-package/keys/keyEntry.ts';
import { readKeyEntry } from '../../src/android-package/keys/readKeyEntry.ts';
import { KEY_PASSWORDS, keyFile, type KeyFileName } from './signingKeys.ts';

const opened = new Map<string, KeyEntry>();

/** Returns a key in one of the test files. Opens each file only once, because some hash their password a hundred thousand times. */
export function openedKey(name: KeyFileName, alias: string): KeyEntry {
  const { keystore, key } = KEY_PASSWORDS[name];
  const entry =
    opened.get(`${name} ${alias}`) ?? readKeyEntry(keyFile(name), { password: keystore, keyPassword: key, alias });
  opened.set(`${name} ${alias}`, entry);
  return entry;
}
