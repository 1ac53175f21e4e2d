/** Stores users and the client applications that they register (contract, Client application registration). */
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../limits.ts';
import { timestamp, type Client, type User } from './model.ts';
import { createHexSecret, hashSecret, secretsEqual, verifyPassword } from './secrets.ts';
import type { Store } from './store.ts';

/** Matches characters that can make a name look like another name. */
const UNSEEN_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}/gu;

/** Reports whether a name contains an invisible character or a space other than the usual one. */
function hasUnseenCharacters(name: string): boolean {
  return escapeUnseenCharacters(name) !== name;
}

/** Replaces invisible characters with `\u{…}`, so that the user can see them before deciding. */
export function escapeUnseenCharacters(name: string): string {
  return name.replace(UNSEEN_CHARACTERS, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16) ?? ''}}`);
}

/** Reports whether a string can be an email address. Rejects colons, which would end the user name in basic authentication (RFC 7617 §2). */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && /^[^\s@:]+@[^\s@:]+$/.test(text) && !hasUnseenCharacters(text);
}

/** Returns the user with this ID. */
export function findUser(store: Store, id: number): User | undefined {
  return store.get('SELECT * FROM users WHERE id = ?', id) as User | undefined;
}

/** Returns the user with this user name or email address. Users can sign in with either. */
export function findUserByName(store: Store, name: string): User | undefined {
  return store.get('SELECT * FROM users WHERE username = ? OR email = ?', name, name) as User | undefined;
}

/** Returns the user with this email address. Ignores case. */
export function findUserByEmail(store: Store, email: string): User | undefined {
  return store.get('SELECT * FROM users WHERE email = ?', email) as User | undefined;
}

/** Returns the user with this user name or email address, if the password is correct. */
export async function findUserByPassword(store: Store, name: string, password: string): Promise<User | undefined> {
  const user = findUserByName(store, name);
  return (await verifyPassword(password, user?.password ?? null)) ? user : undefined;
}

/**
 * Changes a user's email address.
 *
 * @returns false if the address is already another user's email address or user name, because an address must identify
 * a single user
 */
export function changeEmail(store: Store, userId: number, email: string): boolean {
  return store.transaction(() => {
    const isTaken = store.get(
      'SELECT 1 FROM users WHERE id <> ? AND (email = ? OR username = ?)',
      userId,
      email,
      email,
    );
    if (isTaken !== undefined) {
      return false;
    }
    store.run('UPDATE users SET email = ?, updatedAt = ? WHERE id = ?', email, timestamp(), userId);
    return true;
  });
}

/** Fields that a developer fills in to register a client application. */
export interface ClientRegistration {
  readonly name: string;
  readonly mainUrl: string;
  readonly callbackUrl: string;
}

/** A client and its secret, which can be read only when it's created. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string;
}

/** Schemes of URLs that a browser opens itself instead of passing them to an application. */
const REFUSED_CALLBACK_SCHEMES: readonly string[] = [
  'javascript:',
  'data:',
  'file:',
  'vbscript:',
  'blob:',
  'about:',
  'view-source:',
  'filesystem:',
];

/**
 * Returns the reason why a callback URL can't be registered, or `undefined` if it can. Allows custom schemes, because
 * native applications use them (RFC 8252 §7.1), but not fragments (RFC 6749 §3.1.2).
 */
export function validateCallbackUrl(callbackUrl: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(callbackUrl) || !URL.canParse(callbackUrl)) {
    return 'The callback URL must be an absolute URL without spaces.';
  }
  const { protocol, username, password } = new URL(callbackUrl);
  if (REFUSED_CALLBACK_SCHEMES.includes(protocol)) {
    return `The callback URL must not start with “${protocol}”.`;
  }
  if (username !== '' || password !== '') {
    return 'The callback URL must not contain a user name or a password.';
  }
  return callbackUrl.includes('#') ? 'The callback URL must not contain a fragment (#).' : undefined;
}

/** Returns the first invalid field of a registration and a message, or `undefined` if the registration is valid. */
export function validateRegistration({
  name,
  mainUrl,
  callbackUrl,
}: ClientRegistration): { readonly field: string; readonly text: string } | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    return { field: 'name', text: `Enter a name of at most ${MAX_NAME_LENGTH} characters.` };
  }
  if (hasUnseenCharacters(name)) {
    return { field: 'name', text: 'The name contains invisible characters. Type it again.' };
  }
  const { protocol = '', username = '', password = '' } = URL.parse(mainUrl) ?? {};
  if (!/^https?:$/.test(protocol) || hasUnseenCharacters(mainUrl) || username !== '' || password !== '') {
    const text =
      'The main application URL must start with http:// or https:// and must not contain a user name or invisible characters.';
    return { field: 'main-url', text };
  }
  if (mainUrl.length > MAX_TEXT_LENGTH || callbackUrl.length > MAX_TEXT_LENGTH) {
    const field = mainUrl.length > MAX_TEXT_LENGTH ? 'main-url' : 'callback-url';
    return { field, text: `Enter a URL of at most ${MAX_TEXT_LENGTH} characters.` };
  }
  const text = validateCallbackUrl(callbackUrl);
  return text === undefined ? undefined : { field: 'callback-url', text };
}

/** Returns the client with this ID. */
export function findClient(store: Store, id: string): Client | undefined {
  return store.get('SELECT * FROM clients WHERE id = ?', id) as Client | undefined;
}

/** Returns the clients that a user registered, oldest first. */
export function findUserClients(store: Store, ownerId: number): readonly Client[] {
  return store.all('SELECT * FROM clients WHERE ownerId = ? ORDER BY rowid', ownerId) as unknown as Client[];
}

/** Returns the client with this ID, if the secret is correct. */
export function findClientBySecret(store: Store, id: string, secret: string): Client | undefined {
  const client = findClient(store, id);
  return client !== undefined && secretsEqual(client.secretHash, hashSecret(secret)) ? client : undefined;
}

/** Registers a client. The registration must have passed {@link validateRegistration}. */
export function registerClient(store: Store, ownerId: number, registration: ClientRegistration): ClientWithSecret {
  const { name, mainUrl, callbackUrl } = registration;
  const secret = createHexSecret(20);
  const secretHash = hashSecret(secret);
  const client = { id: createHexSecret(10), ownerId, name, mainUrl, callbackUrl, secretHash, createdAt: timestamp() };
  store.insert('clients', client);
  return { client, secret };
}

/** Changes a client. The registration must have passed {@link validateRegistration}. */
export function editClient(store: Store, id: string, { name, mainUrl, callbackUrl }: ClientRegistration): void {
  store.update('clients', { name, mainUrl, callbackUrl }, 'id = ?', id);
}

/** Replaces a client's secret. The previous one becomes invalid. */
export function resetClientSecret(store: Store, client: Client): ClientWithSecret {
  const secret = createHexSecret(20);
  store.transaction(() => {
    store.run('UPDATE clients SET secretHash = ? WHERE id = ?', hashSecret(secret), client.id);
    store.run('UPDATE service SET ownerClientSecret = ? WHERE ownerClientId = ?', secret, client.id);
  });
  return { client, secret };
}

/** Deletes a client and all permissions granted to it. */
export function deleteClient(store: Store, id: string): void {
  store.run('DELETE FROM clients WHERE id = ?', id);
}
