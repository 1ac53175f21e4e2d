import * as vscode from 'vscode';

const FILE_CHANGES = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

/** A read-only file system in memory with folders, as extensions for repositories on the web bring them. */
export class VirtualFolder implements vscode.FileSystemProvider {
  readonly onDidChangeFile = FILE_CHANGES;
  readonly #files: Readonly<Record<string, string>>;

  /** @param files content by paths that begin with `/` */
  constructor(files: Readonly<Record<string, string>>) {
    this.#files = files;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.#files[uri.path];
    if (file !== undefined) {
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: Buffer.byteLength(file) };
    }
    this.readDirectory(uri);
    return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const folder = uri.path.endsWith('/') ? uri.path : `${uri.path}/`;
    const entries = new Map<string, vscode.FileType>();
    for (const path of Object.keys(this.#files)) {
      const [name = '', ...below] = path.startsWith(folder) ? path.slice(folder.length).split('/') : [];
      if (name !== '') {
        entries.set(name, below.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
      }
    }
    if (entries.size === 0) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return [...entries];
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.#files[uri.path];
    if (file === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return Buffer.from(file);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
