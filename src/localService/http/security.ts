/** Keeps websites and other accounts out: the one address of the service, the check of the Host header and of the other end of a
 * connection, the security headers of every answer. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

import type { HttpBindings } from '@hono/node-server';
import type { Context, MiddlewareHandler } from 'hono';

import { SCRIPT_SOURCE } from '../pages/layout.ts';
import { HttpError } from './errors.ts';

/** The one address at which the service listens. */
export const LOOPBACK_ADDRESS = '127.0.0.1';

/** The origin of a service at a port of this machine (RFC 6454): the default port of the scheme is left out. */
export function originAt(scheme: 'http' | 'https', port: number): string {
  return new URL(`${scheme}://${LOOPBACK_ADDRESS}:${port}`).origin;
}

/** Whether a request came over TLS. */
export function isSecure(c: Context): boolean {
  return c.req.url.startsWith('https:');
}

const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Accepts only requests that name this machine's loopback with the port and the scheme of `origin`: a website that lets its
 * own name point to 127.0.0.1 (DNS rebinding) arrives with another Host. Others get 421 (RFC 9110 §15.5.20).
 */
export function allowOnlyLoopbackHosts(origin: string): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const { protocol, port } = new URL(origin);
  const hosts = LOOPBACK_NAMES.map((name) => (port === '' ? name : `${name}:${port}`));
  return async (c, next) => {
    // From Node's request: making the Headers of a web Request takes longer than everything else here.
    const { headers, url = '' } = c.env.incoming;
    const host = headers.host?.toLowerCase() ?? '';
    // A request may name an origin in its first line, too (RFC 9112 §3.2.2). Links in the answer follow it.
    if (!hosts.includes(host) || !(url.startsWith('/') || isAt(URL.parse(url), protocol, host))) {
      throw new HttpError(421, 'This service answers only as 127.0.0.1 and localhost, with its own port.');
    }
    await next();
  };
}

function isAt(url: URL | null, protocol: string, host: string): boolean {
  return url?.protocol === protocol && url.host === host;
}

/**
 * Content-Security-Policy of the consent page: no script, one stylesheet, the mark, no frames. It lacks `form-action`, which Chromium
 * applies to the redirect that follows a form too: the Callback Url may have any scheme, and redirect again.
 */
export const CONSENT_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/** The headers of every answer, whatever it is; the consent page replaces the Content-Security-Policy. There is never a CORS header. */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', `${CONSENT_PAGE_POLICY}; script-src ${SCRIPT_SOURCE}; form-action 'self'`],
];

/** Where Linux lists its TCP sockets (proc_net_tcp(5)). Those for IPv6 can reach 127.0.0.1, too. */
const TABLES: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6'];
/** 127.0.0.1, in the byte order of this computer. */
const LOOPBACK = endianness() === 'LE' ? '0100007F' : '7F000001';
const ESTABLISHED = '01';
const ROOT = 0;

/**
 * Whether a connection comes from a program of the account that runs the service, or of root, which forwards ports for WSL and
 * containers. Only Linux needs this check: there, every account can read the arguments of a browser, and so the address that it opens.
 */
export async function isOwnPeer({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  if (process.platform !== 'linux') {
    return true;
  }
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  return isOwnSocket(tables.join('\n'), { remotePort, localPort }, process.getuid?.() ?? ROOT);
}

/**
 * Whether the socket at the other end of a connection belongs to this user, or to root.
 *
 * @param table as Linux lists sockets, one per line, with the address, the other address, the state and, as the eighth word, the user ID;
 * empty where this account can't read it, as on Android
 */
export function isOwnSocket(
  table: string,
  { remotePort, localPort }: { readonly remotePort: number; readonly localPort: number },
  user: number,
): boolean {
  const [other, here] = [remotePort, localPort].map(
    (port) => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  ) as [string, string];
  const isOwn = (line: string): boolean => {
    const [, from = '', to = '', state, , , , owner] = line.trim().split(/\s+/);
    // Linux lists a socket that its program has closed as one of root.
    const isOpen = from.endsWith(other) && to.endsWith(here) && state === ESTABLISHED;
    return isOpen && (Number(owner) === user || Number(owner) === ROOT);
  };
  return table.trim() === '' || table.split('\n').some(isOwn);
}
