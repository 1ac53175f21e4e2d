/** Users, and the client applications that they register (contract, Client application registration). */
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../limits.ts';
import { timestamp, type Client, type User } from './model.ts';
import { createHexSecret, hashSecret, secretsEqual, verifyPassword } from './secrets.ts';
import type { Store } from './store.ts';

/** With one of them a name can look like another name. */
const UNSEEN_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}/gu;

/** Whether a name holds something that is not seen, or a space that looks like another one. */
export function hasUnseenCharacters(name: string): boolean {
  return escapeUnseenCharacters(name) !== name;
}

/** A name with `\\u{…}` in place of what is not seen, as it is shown to somebody who decides by it. */
export function escapeUnseenCharacters(name: string): string {
  return name.replace(UNSEEN_CHARACTERS, (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16) ?? ''}}`);
}

/** Whether a text may be an e-mail address. A colon would end the user name of basic authentication (RFC 7617 §2). */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && /^[^\s@:]+@[^\s@:]+$/.test(text) && !hasUnseenCharacters(text);
}

export function findUser(store: Store, id: number): User | undefined {
  return store.get('SELECT * FROM users WHERE id = ?', id) as User | undefined;
}

/** The user with this user name or e-mail address: people sign in with either. */
export function findUserByName(store: Store, name: string): User | undefined {
  return store.get('SELECT * FROM users WHERE username = ? OR email = ?', name, name) as User | undefined;
}

/** The user with this e-mail address, whatever the case of its letters. */
export function findUserByEmail(store: Store, email: string): User | undefined {
  return store.get('SELECT * FROM users WHERE email = ?', email) as User | undefined;
}

/** The user with this user name or e-mail address and this password. */
export async function findUserByPassword(store: Store, name: string, password: string): Promise<User | undefined> {
  const user = findUserByName(store, name);
  return (await verifyPassword(password, user?.password ?? null)) ? user : undefined;
}

/**
 * Gives a user another e-mail address.
 *
 * @returns false when another user can sign in with it, as an address or as a user name: it has to name one person
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

/** The fields of a client application that its developer fills in. */
export interface ClientRegistration {
  readonly name: string;
  readonly mainUrl: string;
  readonly callbackUrl: string;
}

/** A client and its secret, which is readable only when it is made. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string;
}

/** Schemes that a browser runs or reads locally instead of handing the answer to an application. */
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
 * Why a Callback Url cannot be registered; `undefined` when it can. Custom schemes are fine: native applications use
 * them (RFC 8252 §7.1). A fragment is not (RFC 6749 §3.1.2).
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

/** Why a client cannot be registered like this: the field of the form that is wrong, and a sentence; `undefined` when it can. */
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

export function findClient(store: Store, id: string): Client | undefined {
  return store.get('SELECT * FROM clients WHERE id = ?', id) as Client | undefined;
}

/** The clients that a user registered, the oldest first. */
export function findClientsOf(store: Store, ownerId: number): readonly Client[] {
  return store.all('SELECT * FROM clients WHERE ownerId = ? ORDER BY rowid', ownerId) as unknown as Client[];
}

/** The client with this ID and this secret. */
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

/** Gives a client another secret; the previous one is invalid from then on. */
export function resetClientSecret(store: Store, client: Client): ClientWithSecret {
  const secret = createHexSecret(20);
  store.transaction(() => {
    store.run('UPDATE clients SET secretHash = ? WHERE id = ?', hashSecret(secret), client.id);
    store.run('UPDATE service SET ownerClientSecret = ? WHERE ownerClientId = ?', secret, client.id);
  });
  return { client, secret };
}

/** Deletes a client with every permission that it was given. */
export function deleteClient(store: Store, id: string): void {
  store.run('DELETE FROM clients WHERE id = ?', id);
}
