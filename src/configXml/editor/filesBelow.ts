import * as vscode from 'vscode';
import { isType } from './cordovaFolder.ts';

/** Entries of a folder that are offered. */
const MAX_FILES = 500;

/** Tools' own, beside a config.xml. */
const NOT_OFFERED = /^(\..*|node_modules|platforms|plugins|config\.xml|package(-lock)?\.json)$/;

export interface FoundFile {
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * The files that a value of a config.xml may go on with. Never rejects.
 *
 * @param of `page`: below the folder of the pages, where there is one; `file`: below the folder of the config.xml.
 * @param typed what is written of the value: the folder is what is before its last slash.
 * @param pagesFolder folder of the pages below that of the config.xml.
 */
export async function filesBelow(
  config: vscode.Uri,
  of: 'page' | 'file',
  typed: string,
  pagesFolder = 'www',
): Promise<readonly FoundFile[]> {
  const folder = vscode.Uri.joinPath(config, '..');
  const pages = vscode.Uri.joinPath(folder, pagesFolder);
  const root = of === 'page' && (await isType(pages, vscode.FileType.Directory)) ? pages : folder;
  const below = vscode.Uri.joinPath(root, typed.slice(0, typed.lastIndexOf('/') + 1));
  if (!`${below.path}/`.startsWith(`${root.path.replace(/\/$/, '')}/`)) {
    return [];
  }
  try {
    const entries = await vscode.workspace.fs.readDirectory(below);
    return entries
      .filter(([name]) => !NOT_OFFERED.test(name))
      .slice(0, MAX_FILES)
      .map(([name, type]) => ({ name, isFolder: (type & vscode.FileType.Directory) !== 0 }));
  } catch {
    return [];
  }
}
