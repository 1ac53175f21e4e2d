import type * as vscode from 'vscode';

import { DiskTree } from './diskTree.ts';
import type { FileTree } from './fileTree.ts';
import type { WebProject } from './projectSearch.ts';
import { VirtualTree } from './virtualTree.ts';

/** The files of a folder: by Node where it is on a disk, which is many times quicker than through VS Code. */
export function treeOf(folder: vscode.Uri): FileTree {
  return folder.scheme === 'file' ? new DiskTree(folder.fsPath) : new VirtualTree(folder);
}

/** The files of the folder in which a project was found. */
export function treeAbove({ uri, path }: WebProject): FileTree {
  return treeOf(path === '' ? uri : uri.with({ path: uri.path.slice(0, -path.length).replace(/(?<=.)\/$/, '') }));
}
