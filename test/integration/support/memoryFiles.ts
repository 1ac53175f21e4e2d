import * as vscode from 'vscode';

/** A flat file system in memory, as extensions for remote and virtual workspaces bring them. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    if (path === '/') {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.#find(path).length };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [...this.files.keys()].map((path) => [path.slice(1), vscode.FileType.File]);
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    return this.#find(path);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (uri.path.includes('readonly')) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    this.files.set(uri.path, content);
  }

  delete({ path }: vscode.Uri): void {
    this.#find(path);
    this.files.delete(path);
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { readonly overwrite: boolean }): void {
    if (!overwrite && this.files.has(to.path)) {
      throw vscode.FileSystemError.FileExists(to);
    }
    this.files.set(to.path, this.#find(from.path));
    this.files.delete(from.path);
  }

  #find(path: string): Uint8Array {
    const content = this.files.get(path);
    if (content === undefined) {
      throw vscode.FileSystemError.FileNotFound(path);
    }
    return content;
  }
}
