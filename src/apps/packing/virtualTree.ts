import * as vscode from 'vscode';

import type { FileDetails, FileTree, TreeEntry } from './fileTree.ts';

/** A folder of a file system that an extension provides. */
export class VirtualTree implements FileTree {
  readonly isCaseSensitive = true;
  readonly #folder: vscode.Uri;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async list(folder: string): Promise<readonly TreeEntry[]> {
    const entries = await vscode.workspace.fs.readDirectory(this.#uri(folder));
    return entries.map(([name, type]) => ({
      name,
      kind: (type & vscode.FileType.SymbolicLink) === 0 ? kindOf(type) : 'link',
    }));
  }

  async details(file: string): Promise<FileDetails> {
    const { type, size } = await vscode.workspace.fs.stat(this.#uri(file));
    return { kind: kindOf(type), sizeBytes: size, mode: undefined };
  }

  async head(file: string, maxBytes: number): Promise<Uint8Array> {
    return (await vscode.workspace.fs.readFile(this.#uri(file))).subarray(0, maxBytes);
  }

  /** VS Code does not tell where a link leads. */
  target(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  #uri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, path);
  }
}

function kindOf(type: vscode.FileType): 'file' | 'folder' | 'special' {
  if ((type & vscode.FileType.Directory) !== 0) {
    return 'folder';
  }
  return (type & vscode.FileType.File) === 0 ? 'special' : 'file';
}
