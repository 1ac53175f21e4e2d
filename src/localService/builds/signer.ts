import { createPrivateKey, type KeyObject } from 'node:crypto';

import { BuildError, type BuildKey } from './builder.ts';
import { lockedFault, missingFileFault, readFileOrNone } from './buildKeys.ts';
import { KeyFileError } from './keyFiles/keyFileError.ts';
import { openKeyEntry } from './keyFiles/keyFileProcess.ts';

/** What signs packages for Android. */
export interface Signer {
  /** RSA, or EC on one of {@link ANDROID_CURVES}. Never to be logged. */
  readonly privateKey: KeyObject;
  /** DER: the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** As OpenSSL calls P-256, P-384 and P-521: what Android can verify. */
const ANDROID_CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/**
 * Opens the keystore of a key for Android. In PKCS#12 the key has the password of the keystore, in JKS one of its own.
 *
 * @param signal rejects with its reason when it is aborted
 * @throws BuildError when the key is locked, its file is missing, a password or the alias is wrong, and for a file or a key that
 *   cannot be used
 */
export async function openSigner({ key, files, passwords }: BuildKey, signal?: AbortSignal): Promise<Signer> {
  const { keystore_pw: password, key_pw: keyPassword } = passwords ?? {};
  if (key.locked || password === undefined) {
    throw new BuildError(lockedFault(key));
  }
  const content = files.keystore === undefined ? undefined : await readFileOrNone(files.keystore);
  if (content === undefined) {
    throw new BuildError(missingFileFault('keystore'));
  }
  try {
    const secrets = { password, keyPassword, alias: key.alias ?? '' };
    const { privateKey, certificates } = await openKeyEntry(content, secrets, { signal });
    return { privateKey: androidKey(privateKey), certificates };
  } catch (error) {
    throw error instanceof KeyFileError ? new BuildError(error.message) : error;
  }
}

/** @throws BuildError for a key whose signatures Android does not take */
function androidKey(pkcs8: Buffer): KeyObject {
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: { namedCurve = '' } = {} } = key;
  if (type !== 'rsa' && !(type === 'ec' && ANDROID_CURVES.includes(namedCurve))) {
    const name = type === 'ec' ? `EC on the curve ${namedCurve}` : type.toUpperCase();
    throw new BuildError(
      `The file “keystore” of the signing key holds a key of ${name}, and Android takes no package that is signed with it: add a key of RSA, or of EC on the curve P-256.`,
    );
  }
  return key;
}
