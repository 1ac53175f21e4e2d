/**
 * Adds, unlocks, locks, edits, and deletes signing keys. The contract mentions keys but doesn't define their fields.
 */
import type { Context, Hono } from 'hono';

import { keyFacts, openKey } from '../builds/buildKeys.ts';
import type { Authenticated } from '../http/authentication.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { booleanField, lineField, textField } from '../http/fields.ts';
import { withReceivedRequest, type ReceivedRequest } from '../http/receivedRequest.ts';
import { MAX_NAME_LENGTH, MAX_SMALL_FILE_BYTES } from '../limits.ts';
import type { Service } from '../service.ts';
import {
  deleteKey,
  findKey,
  findKeys,
  insertKey,
  lockExpiredKeys,
  lockKey,
  renameKey,
  setDefaultKey,
  setKeyFacts,
  unlockKey,
} from '../store/keys.ts';
import {
  KEY_PASSWORDS,
  KEY_PLATFORMS,
  timestamp,
  type KeyFileField,
  type KeyPasswords,
  type KeyPlatform,
  type SigningKey,
} from '../store/model.ts';
import type { Store } from '../store/store.ts';
import { action, input, REQUIRED, type ActionField } from './appActions.ts';
import { storeFiles, removeFiles } from './appPackage.ts';

interface KeyKind {
  /** Text fields in addition to the title. */
  readonly texts: readonly ('alias' | 'publisher_id')[];
  readonly files: readonly KeyFileField[];
  /** Passwords that are required to unlock the key. */
  readonly passwords: readonly (keyof KeyPasswords)[];
  /** Whether the passwords are required to add a key. */
  readonly needsPasswords: boolean;
}

const KEY_KINDS: Readonly<Record<KeyPlatform, KeyKind>> = {
  android: { texts: ['alias'], files: ['keystore'], passwords: ['key_pw', 'keystore_pw'], needsPasswords: false },
  ios: { texts: [], files: ['cert', 'profile'], passwords: ['password'], needsPasswords: false },
  winphone: { texts: ['publisher_id'], files: [], passwords: [], needsPasswords: false },
  windows: { texts: [], files: ['keystore'], passwords: ['password'], needsPasswords: true },
};

/** Adds `/keys` and its subpaths. */
export function addKeyRoutes(api: Hono<Authenticated>, service: Service): void {
  const { store } = service;
  const getKeys = (c: Context<Authenticated>, platform: string): readonly SigningKey[] => {
    lockExpiredKeys(store);
    return findKeys(store, c.var.user.id, platform);
  };
  /** Returns the key in the path. @throws HttpError 404 if the key doesn't exist or belongs to another user */
  const requireKey = (c: Context<Authenticated, '/keys/:platform/:id'>): SigningKey => {
    const { platform, id } = c.req.param();
    const key = getKeys(c, platform).find((each) => String(each.id) === id);
    if (key === undefined) {
      throw notFound(`could not find ${platform} key #${id}`);
    }
    return key;
  };
  const answerKey = (c: Context, id: number, status: 200 | 201): Response => {
    const key = findKey(store, id);
    if (key === undefined) {
      throw notFound('The key has been deleted.');
    }
    return c.json(keyResource(key), status);
  };
  let lastFacts: Promise<void> = Promise.resolve();
  /**
   * Stores the facts that a key's files contain: expiration date, app ID, and certificate. Reading some of them may
   * require a password that isn't known.
   */
  const rememberFacts = (id: number): Promise<void> => {
    const readFacts = async (): Promise<void> => {
      const opened = openKey(service, id);
      if (opened !== undefined) {
        const { expiresAt, ...facts } = await keyFacts(opened);
        setKeyFacts(store, id, { expiresAt: expiresAt && timestamp(expiresAt), ...facts });
      }
    };
    // Read keys one at a time, because reading can start a process whose run time depends on the file.
    lastFacts = lastFacts.then(readFacts, readFacts);
    return lastFacts;
  };

  api.get('/keys', (c) => {
    lockExpiredKeys(store);
    return c.json({ keys: keysByPlatform(store, c.var.user.id, keyDetails), link: '/api/v1/keys' });
  });

  api.get('/keys/:platform', (c) => {
    const platform = requireKeyPlatform(c.req.param('platform'));
    return c.json(platformKeysResource(platform, getKeys(c, platform)));
  });

  api.post('/keys/:platform', (c) => {
    const platform = requireKeyPlatform(c.req.param('platform'));
    return withReceivedRequest(c, service, async (request) => {
      const { passwords, files, ...values } = readKey(request, platform);
      const paths = files.map(({ path }) => path);
      const id = await storeFiles(service, paths, (names) =>
        store.transaction(() => {
          const remaining = Object.fromEntries(KEY_KINDS[platform].files.map((name, index) => [name, names[index]]));
          const created = insertKey(store, { ...values, ownerId: c.var.user.id, platform, files: remaining });
          if (unlocks(passwords, platform)) {
            unlockKey(store, created, passwords);
          }
          return created;
        }),
      );
      await rememberFacts(id);
      return answerKey(c, id, 201);
    });
  });

  api.get('/keys/:platform/:id', (c) => c.json(keyResource(requireKey(c))));

  api.put('/keys/:platform/:id', (c) => {
    requireKey(c);
    return withReceivedRequest(c, service, async ({ fields }) => {
      // Read the key again, because it may have been deleted since the request began.
      const key = requireKey(c);
      const change = readChange(fields, key.platform);
      store.transaction(() => {
        if (change.title !== '') {
          renameKey(store, key.id, change.title);
        }
        if (change.isDefault !== undefined) {
          setDefaultKey(store, key, change.isDefault);
        }
        if (change.lock === true) {
          lockKey(store, key.id);
        } else if (unlocks(change.passwords, key.platform)) {
          unlockKey(store, key.id, change.passwords);
        }
      });
      if (unlocks(change.passwords, key.platform)) {
        await rememberFacts(key.id);
      }
      return answerKey(c, key.id, 200);
    });
  });

  api.delete('/keys/:platform/:id', async (c) => {
    const key = requireKey(c);
    deleteKey(store, key.id);
    await removeFiles(service, Object.values(key.files));
    return c.json({ success: `${key.platform} key ${key.id} deleted` }, 202);
  });
}

/**
 * Returns a platform of signing keys.
 *
 * @throws HttpError 404 for an unknown platform
 */
function requireKeyPlatform(name: string): KeyPlatform {
  const platform = KEY_PLATFORMS.find((each) => each === name);
  if (platform === undefined) {
    throw notFound(`no keys for the platform ${name}`);
  }
  return platform;
}

/**
 * Returns the passwords in a request. Omits missing ones.
 *
 * @throws HttpError 400 for a password that keys of this platform don't have
 */
function readPasswords(fields: ReceivedRequest['fields'], platform: KeyPlatform): KeyPasswords {
  const { passwords } = KEY_KINDS[platform];
  const sent = KEY_PASSWORDS.map((name) => [name, textField(fields, name, MAX_NAME_LENGTH) ?? ''] as const);
  const given = sent.filter(([, text]) => text !== '');
  const wrong = given.find(([name]) => !passwords.includes(name));
  if (wrong !== undefined) {
    throw new HttpError(
      400,
      passwords.length === 0
        ? `A key for ${platform} doesn’t have a password.`
        : `Unlock a key for ${platform} with ${passwords.join(' and ')}, not with ${wrong[0]}.`,
    );
  }
  return Object.fromEntries(given);
}

/** Reports whether the passwords are sufficient to unlock a key. */
function unlocks(passwords: KeyPasswords, platform: KeyPlatform): boolean {
  const needed = KEY_KINDS[platform].passwords;
  return needed.length > 0 && needed.every((name) => passwords[name] !== undefined);
}

/**
 * Reads a new key and its files. The platform defines the order of the files.
 *
 * @throws HttpError 400 for missing or invalid fields, 413 if a file is too large
 */
function readKey({ fields, files }: ReceivedRequest, platform: KeyPlatform) {
  const kind = KEY_KINDS[platform];
  const passwords = readPasswords(fields, platform);
  const texts = Object.fromEntries(['title', ...kind.texts].map((name) => [name, lineField(fields, name)]));
  const sent = kind.files.map((name) => files[name]).filter((file) => file !== undefined);
  const missing = [
    ...Object.keys(texts).filter((name) => texts[name] === ''),
    ...kind.files.filter((name) => files[name] === undefined),
    ...(kind.needsPasswords ? kind.passwords.filter((name) => passwords[name] === undefined) : []),
  ];
  if (missing.length > 0) {
    throw new HttpError(400, `A key for ${platform} requires ${missing.join(', ')}.`);
  }
  const large = kind.files.find((name) => (files[name]?.size ?? 0) > MAX_SMALL_FILE_BYTES);
  if (large !== undefined) {
    throw new HttpError(413, `The file ${large} is larger than ${MAX_SMALL_FILE_BYTES} bytes.`);
  }
  return {
    title: texts.title ?? '',
    alias: texts.alias ?? null,
    publisherId: texts.publisher_id ?? null,
    isDefault: booleanField(fields, 'default'),
    passwords,
    files: sent,
  };
}

/**
 * Reads the changes to a key. Ignores an empty title.
 *
 * @throws HttpError 400 if a password is missing or unexpected, if the fields contradict each other, or if nothing
 * changes
 */
function readChange(fields: ReceivedRequest['fields'], platform: KeyPlatform) {
  const needed = KEY_KINDS[platform].passwords;
  const passwords = readPasswords(fields, platform);
  const missing = needed.filter((name) => passwords[name] === undefined);
  const lock = booleanField(fields, 'lock');
  const change = { title: lineField(fields, 'title'), isDefault: booleanField(fields, 'default'), lock, passwords };
  const sendsPasswords = Object.keys(passwords).length > 0;
  if (sendsPasswords && missing.length > 0) {
    const all = needed.join(' and ');
    throw new HttpError(400, `Unlock a key for ${platform} with ${all}. ${missing.join()} is missing.`);
  }
  if (lock === true && sendsPasswords) {
    throw new HttpError(400, 'Send either lock or passwords.');
  }
  if (lock === true && needed.length === 0) {
    throw new HttpError(400, `A key for ${platform} doesn’t have a password and is never locked.`);
  }
  if (!sendsPasswords && lock === undefined && change.title === '' && change.isDefault === undefined) {
    const unlocking = needed.length === 0 ? '' : `${needed.join(' and ')} to unlock it, lock, `;
    throw new HttpError(400, `Nothing to change: send ${unlocking}title or default.`);
  }
  return change;
}

const FIELD_TITLES: Readonly<Record<string, string>> = {
  alias: 'Keystore alias',
  publisher_id: 'Publisher ID',
  keystore: 'Keystore file',
  cert: 'Certificate with its private key (.p12)',
  profile: 'Provisioning profile (.mobileprovision)',
  key_pw: 'Key password',
  keystore_pw: 'Keystore password',
  password: 'Password',
};

/** Returns `{link, <platform>: {link, all}}`, as in the user resource. */
export function keysByPlatform(store: Store, userId: number, show = keySummary): object {
  const entries = KEY_PLATFORMS.map((platform): [string, object] => [
    platform,
    { link: keysLink(platform), all: findKeys(store, userId, platform).map(show) },
  ]);
  return { link: '/api/v1/keys', ...Object.fromEntries<object>(entries) };
}

/** Returns the keys of one platform, and the operation that adds one. */
function platformKeysResource(platform: KeyPlatform, keys: readonly SigningKey[]): object {
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

/** Returns one key with its operations. */
function keyResource(key: SigningKey): object {
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

/** Returns the short form of a key, for use in other resources. */
export function keySummary(key: SigningKey): object {
  return { id: key.id, default: key.default, title: key.title, link: `${keysLink(key.platform)}/${key.id}` };
}

/** Returns a key with all its fields. */
function keyDetails(key: SigningKey): object {
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
    ...key.fingerprints,
  };
}

function field(type: ActionField['type'], name: string, required = true): ActionField {
  return input(type, name, FIELD_TITLES[name] ?? name, required ? REQUIRED : {});
}

const TITLE = input('text', 'title', 'Title', REQUIRED);

function keysLink(platform: KeyPlatform): string {
  return `/api/v1/keys/${platform}`;
}
