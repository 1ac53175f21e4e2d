import type { Store } from './store.ts';

/**
 * What only a process that serves this data at this origin answers to `challenge`: an HMAC under a key that never leaves the
 * data folder. It covers the origin, so that a program at another port cannot pass the challenge on.
 */
export function instanceProof(store: Store, origin: string, challenge: string): string {
  return store.sign('instance', `${origin} ${challenge}`);
}
