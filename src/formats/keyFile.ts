/** The file of a signing key: keystore, certificate with its private key, or provisioning profile. Nothing in it is verified. */
import { certificateFacts, type FileFacts } from './certificates.ts';
import { KeyFileError, type KeyEntry, type KeyFileSecrets } from './keyEntry.ts';
import { openCertificates } from './keyFileProcess.ts';
import {
  decryptJavaKey,
  findJavaKey,
  isJavaKeystore,
  openJavaKeystore,
  readJavaKeystore,
  type JavaKeystore,
} from './javaKeystore.ts';
import { isPkcs12, openPkcs12, pkcs12Aliases } from './pkcs12.ts';
import { readProvisioningProfile } from './provisioningProfile.ts';

/** Bytes of a keystore, a certificate or a profile; a larger file is none, and is not read. */
export const MAX_KEY_FILE_BYTES = 1024 * 1024;

/** A file, as far as it can be read without a password. */
export type KeyFile =
  | { readonly kind: 'jks'; readonly bytes: Buffer; readonly keystore: JavaKeystore }
  | { readonly kind: 'pkcs12'; readonly bytes: Buffer; readonly aliases: readonly string[] }
  | { readonly kind: 'profile'; readonly facts: FileFacts }
  /** Another format; the service may know it. */
  | { readonly kind: 'unknown' };

/** The result of trying a password. */
export type PasswordCheck =
  | { readonly kind: 'accepted'; readonly facts: FileFacts | undefined }
  | { readonly kind: 'wrong' }
  /** The file cannot be opened on this machine, whatever the password. */
  | { readonly kind: 'unknown' };

/** Reads a file of a key. @param bytes at most {@link MAX_KEY_FILE_BYTES}. Never throws. */
export function readKeyFile(bytes: Buffer): KeyFile {
  if (bytes.length > MAX_KEY_FILE_BYTES) {
    return { kind: 'unknown' };
  }
  if (isJavaKeystore(bytes)) {
    const keystore = valueOrUndefined(() => readJavaKeystore(bytes));
    return keystore === undefined ? { kind: 'unknown' } : { kind: 'jks', bytes, keystore };
  }
  if (isPkcs12(bytes)) {
    return { kind: 'pkcs12', bytes, aliases: valueOrUndefined(() => pkcs12Aliases(bytes)) ?? [] };
  }
  const facts = readProvisioningProfile(bytes);
  return facts === undefined ? { kind: 'unknown' } : { kind: 'profile', facts };
}

/** The result of `read`; undefined where the file is broken. */
function valueOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The aliases of the private keys in a keystore; empty where they are encrypted. */
export function aliasesOf(file: KeyFile): readonly string[] {
  switch (file.kind) {
    case 'jks':
      return file.keystore.privateKeys.map(({ alias }) => alias);
    case 'pkcs12':
      return file.aliases;
    case 'profile':
    case 'unknown':
      return [];
  }
}

/** Facts about a key that its file shows without a password. @param alias of the key in a keystore. */
export function factsOf(file: KeyFile, alias = ''): FileFacts | undefined {
  if (file.kind === 'profile') {
    return file.facts;
  }
  return file.kind === 'jks'
    ? factsOfFirst(valueOrUndefined(() => findJavaKey(file.keystore, alias))?.certificates)
    : undefined;
}

/** Tries a password of a keystore or certificate. Never rejects. @param alias of the key; empty: the first one. */
export async function checkPassword(file: KeyFile, password: string, alias = ''): Promise<PasswordCheck> {
  if (file.kind === 'jks') {
    return file.keystore.isPassword(password) ? { kind: 'accepted', facts: factsOf(file, alias) } : { kind: 'wrong' };
  }
  if (file.kind !== 'pkcs12') {
    return { kind: 'unknown' };
  }
  try {
    const certificates = await openCertificates(file.bytes, { password, alias: alias === '' ? undefined : alias });
    return { kind: 'accepted', facts: factsOfFirst(certificates) };
  } catch (error) {
    const fault = error instanceof KeyFileError ? error.fault : 'unsupported';
    if (fault === 'unknown alias' || fault === 'no certificate') {
      return { kind: 'accepted', facts: undefined };
    }
    return { kind: fault === 'wrong password' ? 'wrong' : 'unknown' };
  }
}

/** Tries the password of one key in a keystore, where the format has one of its own. @returns undefined when that cannot be known. */
export function isKeyPassword(file: KeyFile, alias: string, password: string): boolean | undefined {
  if (file.kind !== 'jks') {
    return undefined;
  }
  try {
    decryptJavaKey(findJavaKey(file.keystore, alias).encrypted, password);
    return true;
  } catch (error) {
    return error instanceof KeyFileError && error.fault === 'wrong key password' ? false : undefined;
  }
}

function factsOfFirst([own]: readonly Buffer[] = []): FileFacts | undefined {
  return own && certificateFacts(own);
}

/** JCEKS is a format of Java whose keys few programs can read. */
const JCEKS_MAGIC = Buffer.from('cececece', 'hex');

/**
 * Opens a key in a file, whose content decides its format: keytool writes PKCS#12 into files of any name. It may take as long
 * as the file's author likes: the file says how often its password is hashed.
 *
 * @throws KeyFileError and no other error
 */
export function readKeyEntry(bytes: Buffer, secrets: KeyFileSecrets): KeyEntry {
  try {
    if (isPkcs12(bytes)) {
      return openPkcs12(bytes, secrets.password, secrets.alias);
    }
    if (isJavaKeystore(bytes)) {
      return openJavaKeystore(bytes, secrets);
    }
  } catch (error) {
    // Any other one is of node:crypto, such as for a key of a kind that it does not know.
    throw error instanceof KeyFileError ? error : new KeyFileError('unsupported');
  }
  throw bytes.subarray(0, JCEKS_MAGIC.length).equals(JCEKS_MAGIC)
    ? new KeyFileError(
        'invalid',
        'Invalid keystore format: it is JCEKS. Make one of the type PKCS12, with “keytool -importkeystore -deststoretype pkcs12”.',
      )
    : new KeyFileError('invalid');
}
