/** The keys that sign Android packages. */
import { createPrivateKey, hash, type KeyObject } from 'node:crypto';
import type { Fingerprints } from '../model.ts';
import { BuildError } from '../buildError.ts';
import { openKeyEntry } from './keyFileProcess.ts';
import { KeyFileError, type KeyFileSecrets } from './keyEntry.ts';

/** Returns the fingerprints of a certificate. @param der the certificate as stored in a keystore or signature */
export function getFingerprints(der: Buffer): Fingerprints {
  const digest = (algorithm: string): string => {
    const pairs = hash(algorithm, der).toUpperCase().match(/../g) ?? [];
    return pairs.join(':');
  };
  return { sha1: digest('sha1'), sha256: digest('sha256') };
}

/** A key that signs Android packages. */
export interface Signer {
  /** RSA, or EC on one of {@link ANDROID_CURVES}. Must never be logged. */
  readonly privateKey: KeyObject;
  /** DER certificates: the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** OpenSSL's names of the curves that Android can verify: P-256, P-384, and P-521. */
const ANDROID_CURVES: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/** @throws BuildError if Android doesn't accept the key's signatures */
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
 * Opens a keystore: in PKCS#12 the key has the keystore's password, in JKS it has its own.
 *
 * @param signal rejects with its reason when it's aborted
 * @throws BuildError when a password or the alias is wrong, or Android can't verify the key's signatures
 */
export async function openKeystore(keystore: Buffer, secrets: KeyFileSecrets, signal?: AbortSignal): Promise<Signer> {
  try {
    const { privateKey, certificates } = await openKeyEntry(keystore, secrets, { signal });
    return { privateKey: androidKey(privateKey), certificates };
  } catch (error) {
    throw error instanceof KeyFileError ? new BuildError(error.message) : error;
  }
}
