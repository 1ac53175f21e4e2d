import * as vscode from 'vscode';

/** A file system in memory, like those of extensions for remote and virtual workspaces. It rejects writing to files named `readonly`. */
export class MemoryFiles implements vscode.FileSystemProvider {
  /** Files by paths that begin with `/`. */
  readonly files: Map<string, Uint8Array>;
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.files = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const size = this.files.get(uri.path)?.length;
    if (size === undefined && uri.path !== '/') {
      this.readDirectory(uri);
    }
    const type = size === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: 0, mtime: 0, size: size ?? 0 };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const folder = uri.path.endsWith('/') ? uri.path : `${uri.path}/`;
    const entries = new Map<string, vscode.FileType>();
    for (const path of this.files.keys()) {
      const [name = '', ...below] = path.startsWith(folder) ? path.slice(folder.length).split('/') : [];
      if (name !== '') {
        entries.set(name, below.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
      }
    }
    if (entries.size === 0 && folder !== '/') {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return [...entries];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const content = this.files.get(uri.path);
    if (content === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (uri.path.includes('readonly')) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    this.files.set(uri.path, content);
  }

  delete(uri: vscode.Uri): void {
    this.readFile(uri);
    this.files.delete(uri.path);
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { readonly overwrite: boolean }): void {
    if (!overwrite && this.files.has(to.path)) {
      throw vscode.FileSystemError.FileExists(to);
    }
    this.files.set(to.path, this.readFile(from));
    this.files.delete(from.path);
  }
}
