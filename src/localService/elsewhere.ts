import { connect } from 'node:net';

import { demoCredentials } from './store/demoData.ts';
import type { State } from './store/state.ts';

/** How long a process on the remembered port may take to answer, milliseconds. */
const patience = 2_000;

/**
 * The base URL of another process that serves the same data file; undefined when there is none. Two writers would
 * overwrite each other's changes. It is the same data when the token of the file is accepted there.
 */
export async function servedElsewhere(state: State): Promise<string | undefined> {
  if (state.port === null) {
    return undefined;
  }
  const baseUrl = `http://127.0.0.1:${state.port}`;
  const { authToken } = demoCredentials(state);
  try {
    const response = await fetch(`${baseUrl}/api/v1/me?auth_token=${encodeURIComponent(authToken)}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    await response.body?.cancel();
    return authToken !== '' && response.status === 200 ? baseUrl : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves when the process at `baseUrl` may have ended: the connection that watches it was closed. */
export function watch(baseUrl: string): { readonly closed: Promise<void>; stop(): void } {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.resume();
  const closed = new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  return { closed, stop: () => socket.destroy() };
}
