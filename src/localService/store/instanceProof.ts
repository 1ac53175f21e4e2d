import type { Store } from './store.ts';

/** The one address at which the service listens. */
export const LOOPBACK_ADDRESS = '127.0.0.1';

/**
 * What only a process that serves this data at this port answers to `challenge`: an HMAC under a key that never leaves the
 * data folder. It covers the address, so that a program at another port cannot pass the challenge on.
 */
export function instanceProof(store: Store, port: number, challenge: string): string {
  return store.sign('instance', `${LOOPBACK_ADDRESS}:${port} ${challenge}`);
}
