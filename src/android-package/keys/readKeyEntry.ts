import { KeyFileError, isPkcs12, type KeyEntry, type KeyFileSecrets } from './keyEntry.ts';
import { isJavaKeystore, openJavaKeystore } from './javaKeystore.ts';
import { openPkcs12 } from './pkcs12.ts';

/** First bytes of JCEKS, a Java format that few other programs can read. */
const JCEKS_MAGIC = Buffer.from('cececece', 'hex');

/**
 * Opens a key in a file. The content determines the format, because keytool writes PKCS#12 to files with any name. The
 * file specifies how many times the password is hashed, so this can take a very long time.
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
    // Other errors are from `node:crypto`, for example for an unsupported type of key.
    throw error instanceof KeyFileError ? error : new KeyFileError('unsupported');
  }
  throw bytes.subarray(0, JCEKS_MAGIC.length).equals(JCEKS_MAGIC)
    ? new KeyFileError('unsupported')
    : new KeyFileError('invalid');
}
