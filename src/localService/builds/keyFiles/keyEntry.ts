import { isJavaKeystore, openJavaKeystore } from './javaKeystore.ts';
import { KeyFileError } from './keyFileError.ts';
import { isPkcs12, openPkcs12 } from './pkcs12.ts';

/** A private key with its certificates, all in DER. */
export interface KeyEntry {
  /** PKCS#8. Never to be logged. */
  readonly privateKey: Buffer;
  /** X.509: the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** What opens a key in a file. */
export interface KeyFileSecrets {
  /** Of the whole file. */
  readonly password: string;
  /** Of the key, where the format has one of its own, which is JKS; that of the file when it is not told. */
  readonly keyPassword?: string | undefined;
  /** In any case; without one it is the first key. */
  readonly alias?: string | undefined;
}

/** Of JCEKS, a format of Java whose keys few programs can read. */
const JCEKS_MAGIC = Buffer.from('cececece', 'hex');

/**
 * Opens a key in a file, whose content tells its format: keytool writes PKCS#12 into files of any name. It may take as long
 * as the file's author likes: the file says how often its password is hashed.
 *
 * @throws KeyFileError and no other error
 */
export function readKeyEntry(bytes: Buffer, { password, keyPassword = password, alias }: KeyFileSecrets): KeyEntry {
  try {
    if (isPkcs12(bytes)) {
      return openPkcs12(bytes, password, alias);
    }
    if (isJavaKeystore(bytes)) {
      return openJavaKeystore(bytes, { password, keyPassword, alias });
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
