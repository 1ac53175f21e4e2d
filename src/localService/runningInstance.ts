/** Another process that serves the same data. */
import { connect } from 'node:net';

import { getDemoCredentials } from './store/demoCredentials.ts';
import type { Store } from './store/store.ts';

/** For a process on the remembered port to answer. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * The base URL of another process that serves the same data; `undefined` when there is none. Two writers would overwrite
 * each other's changes. It serves the same data when it accepts the demo user's token.
 */
export async function findRunningInstance(store: Store): Promise<string | undefined> {
  const { lastPort } = store;
  if (lastPort === null) {
    return undefined;
  }
  const baseUrl = `http://127.0.0.1:${lastPort}`;
  const { authToken } = getDemoCredentials(store);
  try {
    const response = await fetch(`${baseUrl}/api/v1/me?auth_token=${encodeURIComponent(authToken)}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return authToken !== '' && response.status === 200 ? baseUrl : undefined;
  } catch {
    return undefined;
  }
}

/** Watches the process at `baseUrl` by a connection to it. `closed` resolves when the process may have ended. */
export function watchInstance(baseUrl: string): { readonly closed: Promise<void>; stop(): void } {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.resume();
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  return { closed, stop: () => socket.destroy() };
}
