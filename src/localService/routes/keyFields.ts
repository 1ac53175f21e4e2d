/** What a signing key of each platform is made of, and how requests say it. */
import { HttpError } from '../http/errors.ts';
import { textField } from '../http/fields.ts';
import type { ReceivedRequest } from '../http/receivedRequest.ts';
import type { KeyFile, KeyPasswords, KeyPlatform } from '../store/model.ts';

type Fields = ReceivedRequest['fields'];

export interface KeyKind {
  /** Fields beside the title. */
  readonly texts: readonly ('alias' | 'publisher_id')[];
  readonly files: readonly KeyFile[];
  /** A key is unlocked when all of them are known. */
  readonly passwords: readonly (keyof KeyPasswords)[];
  /** Whether a key is added together with its passwords. */
  readonly needsPasswords: boolean;
}

export const KEY_KINDS: Readonly<Record<KeyPlatform, KeyKind>> = {
  android: { texts: ['alias'], files: ['keystore'], passwords: ['key_pw', 'keystore_pw'], needsPasswords: false },
  ios: { texts: [], files: ['cert', 'profile'], passwords: ['password'], needsPasswords: false },
  winphone: { texts: ['publisher_id'], files: [], passwords: [], needsPasswords: false },
  windows: { texts: [], files: ['keystore'], passwords: ['password'], needsPasswords: true },
};

const ALL_PASSWORDS: readonly (keyof KeyPasswords)[] = ['key_pw', 'keystore_pw', 'password'];

/** Characters of a title, an alias, a publisher's ID or a password. */
const MAX_TEXT_LENGTH = 255;

/**
 * A text of a request, without white space around it; the empty string when it was not sent.
 *
 * @throws HttpError 400 for what is no text, and for one that is too long or has control characters
 */
export function keyText(fields: Fields, name: string): string {
  const text = shortText(fields, name).trim();
  if (/\p{Cc}/u.test(text)) {
    throw new HttpError(400, `The field ${name} holds control characters.`);
  }
  return text;
}

/**
 * The passwords of a request; those that were not sent are missing.
 *
 * @throws HttpError 400 for passwords that a key of this platform has not
 */
export function passwordFields(fields: Fields, platform: KeyPlatform): KeyPasswords {
  const sent = ALL_PASSWORDS.map((name) => [name, shortText(fields, name)] as const).filter(([, text]) => text !== '');
  const { passwords } = KEY_KINDS[platform];
  const wrong = sent.find(([name]) => !passwords.includes(name));
  if (wrong !== undefined) {
    throw new HttpError(
      400,
      passwords.length === 0
        ? `A key for ${platform} has no password.`
        : `A key for ${platform} is unlocked with ${passwords.join(' and ')}, not with ${wrong[0]}.`,
    );
  }
  return Object.fromEntries(sent);
}

/** Whether these are all the passwords of a key. */
export function unlocks(passwords: KeyPasswords, platform: KeyPlatform): boolean {
  const needed = KEY_KINDS[platform].passwords;
  return needed.length > 0 && needed.every((name) => passwords[name] !== undefined);
}

/** @throws HttpError 400 for what is no text, and for one that is too long */
function shortText(fields: Fields, name: string): string {
  const text = textField(fields, name) ?? '';
  if (text.length > MAX_TEXT_LENGTH) {
    throw new HttpError(400, `The field ${name} is longer than ${MAX_TEXT_LENGTH} characters.`);
  }
  return text;
}
