import { posix } from 'node:path';
import type { URI } from 'vscode-uri';
import { withoutQuery } from '../config-xml/index.ts';

/**
 * Joins two paths. As everywhere in this module, paths are relative to a folder and use `/`, and the folder itself is
 * the empty path.
 */
export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Joins a folder and a path that may lead out of it, such as `../../dist` in a monorepo. */
export function resolvePath(folder: string, path: string): string {
  const joined = posix.join(folder, path);
  return joined === '.' ? '' : joined;
}

/** Reports whether a path is in a folder, directly or not. Every path is in the top folder. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Returns the folder that contains a path. */
export function folderAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Compares objects by path. For use in sorting. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

/** Returns the URI of a path in a folder. */
export function joinUri(uri: URI, path: string): URI {
  return path === '' ? uri : uri.with({ path: posix.join(uri.path, path) });
}

/** Returns the name of a folder. */
export function baseName(uri: URI): string {
  return uri.path.split('/').findLast((segment) => segment !== '') ?? '/';
}

/** Origin that serves the pages of an app. */
const ORIGIN = 'https://localhost';

/** Matches scripts that services add to an app. */
const SERVICE_SCRIPT = /(?:^|\/)(?:cordova|cordova_plugins|phonegap|capacitor)\.js$/;

/**
 * Resolves a reference in a page to an address. Returns undefined if the reference is invalid.
 *
 * @param base the `href` of the page's `<base>` element
 * @param pagePath the path of the page, relative to the pages folder
 */
export function addressInPage(href: string, base: string | undefined, pagePath = 'index.html'): URL | undefined {
  const page = `${ORIGIN}/${pagePath.split('/').map(encodeURIComponent).join('/')}`;
  const seenFrom = base === undefined ? undefined : URL.parse(base, page)?.href;
  return URL.parse(href, seenFrom ?? page) ?? undefined;
}

/** Returns the path of an address relative to the pages folder, or undefined if the address is outside the app. */
export function toPagePath(address: URL | undefined): string | undefined {
  if (address?.origin !== ORIGIN) {
    return undefined;
  }
  const path = address.pathname.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Reports whether a reference has a scheme or a host. */
export function leavesApp(address: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address);
}

/**
 * Reports whether a service adds this script to an app, such as cordova.js.
 *
 * @param address the address or path of a script
 */
export function isServiceScript(address: string): boolean {
  return SERVICE_SCRIPT.test(withoutQuery(address));
}
