/** The people who work on an app besides its owner. All changes are to be made within a transaction. */
import { nextId, type Store } from './store.ts';
import type { App, Role } from './model.ts';
import { findUser, findUserByEmail } from './users.ts';

/** A person who works on an app, or was invited to. */
export interface Participant {
  readonly id: number;
  /** E-mail address. */
  readonly person: string;
  readonly role: Role;
  /** `undefined`: there is no account with this address. */
  readonly userId: number | undefined;
}

/** All who work on an app, and all who were invited to. */
export function findParticipants(store: Store, app: App): readonly Participant[] {
  const active = app.collaborators.map(({ id, userId, role }) => ({
    id,
    person: findUser(store, userId)?.email ?? '',
    role,
    userId,
  }));
  return [...active, ...app.pending.map((pending) => ({ ...pending, userId: undefined }))];
}

/** One participant. `id` as in a path. */
export function findParticipant(store: Store, app: App, id: string): Participant | undefined {
  return findParticipants(store, app).find((each) => String(each.id) === id);
}

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
  const user = findUserByEmail(store, email);
  const isPending =
    store.get('SELECT 1 FROM pendingCollaborators WHERE appId = ? AND person = ? COLLATE NOCASE', appId, email) !==
    undefined;
  if (user === undefined) {
    if (isPending) {
      return undefined;
    }
    store.insert('pendingCollaborators', { appId, id: nextId(store, 'collaborators'), person: email, role });
    return 'pending';
  }
  if (store.get('SELECT 1 FROM collaborators WHERE appId = ? AND userId = ?', appId, user.id) !== undefined) {
    return undefined;
  }
  // They were invited before they had an account.
  store.run('DELETE FROM pendingCollaborators WHERE appId = ? AND person = ? COLLATE NOCASE', appId, email);
  store.insert('collaborators', { appId, id: nextId(store, 'collaborators'), userId: user.id, role });
  return 'active';
}

export function changeRole(store: Store, app: App, participant: Participant, role: Role): void {
  for (const table of TABLES) {
    store.run(`UPDATE ${table} SET role = ? WHERE appId = ? AND id = ?`, role, app.id, participant.id);
  }
}

export function removeParticipant(store: Store, app: App, participant: Participant): void {
  for (const table of TABLES) {
    store.run(`DELETE FROM ${table} WHERE appId = ? AND id = ?`, app.id, participant.id);
  }
}

/** An ID is that of one row in one of them. */
const TABLES = ['collaborators', 'pendingCollaborators'] as const;
