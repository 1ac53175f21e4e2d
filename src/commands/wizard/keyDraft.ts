import type { KeyPasswords } from '../../apps/calls/keyCalls.ts';
import type { KeyFile, PasswordCheck } from '../../formats/keyFile.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import { keyKindOf, type KeyFileName, type KeyKind } from './keyKinds.ts';

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
