/** Users. */
import { MAX_NAME_LENGTH } from '../limits.ts';
import { timestamp, type User } from './model.ts';
import { verifyPassword } from './secrets.ts';
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
