/** The people who work on an app besides its owner. All changes are to be made within a transaction. */
import { nextId, type Store } from './store.ts';
import type { Participant, Role } from './model.ts';
import { findUserByEmail } from './users.ts';

/**
 * Adds a person to those who work on an app; to those who were invited, when there is no account with this e-mail address.
 *
 * @returns `undefined` when they are there already
 */
export function addParticipant(
  store: Store,
  appId: number,
  email: string,
  role: Role,
): 'active' | 'pending' | undefined {
  const userId = findUserByEmail(store, email)?.id ?? null;
  const find = 'SELECT 1 FROM participants WHERE appId = ? AND ';
  const isThere =
    userId === null
      ? store.get(`${find} userId IS NULL AND person = ?`, appId, email)
      : store.get(`${find} userId = ?`, appId, userId);
  if (isThere !== undefined) {
    return undefined;
  }
  // They may have been invited before they had an account.
  store.run('DELETE FROM participants WHERE appId = ? AND userId IS NULL AND person = ?', appId, email);
  const person = userId === null ? email : null;
  store.insert('participants', { id: nextId(store, 'participants'), appId, userId, person, role });
  return userId === null ? 'pending' : 'active';
}

export function changeRole(store: Store, { id }: Participant, role: Role): void {
  store.run('UPDATE participants SET role = ? WHERE id = ?', role, id);
}

export function removeParticipant(store: Store, { id }: Participant): void {
  store.run('DELETE FROM participants WHERE id = ?', id);
}
