/**
 * Signing keys in requests and answers, with their operations. The contract names keys and leaves their fields open.
 */
import { HttpError } from '../http/errors.ts';
import { textField } from '../http/fields.ts';
import type { ReceivedRequest } from '../http/receivedRequest.ts';
import { MAX_NAME_LENGTH } from '../limits.ts';
import { findKeys } from '../store/keys.ts';
import {
  KEY_PASSWORDS,
  KEY_PLATFORMS,
  type KeyFile,
  type KeyPasswords,
  type KeyPlatform,
  type SigningKey,
} from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { action, type Action, type ActionField } from './appActions.ts';

type Fields = ReceivedRequest['fields'];

interface KeyKind {
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
  const sent = KEY_PASSWORDS.map((name) => [name, shortText(fields, name)] as const).filter(([, text]) => text !== '');
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
  if (text.length > MAX_NAME_LENGTH) {
    throw new HttpError(400, `The field ${name} is longer than ${MAX_NAME_LENGTH} characters.`);
  }
  return text;
}

const FIELD_TITLES: Readonly<Record<string, string>> = {
  alias: 'Alias in the keystore',
  publisher_id: 'ID of the publisher',
  keystore: 'Keystore file',
  cert: 'Certificate with its private key (.p12)',
  profile: 'Provisioning profile (.mobileprovision)',
  key_pw: 'Password of the key',
  keystore_pw: 'Password of the keystore',
  password: 'Password',
};

/** `{link, <platform>: {link, all}}`, as in the user resource. */
export function keysByPlatform(store: Store, userId: number, show = keySummary): object {
  const entries = KEY_PLATFORMS.map((platform): [string, object] => [
    platform,
    { link: keysLink(platform), all: findKeys(store, userId, platform).map(show) },
  ]);
  return { link: '/api/v1/keys', ...Object.fromEntries<object>(entries) };
}

/** The keys of one platform, and how to add one. */
export function platformKeysResource(platform: KeyPlatform, keys: readonly SigningKey[]): object {
  return { keys: keys.map(keyDetails), link: keysLink(platform), actions: [addAction(platform)] };
}

/** One key, and the operations on it. */
export function keyResource(key: SigningKey): object {
  return { ...keyDetails(key), actions: keyActions(key) };
}

/** A key as other resources show it. */
export function keySummary(key: SigningKey): object {
  return { id: key.id, default: key.default, title: key.title, link: `${keysLink(key.platform)}/${key.id}` };
}

/** A key with all its fields. */
export function keyDetails(key: SigningKey): object {
  return {
    ...keySummary(key),
    platform: key.platform,
    locked: key.locked,
    created_at: key.createdAt,
    last_used: key.lastUsedAt,
    ...(key.alias !== null && { alias: key.alias }),
    ...(key.publisherId !== null && { publisher_id: key.publisherId }),
    ...(key.expiresAt !== null && { expires_at: key.expiresAt }),
    ...(key.appId !== null && { app_id: key.appId }),
  };
}

function addAction(platform: KeyPlatform): Action {
  const { texts, files, passwords, needsPasswords } = KEY_KINDS[platform];
  return action('POST', keysLink(platform), 'add', `Add a key for ${platform}`, [
    TITLE,
    ...texts.map((name) => field(name, 'text')),
    ...files.map((name) => field(name, 'file')),
    ...passwords.map((name) => field(name, 'password', needsPasswords)),
  ]);
}

function keyActions(key: SigningKey): readonly Action[] {
  const href = `${keysLink(key.platform)}/${key.id}`;
  const { passwords } = KEY_KINDS[key.platform];
  const yes = (name: string, title: string): ActionField => ({ name, title, type: 'hidden', value: 'true' });
  const passwordFields = passwords.map((name) => field(name, 'password'));
  return [
    ...(key.locked ? [action('PUT', href, 'unlock', 'Unlock for an hour', passwordFields)] : []),
    ...(!key.locked && passwords.length > 0 ? [action('PUT', href, 'lock', 'Lock', [yes('lock', 'Lock')])] : []),
    action('PUT', href, 'edit', 'Change the title', [{ ...TITLE, value: key.title }]),
    ...(key.default
      ? []
      : [action('PUT', href, 'make-default', 'Use for every app without a key', [yes('default', 'Default')])]),
    action('DELETE', href, 'delete', 'Delete'),
  ];
}

function field(name: string, type: ActionField['type'], required = true): ActionField {
  return { name, title: FIELD_TITLES[name] ?? name, type, ...(required && { required }) };
}

const TITLE: ActionField = { name: 'title', title: 'Title', type: 'text', required: true };

function keysLink(platform: KeyPlatform): string {
  return `/api/v1/keys/${platform}`;
}
