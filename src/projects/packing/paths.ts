import type * as vscode from 'vscode';

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

/** The folder of a file, with `/` at its end; empty for the top. */
export function folderOfPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
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
