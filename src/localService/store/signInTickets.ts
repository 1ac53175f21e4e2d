/** Tickets: each signs one browser in as the owner, once, and leads on to one path. They are stored as hashes. */
import type { User } from './model.ts';
import { findOwner } from './owner.ts';
import { createHexSecret, hashSecret } from './secrets.ts';
import type { Store } from './store.ts';

/** Between being told to open a page and asking for it, a browser may have to start. */
const TICKET_LIFETIME_MS = 2 * 60_000;

/**
 * Makes a ticket. Those whose time is over are deleted.
 *
 * @param path of this service, on to which it leads: with another one it is no ticket
 * @param now milliseconds since the epoch
 */
export function createSignInTicket(store: Store, path: string, now: number): string {
  const ticket = createHexSecret(20);
  store.transaction(() => {
    store.run('DELETE FROM signInTickets WHERE expiresAt <= ?', now);
    store.insert('signInTickets', {
      hash: hashTicket(ticket, path),
      userId: findOwner(store).ownerId,
      expiresAt: now + TICKET_LIFETIME_MS,
    });
  });
  return ticket;
}

/**
 * Uses a ticket up. `now` in milliseconds since the epoch.
 *
 * @returns whom it signs in; `undefined` when it was made for another path, was used, or its time is over
 */
export function redeemSignInTicket(store: Store, ticket: string, path: string, now: number): User | undefined {
  const hash = hashTicket(ticket, path);
  return store.transaction(() => {
    const user = store.get(
      'SELECT users.* FROM signInTickets JOIN users ON users.id = userId WHERE hash = ? AND expiresAt > ?',
      hash,
      now,
    ) as User | undefined;
    store.run('DELETE FROM signInTickets WHERE hash = ?', hash);
    return user;
  });
}

function hashTicket(ticket: string, path: string): string {
  return hashSecret(`${ticket} ${path}`);
}
