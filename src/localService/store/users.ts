import { timestamp, type User } from './model.ts';
import { verifyPassword } from './secrets.ts';
import type { Store } from './store.ts';

export function findUser(store: Store, id: number | undefined): User | undefined {
  return store.state.users.find((user) => user.id === id);
}

/** The user with this user name or e-mail address: people sign in with either. */
export function findUserByName(store: Store, name: string): User | undefined {
  return store.state.users.find(({ username, email }) => username === name || email === name);
}

/** The user with this user name or e-mail address and this password. */
export async function findUserByPassword(store: Store, name: string, password: string): Promise<User | undefined> {
  const user = findUserByName(store, name);
  return (await verifyPassword(password, user?.password ?? null)) ? user : undefined;
}

export function changeEmail(store: Store, userId: number, email: string): Promise<void> {
  return store.replace((state) => ({
    ...state,
    users: state.users.map((user) => (user.id === userId ? { ...user, email, updatedAt: timestamp() } : user)),
  }));
}

/** Tells whether another user can sign in with this user name or e-mail address: it has to name one person. */
export function isNameTaken(store: Store, userId: number, name: string): boolean {
  return store.state.users.some(({ id, username, email }) => id !== userId && (email === name || username === name));
}
