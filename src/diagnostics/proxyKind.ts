import type { Proxy } from '../api/http/transport.ts';

/** The kind of a proxy and whether a sign-in is set for it; neither its host nor the user. */
export function proxyKind({ url, authorization }: Proxy): string {
  const { protocol, username, password } = new URL(url);
  const hasSignIn = authorization !== undefined || username !== '' || password !== '';
  return `${protocol.slice(0, -1)} proxy, ${hasSignIn ? 'with' : 'without'} a sign-in`;
}
