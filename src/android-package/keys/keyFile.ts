/**
 * Reads the file of a signing key: a keystore, a certificate with its private key, or a provisioning profile. Doesn't
 * verify the content.
 */
import { certificateFacts, readProvisioningProfile, type FileFacts } from './certificates.ts';
import { decryptJavaKey, findJavaKey, isJavaKeystore, readJavaKeystore, type JavaKeystore } from './javaKeystore.ts';
import { isPkcs12, KeyFileError, type KeyFileSecrets } from './keyEntry.ts';
import { openCertificates, readAliases } from './keyFileProcess.ts';
import { MAX_KEY_FILE_BYTES } from '../limits.ts';

/** The parts of a file that can be read without a password. */
export type KeyFile =
  | { readonly kind: 'jks'; readonly bytes: Buffer; readonly keystore: JavaKeystore }
  | { readonly kind: 'pkcs12'; readonly bytes: Buffer; readonly aliases: readonly string[] }
  | { readonly kind: 'profile'; readonly facts: FileFacts }
  /** The file has another format, which the service may support. */
  | { readonly kind: 'unknown' };

/** The result of trying a password. */
export type PasswordCheck =
  | { readonly kind: 'accepted'; readonly facts: FileFacts | undefined }
  | { readonly kind: 'wrong' }
  /** The file can't be opened on this computer with any password. */
  | { readonly kind: 'unknown' };

/**
 * Reads a key file of at most {@link MAX_KEY_FILE_BYTES}. Never rejects: a larger or unreadable file is of kind
 * `unknown`.
 */
export async function readKeyFile(bytes: Buffer): Promise<KeyFile> {
  if (bytes.length > MAX_KEY_FILE_BYTES) {
    return { kind: 'unknown' };
  }
  if (isJavaKeystore(bytes)) {
    const keystore = valueOrUndefined(() => readJavaKeystore(bytes));
    return keystore === undefined ? { kind: 'unknown' } : { kind: 'jks', bytes, keystore };
  }
  if (isPkcs12(bytes)) {
    return { kind: 'pkcs12', bytes, aliases: await readAliases(bytes).catch(() => []) };
  }
  const facts = readProvisioningProfile(bytes);
  return facts === undefined ? { kind: 'unknown' } : { kind: 'profile', facts };
}

/** Returns the result of `read`, or undefined if it throws. */
function valueOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the aliases of the private keys in a keystore. Empty if the file encrypts them. */
export function getAliases(file: KeyFile): readonly string[] {
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

/**
 * Returns the facts about a key that can be read without a password. Returns undefined if a keystore doesn't contain a
 * key with this alias.
 */
export function getFileFacts(file: KeyFile, alias = ''): FileFacts | undefined {
  if (file.kind === 'profile') {
    return file.facts;
  }
  return file.kind === 'jks'
    ? getFirstFacts(valueOrUndefined(() => findJavaKey(file.keystore, alias))?.certificates)
    : undefined;
}

/**
 * Tries a password on a keystore or certificate. Never rejects.
 *
 * @param alias the key's alias. Empty for the first key
 */
export async function checkPassword(file: KeyFile, password: string, alias = ''): Promise<PasswordCheck> {
  if (file.kind === 'jks') {
    return file.keystore.isPassword(password)
      ? { kind: 'accepted', facts: getFileFacts(file, alias) }
      : { kind: 'wrong' };
  }
  if (file.kind !== 'pkcs12') {
    return { kind: 'unknown' };
  }
  try {
    const certificates = await openCertificates(file.bytes, { password, alias: alias === '' ? undefined : alias });
    return { kind: 'accepted', facts: getFirstFacts(certificates) };
  } catch (error) {
    const fault = error instanceof KeyFileError ? error.fault : 'unsupported';
    if (fault === 'unknown alias' || fault === 'no certificate') {
      return { kind: 'accepted', facts: undefined };
    }
    return { kind: fault === 'wrong password' ? 'wrong' : 'unknown' };
  }
}

/**
 * Tries a password on a single key in a keystore. Only keys in JKS can have their own password. Returns undefined if
 * the result is unknown.
 */
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

/**
 * Returns the certificates of a key in a file, the key's own first. Without the password, they can be read only from a
 * Java keystore, and the list is empty for other files.
 *
 * @param platform the platform of the key. Only Android keys can be in a Java keystore
 * @throws KeyFileError
 */
export async function readCertificates(
  bytes: Buffer,
  platform: string,
  { password, ...others }: Omit<KeyFileSecrets, 'password'> & { readonly password: string | undefined },
): Promise<readonly Buffer[]> {
  const isJks = platform === 'android' && isJavaKeystore(bytes);
  if (!isJks && !isPkcs12(bytes)) {
    throw new KeyFileError('invalid');
  }
  if (password !== undefined) {
    return openCertificates(bytes, { password, ...others });
  }
  return isJks ? findJavaKey(readJavaKeystore(bytes), others.alias).certificates : [];
}

function getFirstFacts([own]: readonly Buffer[] = []): FileFacts | undefined {
  return own && certificateFacts(own);
}
