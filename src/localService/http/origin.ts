import type { Context } from 'hono';

/** The one address at which the service listens. */
export const LOOPBACK_ADDRESS = '127.0.0.1';

export type Scheme = 'http' | 'https';

/** The origin of a service at a port of this machine (RFC 6454): the default port of the scheme is left out. */
export function originAt(scheme: Scheme, port: number): string {
  return new URL(`${scheme}://${LOOPBACK_ADDRESS}:${port}`).origin;
}

/** Tells whether a request came over TLS. */
export function isSecure(c: Context): boolean {
  return c.req.url.startsWith('https:');
}
