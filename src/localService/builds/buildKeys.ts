/** The signing keys of builds: which key a build uses, and what its files say. */
import { readFile } from 'node:fs/promises';

import type { Service } from '../service.ts';
import { findDefaultKey, findKey, findKeyPasswords, lockExpiredKeys, setKeyUsed } from '../store/keys.ts';
import type { App, KeyFile, Platform, SigningKey } from '../store/model.ts';
import type { BuildKey } from './builder.ts';
import { javaAlias, readJavaKeystore } from './keyFiles/javaKeystore.ts';
import { isPkcs12, openPkcs12 } from './keyFiles/pkcs12.ts';
import { profileAppId, profileExpiry } from './keyFiles/provisioningProfile.ts';

type KeyService = Pick<Service, 'store' | 'files' | 'now'>;

/**
 * The key that a build of an app signs with: that of the app, or the default one of its owner for this platform; `undefined`
 * when there is none. To be asked for when a build begins: the key counts as used.
 */
export function buildKeyOf(service: KeyService, app: App, platform: Platform): BuildKey | undefined {
  const { store, now } = service;
  const chosen = findKey(store, app.keys[platform] ?? null);
  const isUsable = chosen?.ownerId === app.ownerId && chosen.platform === platform;
  const found = isUsable ? chosen : findDefaultKey(store, app.ownerId, platform);
  if (found === undefined) {
    return undefined;
  }
  setKeyUsed(store, found.id, now());
  return openKey(service, found.id);
}

/** A key with its passwords, as far as they are known. */
export function openKey({ store, files, now }: KeyService, id: number): BuildKey | undefined {
  lockExpiredKeys(store, now());
  const key = findKey(store, id);
  return (
    key && {
      key,
      files: Object.fromEntries(Object.entries(key.files).map(([name, file]) => [name, files.pathOf(file)])),
      passwords: findKeyPasswords(store, id, now()),
    }
  );
}

/**
 * Says why a key cannot sign, in the words that clients know; `undefined` when nothing is known against it.
 *
 * @param now milliseconds since the epoch
 */
export async function keyFault({ key, files, passwords }: BuildKey, now = Date.now()): Promise<string | undefined> {
  if (key.locked) {
    return `The signing key “${key.title}” is locked: unlock it first.`;
  }
  const contents = await readContents(files);
  for (const [name, content] of Object.entries(contents)) {
    if (content === undefined) {
      return `The file “${name}” of the signing key is missing: add the key again.`;
    }
    const { fault, expiresAt } = await inspectFile({ key, name: name as KeyFile, content, passwords });
    if (fault !== undefined) {
      return fault;
    }
    if (expiresAt !== undefined && expiresAt.getTime() <= now) {
      const what = name === 'profile' ? 'provisioning profile' : 'certificate';
      return `The ${what} of the signing key expired on ${expiresAt.toISOString().slice(0, 10)}: add a key with a valid one.`;
    }
  }
  return undefined;
}

/** What the files of a key say, as far as they can be read with the passwords that are known. */
export interface KeyFacts {
  /** When the first of its files expires. */
  readonly expiresAt: Date | undefined;
  /** The app that its profile is for, as Apple writes it: `com.example.app` or `com.example.*`. */
  readonly appId: string | undefined;
}

/** Reads the files of a key. */
export async function keyFacts({ key, files, passwords }: BuildKey): Promise<KeyFacts> {
  const contents = await readContents(files);
  const inspected = Object.entries(contents).map(async ([name, content]) =>
    content === undefined ? undefined : inspectFile({ key, name: name as KeyFile, content, passwords }),
  );
  const times = (await Promise.all(inspected)).flatMap((file) => file?.expiresAt?.getTime() ?? []);
  return {
    expiresAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
    appId: contents.profile && profileAppId(contents.profile),
  };
}

/** A file of a key, with what is known to open it. */
interface KeyContent extends Pick<BuildKey, 'passwords'> {
  readonly key: Pick<SigningKey, 'platform' | 'alias'>;
  readonly name: KeyFile;
  readonly content: Buffer;
}

interface Inspection {
  readonly fault?: string;
  readonly expiresAt?: Date | undefined;
}

async function inspectFile({ key, name, content, passwords }: KeyContent): Promise<Inspection> {
  if (name === 'profile') {
    const expiresAt = profileExpiry(content);
    return expiresAt === undefined ? { fault: 'The provisioning profile cannot be read.' } : { expiresAt };
  }
  const keystore = key.platform === 'android' ? readJavaKeystore(content) : undefined;
  if (keystore !== undefined) {
    const found = keystore.privateKeys.get(javaAlias(key.alias ?? ''));
    if (passwords?.keystore_pw !== undefined && !keystore.isPassword(passwords.keystore_pw)) {
      return { fault: WRONG_PASSWORD };
    }
    return found === undefined ? { fault: 'Keystore alias not recognized' } : { expiresAt: found.expiresAt };
  }
  if (!isPkcs12(content)) {
    return { fault: key.platform === 'ios' ? 'Certificate not found' : 'Invalid keystore format' };
  }
  const password = key.platform === 'android' ? passwords?.keystore_pw : passwords?.password;
  const opened = password === undefined ? undefined : await openPkcs12(content, password);
  if (opened?.kind === 'wrong password') {
    return { fault: key.platform === 'ios' ? 'Incorrect certificate password' : WRONG_PASSWORD };
  }
  return opened?.kind === 'opened' ? { expiresAt: opened.expiresAt } : {};
}

const WRONG_PASSWORD = 'Incorrect keystore password';

/** The files of a key by their names; `undefined` for one that is not there. */
async function readContents(files: BuildKey['files']): Promise<Readonly<Record<string, Buffer | undefined>>> {
  const entries = Object.entries(files).map(async ([name, path]) => [name, await readFileOrNone(path)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function readFileOrNone(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}
