import * as vscode from 'vscode';
import type { KeyFiles } from '../../apps/calls/keyCalls.ts';

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

/** What a key of a platform is made of; a keystore with one password for a platform that nobody has heard of. */
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
