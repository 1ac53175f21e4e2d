/** Opens the keys that sign Android packages. */
import { createPrivateKey, hash, type KeyObject } from 'node:crypto';
import type { Fingerprints } from '../model.ts';
import { BuildError } from '../buildError.ts';
import { openKeyEntry } from './keyFileProcess.ts';
import { KeyFileError, type KeyFileSecrets } from './keyEntry.ts';

/** Returns the fingerprints of a certificate. @param der the certificate in DER */
export function getFingerprints(der: Buffer): Fingerprints {
  const digest = (algorithm: string): string => {
    const pairs = hash(algorithm, der).toUpperCase().match(/../g) ?? [];
    return pairs.join(':');
  };
  return { sha1: digest('sha1'), sha256: digest('sha256') };
}

/** A key that signs Android packages. */
export interface Signer {
  /** An RSA key, or an EC key on one of {@link ANDROID_CURVES}. Must never be logged. */
  readonly privateKey: KeyObject;
  /** DER certificates: the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** OpenSSL's names of the curves that Android supports: P-256, P-384, and P-521. */
const ANDROID_CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/**
 * Reads a private key.
 *
 * @throws BuildError if Android can't verify its signatures
 */
function androidKey(pkcs8: Buffer): KeyObject {
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: { namedCurve = '' } = {} } = key;
  if (type !== 'rsa' && !(type === 'ec' && ANDROID_CURVES.includes(namedCurve))) {
    const name = type === 'ec' ? `EC on the curve ${namedCurve}` : type.toUpperCase();
    throw new BuildError(
      `The file “keystore” of the signing key contains a key of type “${name}”, which Android doesn’t accept. Add an RSA key, or an EC key on the curve P-256.`,
    );
  }
  return key;
}

/**
 * Opens a keystore. In PKCS#12, the key and the keystore have the same password. In JKS, the key can have a different
 * one.
 *
 * @param signal aborts the operation, so that the promise rejects with the signal's reason
 * @throws BuildError if a password or the alias is wrong, or if Android can't verify the key's signatures
 */
export async function openKeystore(keystore: Buffer, secrets: KeyFileSecrets, signal?: AbortSignal): Promise<Signer> {
  try {
    const { privateKey, certificates } = await openKeyEntry(keystore, secrets, { signal });
    return { privateKey: androidKey(privateKey), certificates };
  } catch (error) {
    throw error instanceof KeyFileError ? new BuildError(error.message) : error;
  }
}
