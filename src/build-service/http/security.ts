/**
 * Protects the service from websites and from other users of this computer: it listens only on the loopback address,
 * checks the Host header and the peer, and adds security headers to every response.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

import type { Context } from 'hono';

import { SCRIPT_SOURCE } from '../pages/layout.ts';

/** The only address that the service listens on. */
export const LOOPBACK_ADDRESS = '127.0.0.1';

/** Returns the origin of a service on this computer (RFC 6454). Omits the scheme's default port. */
export function originAt(scheme: 'http' | 'https', port: number): string {
  return new URL(`${scheme}://${LOOPBACK_ADDRESS}:${port}`).origin;
}

/** Reports whether a request came over TLS. */
export function isSecure(c: Context): boolean {
  return c.req.url.startsWith('https:');
}

const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns the loopback names of this computer, with the port of `origin`. */
export function getLoopbackHosts(origin: string): ReadonlySet<string> {
  const { port } = new URL(origin);
  return new Set(LOOPBACK_NAMES.map((name) => (port === '' ? name : `${name}:${port}`)));
}

/**
 * Content-Security-Policy of the consent page. It allows only the stylesheet and the logo. It doesn't contain
 * `form-action`, because Chromium also applies it to redirects after a form is submitted, and a callback URL can have
 * any scheme and redirect again.
 */
export const CONSENT_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/**
 * Headers of every response. The consent page has a different Content-Security-Policy. The service never sends CORS
 * headers.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', `${CONSENT_PAGE_POLICY}; script-src ${SCRIPT_SOURCE}; form-action 'self'`],
];

/**
 * Linux's lists of TCP sockets (proc_net_tcp(5)). The second is included because IPv6 sockets can also connect to
 * 127.0.0.1.
 */
const TABLES: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6'];
/** 127.0.0.1 in hexadecimal, in this computer's byte order. */
const LOOPBACK = endianness() === 'LE' ? '0100007F' : '7F000001';
const ESTABLISHED = '01';
const ROOT = 0;

/**
 * Reports whether a connection comes from a program that the service's user runs, or that root runs to forward ports
 * for WSL and containers. Only Linux needs this check, because every user there can read a browser's arguments,
 * including the address that it opens.
 */
export async function isOwnPeer({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  if (process.platform !== 'linux') {
    return true;
  }
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  return isOwnSocket(tables.join('\n'), { remotePort, localPort }, process.getuid?.() ?? ROOT);
}

/**
 * Reports whether the socket at the other end of a connection belongs to this user or to root.
 *
 * @param table Linux's list of sockets. A line contains the address, the peer's address, the state, and, as the eighth
 * word, the user ID. Empty if this user can't read the list, as on Android.
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
    // After a program has closed its socket, Linux lists the socket as root's.
    const isOpen = from.endsWith(other) && to.endsWith(here) && state === ESTABLISHED;
    return isOpen && (Number(owner) === user || Number(owner) === ROOT);
  };
  return table.trim() === '' || table.split('\n').some(isOwn);
}
