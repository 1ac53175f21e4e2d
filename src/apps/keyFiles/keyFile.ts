import type { CertificateSummary } from './certificate.ts';
import { readJavaKeystore, type JavaKeystore, type JavaPrivateKey } from './javaKeystore.ts';
import { isPkcs12, openPkcs12, pkcs12Aliases } from './pkcs12.ts';
import { readProvisioningProfile, type ProvisioningProfile } from './provisioningProfile.ts';

/** Bytes of a keystore, a certificate or a profile; a larger file is none, and is not read. */
export const MAX_KEY_FILE_BYTES = 1024 * 1024;

/** A file of a signing key, as far as it can be read on this machine. Nothing in it is verified. */
export type KeyFile =
  | { readonly kind: 'jks'; readonly keystore: JavaKeystore }
  | { readonly kind: 'pkcs12'; readonly bytes: Buffer; readonly aliases: readonly string[] }
  | { readonly kind: 'profile'; readonly profile: ProvisioningProfile }
  /** Another format; the service may know it. */
  | { readonly kind: 'unknown' };

/** What a file says of a key. */
export interface FileFacts {
  /** Whom its certificate was made for, or the profile's name. */
  readonly subject: string | undefined;
  readonly team: string | undefined;
  readonly expiresAt: Date | undefined;
  /** The identifier of the app that a profile is for. */
  readonly appId: string | undefined;
  /** SHA-256 of the certificate that signs; for a profile, of each that may sign with it. */
  readonly certificates: readonly string[];
}

/** What came of a password. */
export type PasswordCheck =
  | { readonly kind: 'accepted'; readonly facts: FileFacts | undefined }
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
  return profile === undefined ? { kind: 'unknown' } : { kind: 'profile', profile };
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
export function factsOf(file: KeyFile, alias?: string): FileFacts | undefined {
  if (file.kind === 'profile') {
    const { name, ...facts } = file.profile;
    return { ...facts, subject: name };
  }
  return certificateFacts(keyOf(file, alias)?.certificate);
}

/** Tries a password of a keystore or certificate. Never rejects. */
export async function checkPassword(file: KeyFile, password: string, alias?: string): Promise<PasswordCheck> {
  if (file.kind === 'jks') {
    return file.keystore.isPassword(password) ? { kind: 'accepted', facts: factsOf(file, alias) } : { kind: 'wrong' };
  }
  const opened = file.kind === 'pkcs12' ? await openPkcs12(file.bytes, password) : undefined;
  switch (opened?.kind) {
    case 'opened':
      return { kind: 'accepted', facts: certificateFacts(opened.certificate) };
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

function certificateFacts(certificate: CertificateSummary | undefined): FileFacts | undefined {
  return (
    certificate && {
      subject: certificate.subject,
      team: undefined,
      expiresAt: certificate.expiresAt,
      appId: undefined,
      certificates: [certificate.fingerprint],
    }
  );
}

/** A keystore of Java's own format has its aliases in lower case. */
function keyOf(file: KeyFile, alias: string | undefined): JavaPrivateKey | undefined {
  return file.kind === 'jks'
    ? file.keystore.privateKeys.find((key) => key.alias.toLowerCase() === alias?.toLowerCase())
    : undefined;
}
