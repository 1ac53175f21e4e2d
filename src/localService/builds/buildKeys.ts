/** The signing keys of builds: choosing a key, reading its files, and opening it. */
import { createPrivateKey, hash, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { certificateFacts, readProvisioningProfile } from '../../formats/certificates.ts';
import { findJavaKey, isJavaKeystore, readJavaKeystore } from '../../formats/javaKeystore.ts';
import { isPkcs12, KeyFileError, type KeyFileFault } from '../../formats/keyEntry.ts';
import { openCertificates, openKeyEntry } from '../../formats/keyFileProcess.ts';
import { findDefaultKey, findKey, findKeyPasswords, lockExpiredKeys, setKeyUsed } from '../store/keys.ts';
import type { App, Fingerprints, Platform, SigningKey } from '../store/model.ts';
import { BuildError, type BuildData, type BuildKey } from './builder.ts';

/**
 * The key that a build of an app signs with: that of the app, or the default one of its owner for this platform; `undefined`
 * when there is none. To be asked for when a build begins: the key counts as used.
 */
export function buildKeyOf(data: BuildData, app: App, platform: Platform): BuildKey | undefined {
  const { store } = data;
  const chosen = findKey(store, app.keys[platform] ?? null);
  const isUsable = chosen?.ownerId === app.ownerId && chosen.platform === platform;
  const found = isUsable ? chosen : findDefaultKey(store, app.ownerId, platform);
  if (found === undefined) {
    return undefined;
  }
  setKeyUsed(store, found.id);
  return openKey(data, found.id);
}

/** A key with its passwords, as far as they are known. */
export function openKey({ store, files }: BuildData, id: number): BuildKey | undefined {
  lockExpiredKeys(store);
  const key = findKey(store, id);
  return (
    key && {
      key,
      files: Object.fromEntries(Object.entries(key.files).map(([name, file]) => [name, files.pathOf(file)])),
      passwords: findKeyPasswords(store, id),
    }
  );
}

/** Why a key cannot sign, in the words that clients know; `undefined` when nothing is known against it. */
export async function keyFault(buildKey: BuildKey): Promise<string | undefined> {
  if (buildKey.key.locked) {
    return lockedFault(buildKey.key);
  }
  for (const { name, fault, expiresAt } of await inspectFiles(buildKey)) {
    if (fault !== undefined) {
      return fault;
    }
    if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) {
      const what = name === 'profile' ? 'provisioning profile' : 'certificate';
      return `The ${what} of the signing key expired on ${expiresAt.toISOString().slice(0, 10)}: add a key with a valid one.`;
    }
  }
  return undefined;
}

function lockedFault({ title }: SigningKey): string {
  return `The signing key “${title}” is locked: unlock it first.`;
}

function missingFileFault(name: string): string {
  return `The file “${name}” of the signing key is missing: add the key again.`;
}

/** Facts from the files of a key, as far as they can be read with the known passwords. */
export interface KeyFacts {
  /** When the first of its files expires. */
  readonly expiresAt: Date | undefined;
  /** The app that its profile is for, as Apple writes it: `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  /** The fingerprints of its certificate. */
  readonly fingerprints: Fingerprints | undefined;
}

/** Reads facts from the files of a key. */
export async function keyFacts(buildKey: BuildKey): Promise<KeyFacts> {
  const files = await inspectFiles(buildKey);
  const times = files.flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  return {
    expiresAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
    appId: files.find(({ name }) => name === 'profile')?.appId,
    fingerprints: files.find(({ fingerprints }) => fingerprints !== undefined)?.fingerprints,
  };
}

/** The fingerprints of a certificate. @param der as it is in a keystore or a signature */
export function getFingerprints(der: Buffer): Fingerprints {
  const digest = (algorithm: string): string => {
    const pairs = hash(algorithm, der).toUpperCase().match(/../g) ?? [];
    return pairs.join(':');
  };
  return { sha1: digest('sha1'), sha256: digest('sha256') };
}

/** The facts in the file of a key, or why it can't be used. */
interface InspectedFile extends Partial<KeyFacts> {
  readonly name: string;
  readonly fault?: string;
}

function inspectFiles(buildKey: BuildKey): Promise<readonly InspectedFile[]> {
  return Promise.all(Object.entries(buildKey.files).map(([name, file]) => inspectFile(buildKey, name, file)));
}

async function inspectFile(buildKey: BuildKey, name: string, file: string): Promise<InspectedFile> {
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) {
    return { name, fault: missingFileFault(name) };
  }
  if (name === 'profile') {
    const { expiresAt, appId } = readProvisioningProfile(content) ?? {};
    return { name, appId, expiresAt, ...(!expiresAt && { fault: 'The provisioning profile cannot be read.' }) };
  }
  try {
    const [certificate] = await certificatesOf(buildKey, content);
    return {
      name,
      expiresAt: certificate && certificateFacts(certificate)?.expiresAt,
      fingerprints: certificate && getFingerprints(certificate),
    };
  } catch (error) {
    if (!(error instanceof KeyFileError)) {
      throw error;
    }
    const sentence = (buildKey.key.platform === 'ios' ? APPLE_FAULTS[error.fault] : undefined) ?? error.message;
    return { name, ...(!UNCERTAIN_FAULTS.includes(error.fault) && { fault: sentence }) };
  }
}

/**
 * The certificates of the key in a file: its own first. None where a password is needed that is not known.
 *
 * @throws KeyFileError
 */
async function certificatesOf({ key, passwords }: BuildKey, content: Buffer): Promise<readonly Buffer[]> {
  const isAndroid = key.platform === 'android';
  const isJks = isAndroid && isJavaKeystore(content);
  if (!isJks && !isPkcs12(content)) {
    throw new KeyFileError('invalid');
  }
  const alias = isAndroid ? (key.alias ?? '') : undefined;
  const password = isAndroid ? passwords?.keystore_pw : passwords?.password;
  if (password === undefined) {
    return isJks ? findJavaKey(readJavaKeystore(content), alias).certificates : [];
  }
  return openCertificates(content, { password, keyPassword: passwords?.key_pw, alias });
}

/** Nothing is known against the key then: the signing tool may open it. */
const UNCERTAIN_FAULTS: readonly KeyFileFault[] = ['unsupported', 'timeout'];

const APPLE_FAULTS: Readonly<Partial<Record<KeyFileFault, string>>> = {
  invalid: 'Certificate not found',
  'wrong password': 'Incorrect certificate password',
};

/** A key for Android packages. */
export interface Signer {
  /** RSA, or EC on one of {@link ANDROID_CURVES}. Never to be logged. */
  readonly privateKey: KeyObject;
  /** DER: the key's own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** The curves that Android can verify, P-256, P-384 and P-521, as OpenSSL calls them. */
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
  const content = files.keystore === undefined ? undefined : await readFile(files.keystore).catch(() => undefined);
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
