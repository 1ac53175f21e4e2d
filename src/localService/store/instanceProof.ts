import type { Store } from './store.ts';

/**
 * What only a process that serves this data at this origin answers to `challenge`: an HMAC under a key that never leaves the
 * data folder. It covers the origin, so that a program at another port cannot pass the challenge on.
 */
export function instanceProof(store: Store, origin: string, challenge: string): string {
  return store.sign('instance', `${origin} ${challenge}`);
}

/** Says where this process serves the data, for another one that starts with the same data. */
export function rememberAddress(store: Store, origin: string): void {
  store.run('UPDATE service SET address = ?', origin);
}

/** Where the data was served last, which may be over. */
export function lastAddress(store: Store): string | null | undefined {
  return store.get('SELECT address FROM service')?.address as string | null | undefined;
}
