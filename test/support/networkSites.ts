/** Network listeners for the tests of devices/network/: on loopback, with real files. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import {
  listenInNetwork,
  type NetworkListener,
  type NetworkListenerOptions,
} from '../../src/extension/devices/network/networkListener.ts';
import type { FetchedPackage } from '../../src/extension/devices/fetchPackage.ts';
import { createZip } from './archives.ts';
import { repositoryRoot } from './repository.ts';

/** The file that pages get as cordova.js. */
export const CORDOVA_SCRIPT = join(repositoryRoot, 'src', 'android-package', 'shell', 'cordova.js');

/** Starts a listener on an address of this computer. */
export function listenForTest(
  options: Pick<NetworkListenerOptions, 'site'> & Partial<NetworkListenerOptions>,
): Promise<NetworkListener> {
  return listenInNetwork({
    address: '127.0.0.1',
    ...options,
  });
}

/** Sends these bytes unchanged. @returns all received data until the connection ends, as latin1 */
export async function sendRaw(listener: Pick<NetworkListener, 'url'>, bytes: string): Promise<string> {
  const { hostname, port } = new URL(listener.url);
  const socket = createConnection(Number(port), hostname);
  await once(socket, 'connect');
  socket.setEncoding('latin1');
  socket.write(bytes, 'latin1');
  return text(socket).catch(() => '');
}

/** Sends a GET request with this target unchanged. @returns the whole response */
export function getTarget(listener: Pick<NetworkListener, 'url'>, target: string, head = ''): Promise<string> {
  const { host } = new URL(listener.url);
  return sendRaw(listener, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${head}Connection: close\r\n\r\n`);
}

/** Returns the status code of a response. */
export function getStatus(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

/** Returns a downloaded package. It's deleted with its folder. */
export async function packageFileIn(folder: string, bytes: Buffer, name = 'Shop-1.2.0.apk'): Promise<FetchedPackage> {
  const file = join(folder, 'package', name);
  await mkdir(dirname(file));
  await writeFile(file, bytes);
  return { path: file, name, size: bytes.length, dispose: () => Promise.resolve() };
}

/**
 * Returns an Android package with these pages. @param shell settings of the built-in builder's shell. Undefined for a package of another
 * builder
 */
export function createPackage(pages: Readonly<Record<string, string>>, shell?: object): Buffer {
  return createZip([
    { name: 'AndroidManifest.xml', content: 'secret of the package' },
    ...(shell === undefined ? [] : [{ name: 'assets/shell.json', content: JSON.stringify(shell) }]),
    ...Object.entries(pages).map(([name, content]) => ({ name: `assets/www/${name}`, content })),
  ]);
}
