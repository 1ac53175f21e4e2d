import type { KeyPasswords, KeyFiles } from '../../apps/calls/keyCalls.ts';
import type { KeyFile, PasswordCheck } from '../../formats/keyFile.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import * as vscode from 'vscode';

/** A file that a person has chosen. */
export interface ChosenFile {
  readonly upload: UploadFile;
  readonly contents: KeyFile;
  /** Tries a password. The same one is tried once: it takes a process. */
  readonly check: (password: string, alias: string) => Promise<PasswordCheck>;
}

/** What has been answered so far. An empty text stands for nothing. */
export interface KeyDraft {
  readonly platform: string;
  readonly files: Readonly<Partial<Record<KeyFileName, ChosenFile>>>;
  readonly title: string;
  readonly alias: string;
  readonly publisherId: string;
  /** Of the keystore, or of the certificate. */
  readonly password: string;
  /** Of the key in the keystore. */
  readonly keyPassword: string;
}

/** What the key is made of. */
export function kindOf({ platform }: Pick<KeyDraft, 'platform'>): KeyKind {
  return keyKindOf(platform);
}

/** The file that holds the private key. */
export function signingFileOf({ files }: Pick<KeyDraft, 'files'>): ChosenFile | undefined {
  return files.keystore ?? files.cert;
}

/** The passwords of a draft; undefined when there are none. */
export function passwordsOf(draft: KeyDraft): KeyPasswords | undefined {
  const { password, keyPassword } = draft;
  if (password === '') {
    return undefined;
  }
  return kindOf(draft).passwords === 'two'
    ? { keystorePassword: password, keyPassword: keyPassword || password }
    : { password };
}

/** What the service calls a file of a key. */
export type KeyFileName = KeyFiles['files'][number]['name'];

/** What a signing key of a platform is made of. */
export interface KeyKind {
  readonly files: readonly KeyFileName[];
  readonly hasAlias: boolean;
  readonly hasPublisherId: boolean;
  /** `two`: of the keystore, and of the key in it. */
  readonly passwords: 'none' | 'one' | 'two';
  /** The service takes no key without its password. */
  readonly needsPassword: boolean;
}

const KEYSTORE: KeyKind = {
  files: ['keystore'],
  hasAlias: false,
  hasPublisherId: false,
  passwords: 'one',
  needsPassword: false,
};

const KINDS: Readonly<Record<string, KeyKind>> = {
  android: { ...KEYSTORE, hasAlias: true, passwords: 'two' },
  ios: { ...KEYSTORE, files: ['cert', 'profile'] },
  windows: { ...KEYSTORE, needsPassword: true },
  winphone: { ...KEYSTORE, files: [], hasPublisherId: true, passwords: 'none' },
};

/** Platforms that the original service takes keys for, for one that does not say. */
export const DOCUMENTED_KEY_PLATFORMS: readonly string[] = ['android', 'ios', 'winphone'];

/** What a key of a platform is made of; a keystore with one password for an unknown platform. */
export function keyKindOf(platform: string): KeyKind {
  return Object.hasOwn(KINDS, platform) ? (KINDS[platform] ?? KEYSTORE) : KEYSTORE;
}

/** What a file of a key is called. */
export function fileTitle(name: KeyFileName): string {
  switch (name) {
    case 'keystore':
      return vscode.l10n.t('Keystore');
    case 'cert':
      return vscode.l10n.t('Certificate with its private key');
    case 'profile':
      return vscode.l10n.t('Provisioning profile');
  }
}

/** The endings of a file of a key, without dots, for the dialog. */
export const FILE_ENDINGS: Readonly<Record<KeyFileName, readonly string[]>> = {
  keystore: ['keystore', 'jks', 'p12', 'pfx'],
  cert: ['p12', 'pfx'],
  profile: ['mobileprovision', 'provisionprofile'],
};
