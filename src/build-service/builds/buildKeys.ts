/** Chooses the signing key for a build, reads the key's files, and opens it. */
import { readFile } from 'node:fs/promises';

import {
  BuildError,
  certificateFacts,
  type Fingerprints,
  getFingerprints,
  KeyFileError,
  type KeyFileFault,
  openKeystore,
  type Platform,
  readCertificates,
  readProvisioningProfile,
  type Signer,
} from '../../android-package/index.ts';
import { findDefaultKey, findKey, findKeyPasswords, lockExpiredKeys, setKeyUsed } from '../store/keys.ts';
import type { App, SigningKey } from '../store/model.ts';
import type { BuildData, BuildKey } from './builder.ts';

/**
 * Returns the key that signs a build: the app's key, or its owner's default key for the platform. Returns `undefined`
 * if neither exists. Also marks the key as used, so call this only when a build begins.
 */
export function findBuildKey(data: BuildData, app: App, platform: Platform): BuildKey | undefined {
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

/** Returns a key with its known passwords. */
export function openKey({ store, files }: BuildData, id: number): BuildKey | undefined {
  lockExpiredKeys(store);
  const key = findKey(store, id);
  return (
    key && {
      key,
      files: Object.fromEntries(Object.entries(key.files).map(([name, file]) => [name, files.getPath(file)])),
      passwords: findKeyPasswords(store, id),
    }
  );
}

/**
 * Returns the reason why a key can't sign, as a message that clients recognize, or `undefined` if no problem is known.
 */
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
      return `The ${what} of the signing key expired on ${expiresAt.toISOString().slice(0, 10)}. Add a key with a valid one.`;
    }
  }
  return undefined;
}

function lockedFault({ title }: SigningKey): string {
  return `The signing key “${title}” is locked. Unlock it first.`;
}

function missingFileFault(name: string): string {
  return `The file “${name}” of the signing key is missing. Add the key again.`;
}

/** Facts from a key's files. Some are missing if the required passwords aren't known. */
interface KeyFacts {
  /** Earliest expiration date of the files. */
  readonly expiresAt: Date | undefined;
  /** App ID of the key's profile in Apple's format: `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
  /** Fingerprints of the key's certificate. */
  readonly fingerprints: Fingerprints | undefined;
}

/** Reads the facts in a key's files. */
export async function keyFacts(buildKey: BuildKey): Promise<KeyFacts> {
  const files = await inspectFiles(buildKey);
  const times = files.flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
  return {
    expiresAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
    appId: files.find(({ name }) => name === 'profile')?.appId,
    fingerprints: files.find(({ fingerprints }) => fingerprints !== undefined)?.fingerprints,
  };
}

/** Facts from a key's file, or the reason why the key can't be used. */
interface InspectedFile extends Partial<KeyFacts> {
  readonly name: string;
  readonly fault?: string;
}

function inspectFiles(buildKey: BuildKey): Promise<readonly InspectedFile[]> {
  return Promise.all(Object.entries(buildKey.files).map(([name, file]) => inspectFile(buildKey, name, file)));
}

async function inspectFile({ key, passwords }: BuildKey, name: string, file: string): Promise<InspectedFile> {
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) {
    return { name, fault: missingFileFault(name) };
  }
  if (name === 'profile') {
    const { expiresAt, appId } = readProvisioningProfile(content) ?? {};
    return { name, appId, expiresAt, ...(!expiresAt && { fault: 'The provisioning profile can’t be read.' }) };
  }
  try {
    const isAndroid = key.platform === 'android';
    const password = isAndroid ? passwords?.keystore_pw : passwords?.password;
    const alias = isAndroid ? (key.alias ?? '') : undefined;
    const secrets = { password, keyPassword: passwords?.key_pw, alias };
    const [certificate] = await readCertificates(content, key.platform, secrets);
    return {
      name,
      expiresAt: certificate && certificateFacts(certificate)?.expiresAt,
      fingerprints: certificate && getFingerprints(certificate),
    };
  } catch (error) {
    if (!(error instanceof KeyFileError)) {
      throw error;
    }
    const sentence = (key.platform === 'ios' ? APPLE_FAULTS[error.fault] : undefined) ?? error.message;
    return { name, ...(!UNCERTAIN_FAULTS.includes(error.fault) && { fault: sentence }) };
  }
}

/** Faults that don't prove that the key is unusable, because the signing tool may be able to open it. */
const UNCERTAIN_FAULTS: readonly KeyFileFault[] = ['unsupported', 'timeout'];

const APPLE_FAULTS: Readonly<Partial<Record<KeyFileFault, string>>> = {
  invalid: 'Certificate not found',
  'wrong password': 'Incorrect certificate password',
};

/**
 * Opens the keystore of an Android key. In PKCS#12, the key and the keystore have the same password. In JKS, the key
 * has a separate one.
 *
 * @param signal aborts the operation, so that the promise rejects with the signal's reason
 * @throws BuildError if the key is locked, its file is missing, a password or the alias is wrong, or the file or key
 * can't be used
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
  return openKeystore(content, { password, keyPassword, alias: key.alias ?? '' }, signal);
}
