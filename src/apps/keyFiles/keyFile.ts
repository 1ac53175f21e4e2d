import { readJavaKeystore, type JavaKeystore, type JavaPrivateKey } from './javaKeystore.ts';
import { isPkcs12, openPkcs12, pkcs12Aliases } from './pkcs12.ts';
import { readProvisioningProfile } from './provisioningProfile.ts';

/** Bytes of a keystore, a certificate or a profile; a larger file is none, and is not read. */
export const MAX_KEY_FILE_BYTES = 1024 * 1024;

/** A file of a signing key, as far as it can be read on this machine. Nothing in it is verified. */
export type KeyFile =
  | { readonly kind: 'jks'; readonly keystore: JavaKeystore }
  | { readonly kind: 'pkcs12'; readonly bytes: Buffer; readonly aliases: readonly string[] }
  | { readonly kind: 'profile'; readonly facts: KeyFacts }
  /** Another format; the service may know it. */
  | { readonly kind: 'unknown' };

/** What a file says of a key. */
export interface KeyFacts {
  /** Whom its certificate was made for, or the profile's name. */
  readonly subject: string | undefined;
  readonly team: string | undefined;
  readonly expiresAt: Date | undefined;
}

/** What came of a password. */
export type PasswordCheck =
  | { readonly kind: 'accepted'; readonly facts: KeyFacts | undefined }
  | { readonly kind: 'wrong' }
  /** The file cannot be opened on this machine, whatever the password. */
  | { readonly kind: 'unknown' };

/** Reads a file of a key. @param bytes at most {@link MAX_KEY_FILE_BYTES}. Never throws. */
export function readKeyFile(bytes: Buffer): KeyFile {
  if (bytes.length > MAX_KEY_FILE_BYTES) {
    return { kind: 'unknown' };
  }
  const keystore = readJavaKeystore(bytes);
  if (keystore !== undefined) {
    return { kind: 'jks', keystore };
  }
  if (isPkcs12(bytes)) {
    return { kind: 'pkcs12', bytes, aliases: pkcs12Aliases(bytes) };
  }
  const profile = readProvisioningProfile(bytes);
  return profile === undefined
    ? { kind: 'unknown' }
    : { kind: 'profile', facts: { subject: profile.name, team: profile.team, expiresAt: profile.expiresAt } };
}

/** The aliases of the private keys in a keystore; empty where it does not tell. */
export function aliasesOf(file: KeyFile): readonly string[] {
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

/** What a file says of a key without a password. @param alias of the key in a keystore. */
export function factsOf(file: KeyFile, alias?: string): KeyFacts | undefined {
  if (file.kind === 'profile') {
    return file.facts;
  }
  const certificate = keyOf(file, alias)?.certificate;
  return certificate && { ...certificate, team: undefined };
}

/** Tries a password of a keystore or certificate. Never rejects. */
export async function checkPassword(file: KeyFile, password: string, alias?: string): Promise<PasswordCheck> {
  if (file.kind === 'jks') {
    return file.keystore.isPassword(password) ? { kind: 'accepted', facts: factsOf(file, alias) } : { kind: 'wrong' };
  }
  const opened = file.kind === 'pkcs12' ? await openPkcs12(file.bytes, password) : undefined;
  switch (opened?.kind) {
    case 'opened':
      return { kind: 'accepted', facts: opened.certificate && { ...opened.certificate, team: undefined } };
    case 'wrongPassword':
      return { kind: 'wrong' };
    case 'unreadable':
    case undefined:
      return { kind: 'unknown' };
  }
}

/** Tries the password of one key in a keystore, where the format has one of its own. @returns undefined when it cannot be told. */
export function isKeyPassword(file: KeyFile, alias: string, password: string): boolean | undefined {
  return keyOf(file, alias)?.isPassword(password);
}

/** A keystore of Java's own format has its aliases in lower case. */
function keyOf(file: KeyFile, alias: string | undefined): JavaPrivateKey | undefined {
  return file.kind === 'jks'
    ? file.keystore.privateKeys.find((key) => key.alias.toLowerCase() === alias?.toLowerCase())
    : undefined;
}
