/** Whether the other end of a connection is a program of the account that runs the service. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

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
