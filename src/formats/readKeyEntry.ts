import { KeyFileError, isPkcs12, type KeyEntry, type KeyFileSecrets } from './keyEntry.ts';
import { isJavaKeystore, openJavaKeystore } from './javaKeystore.ts';
import { openPkcs12 } from './pkcs12.ts';

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
    // Any other error is of node:crypto, such as for a key of a kind that it doesn't know.
    throw error instanceof KeyFileError ? error : new KeyFileError('unsupported');
  }
  throw bytes.subarray(0, JCEKS_MAGIC.length).equals(JCEKS_MAGIC)
    ? new KeyFileError('unsupported')
    : new KeyFileError('invalid');
}
