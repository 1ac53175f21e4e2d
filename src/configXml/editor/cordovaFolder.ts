import * as vscode from 'vscode';
import type { PagesOf } from './configFiles.ts';

/** A larger package.json is not read. */
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** Folders whose files tools have made. */
const GENERATED = new Set(['node_modules', 'platforms', 'plugins']);

/**
 * Whether a config.xml is that of a Cordova app, by what is beside it: the app's pages, or a package.json that Cordova writes in.
 * False for what tools have made, for one that does not exist, and for one of another time, as in a comparison with Git's.
 * Never rejects.
 *
 * @param folder of the window that the config.xml is in; undefined for one that was opened from elsewhere.
 */
export async function isInCordovaFolder(
  config: vscode.Uri,
  folder: vscode.Uri | undefined,
  pagesOf: PagesOf,
): Promise<boolean> {
  if (folder === undefined && config.scheme !== 'file') {
    return false;
  }
  const path = folder === undefined ? config.path : config.path.slice(folder.path.length);
  if (path.split('/').some((name) => GENERATED.has(name))) {
    return false;
  }
  const beside = (name: string) => vscode.Uri.joinPath(config, '..', name);
  const [isThere, ...signs] = await Promise.all([
    isType(config, vscode.FileType.File),
    isType(beside('www'), vscode.FileType.Directory),
    isType(beside('index.html'), vscode.FileType.File),
    hasCordovaKey(beside('package.json')),
    pagesOf(vscode.Uri.joinPath(config, '..')).then((pages) => pages !== undefined),
  ]);
  return isThere && signs.includes(true);
}

/** False for what is not there. Follows links. Never rejects. */
export async function isType(uri: vscode.Uri, type: vscode.FileType): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & type) !== 0;
  } catch {
    return false;
  }
}

async function hasCordovaKey(uri: vscode.Uri): Promise<boolean> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > MAX_PACKAGE_BYTES) {
      return false;
    }
    const value: unknown = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    return typeof value === 'object' && value !== null && 'cordova' in value;
  } catch {
    return false;
  }
}
