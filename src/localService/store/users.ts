import { timestamp, type User } from './model.ts';
import { verifyPassword } from './secrets.ts';
import type { Store } from './store.ts';

export function findUser(store: Store, id: number): User | undefined {
  return store.get('SELECT * FROM users WHERE id = ?', id) as User | undefined;
}

/** The user with this user name or e-mail address: people sign in with either. */
export function findUserByName(store: Store, name: string): User | undefined {
  return store.get('SELECT * FROM users WHERE username = ? OR email = ?', name, name) as User | undefined;
}

/** The user with this e-mail address, whatever the case of its letters. */
export function findUserByEmail(store: Store, email: string): User | undefined {
  return store.get('SELECT * FROM users WHERE email = ? COLLATE NOCASE ORDER BY id', email) as User | undefined;
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
