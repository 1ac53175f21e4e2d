/** Whether the other end of a connection is a program of the account that runs the service. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The TCP sockets of this machine, as Linux lists them (proc_net_tcp(5)). A socket for IPv6 may reach an IPv4 address, too. */
const TABLES: readonly string[] = ['/proc/net/tcp', '/proc/net/tcp6'];
/** 127.0.0.1. */
const LOOPBACK = '0100007F';
const ESTABLISHED = '01';
const ROOT = 0;

/**
 * Whether a connection comes from a program of the account that runs the service, or of root. Only Linux is asked: there every
 * account can read the arguments of a browser, and with them what it was told to open.
 */
export async function isOwnPeer({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  if (process.platform !== 'linux') {
    return true;
  }
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  const [own = ROOT] = [process.getuid?.()];
  // Where Linux tells of no sockets, it tells of no arguments either.
  return tables[0] === '' || isOwnSocket(tables.join('\n'), { remotePort, localPort }, own);
}

/**
 * Whether the socket at the other end of a connection is one of this user, or of root.
 *
 * @param table as Linux lists sockets: a line each, with address, other address, state and, as the eighth word, user ID
 */
export function isOwnSocket(
  table: string,
  { remotePort, localPort }: { readonly remotePort: number; readonly localPort: number },
  user: number,
): boolean {
  const [other, here] = [remotePort, localPort].map(
    (port) => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`,
  ) as [string, string];
  return table.split('\n').some((line) => {
    const [, from = '', to = '', state, , , , owner] = line.trim().split(/\s+/);
    // A socket that its program has closed is listed as root's.
    const isOpen = from.endsWith(other) && to.endsWith(here) && state === ESTABLISHED;
    return isOpen && (Number(owner) === user || Number(owner) === ROOT);
  });
}
