import type * as vscode from 'vscode';
import { withoutQuery } from '../configXml/widget.ts';

/** Paths below a folder, with `/`; the folder itself is the empty path. */

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Whether a path is in a folder; every path is in the top folder. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** The folder that a path is in. */
export function folderAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Compares what has a path, for sorting. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}

export function uriBelow(uri: vscode.Uri, path: string): vscode.Uri {
  return path === '' ? uri : uri.with({ path: `${uri.path.replace(/\/$/, '')}/${path}` });
}

/** Name of a folder. */
export function baseName(uri: vscode.Uri): string {
  return uri.path.split('/').findLast((segment) => segment !== '') ?? '/';
}

/** Where the pages of an app are served. */
const ORIGIN = 'https://localhost';

/** Scripts that a service puts into an app. */
const SERVICE_SCRIPT = /(?:^|\/)(?:cordova|cordova_plugins|phonegap|capacitor)\.js$/;

/** The address that a reference in a page leads to. @returns undefined if it isn't valid */
export function addressInPage(href: string, base: string | undefined, pagePath = 'index.html'): URL | undefined {
  const page = `${ORIGIN}/${pagePath.split('/').map(encodeURIComponent).join('/')}`;
  const seenFrom = base === undefined ? undefined : URL.parse(base, page)?.href;
  return URL.parse(href, seenFrom ?? page) ?? undefined;
}

/** The path below the folder of the pages. @returns undefined for an address elsewhere */
export function pathOfAddress(address: URL | undefined): string | undefined {
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

/** Whether an address has a scheme or names a server. */
export function leavesApp(address: string): boolean {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address);
}

/** Whether a service puts this script into an app: cordova.js, say. @param address of a script, or its path */
export function isServiceScript(address: string): boolean {
  return SERVICE_SCRIPT.test(withoutQuery(address));
}
