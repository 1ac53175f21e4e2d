import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { pathsInFolder } from './fileReferences.ts';

/** Names that are looked up; a log that has more is not about files of the folder. */
const MAX_LOOK_UPS = 2_000;

/** Finds the files of some folders that a log names. What it has found, it knows until it is made anew. */
export class FolderFiles {
  readonly #folders: readonly vscode.Uri[];
  readonly #found = new Map<string, Promise<vscode.Uri | undefined>>();

  /** @param folders of this window, the likeliest first. */
  constructor(folders: readonly vscode.Uri[]) {
    this.#folders = folders;
  }

  get isEmpty(): boolean {
    return this.#folders.length === 0;
  }

  /** A file of the folders; undefined when there is none of that name. Never rejects. @param written as a log names it. */
  find(written: string): Promise<vscode.Uri | undefined> {
    const known = this.#found.get(written);
    if (known !== undefined) {
      return known;
    }
    if (this.#found.size >= MAX_LOOK_UPS) {
      return Promise.resolve(undefined);
    }
    const found = this.#lookUp(written);
    this.#found.set(written, found);
    return found;
  }

  async #lookUp(written: string): Promise<vscode.Uri | undefined> {
    for (const folder of this.#folders) {
      const isOnDisk = folder.scheme === 'file';
      const folderPath = isOnDisk ? folder.fsPath.replaceAll('\\', '/') : undefined;
      for (const relative of pathsInFolder(written, folderPath)) {
        const uri = vscode.Uri.joinPath(folder, relative);
        if ((await isFile(uri)) && (!isOnDisk || (await isInside(uri.fsPath, folder.fsPath)))) {
          return uri;
        }
      }
    }
    return undefined;
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** False for what a symbolic link brings in from elsewhere. */
async function isInside(file: string, folder: string): Promise<boolean> {
  try {
    const relative = path.relative(await realpath(folder), await realpath(file));
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  } catch {
    return false;
  }
}
