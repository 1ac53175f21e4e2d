/**
 * Signing keys in answers, with their operations. The contract names keys and leaves their fields open.
 */
import { findKeys } from '../store/keys.ts';
import { KEY_PLATFORMS, type KeyFile, type KeyPasswords, type KeyPlatform, type SigningKey } from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { action, input, REQUIRED, type ActionField } from './appActions.ts';

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
  const { texts, files, passwords, needsPasswords } = KEY_KINDS[platform];
  const link = keysLink(platform);
  const add = action('POST', link, 'add', `Add a key for ${platform}`, [
    TITLE,
    ...texts.map((name) => field('text', name)),
    ...files.map((name) => field('file', name)),
    ...passwords.map((name) => field('password', name, needsPasswords)),
  ]);
  return { keys: keys.map(keyDetails), link, actions: [add] };
}

/** One key, and the operations on it. */
export function keyResource(key: SigningKey): object {
  const href = `${keysLink(key.platform)}/${key.id}`;
  const { passwords } = KEY_KINDS[key.platform];
  const yes = (name: string, title: string): ActionField => input('hidden', name, title, { value: 'true' });
  const unlocking = passwords.map((name) => field('password', name));
  const defaults = [yes('default', 'Default')];
  const actions = [
    ...(key.locked ? [action('PUT', href, 'unlock', 'Unlock for an hour', unlocking)] : []),
    ...(!key.locked && passwords.length > 0 ? [action('PUT', href, 'lock', 'Lock', [yes('lock', 'Lock')])] : []),
    action('PUT', href, 'edit', 'Change the title', [{ ...TITLE, value: key.title }]),
    ...(key.default ? [] : [action('PUT', href, 'make-default', 'Use for every app without a key', defaults)]),
    action('DELETE', href, 'delete', 'Delete'),
  ];
  return { ...keyDetails(key), actions };
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

function field(type: ActionField['type'], name: string, required = true): ActionField {
  return input(type, name, FIELD_TITLES[name] ?? name, required ? REQUIRED : {});
}

const TITLE = input('text', 'title', 'Title', REQUIRED);

function keysLink(platform: KeyPlatform): string {
  return `/api/v1/keys/${platform}`;
}
