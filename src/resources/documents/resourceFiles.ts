import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { fileScheme, resourceUri, resourceUrl } from './resourceUri.ts';

/** Files kept in memory; VS Code asks several times while one is opened. */
const most = 4;

/** Read-only files of the service, so that VS Code's own viewers can show them. */
export class ResourceFiles extends Disposable implements vscode.FileSystemProvider {
  readonly #load: (url: string) => Promise<Uint8Array>;
  readonly #changed = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;
  /** By URI, the latest last. */
  readonly #kept = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();

  constructor(load: (url: string) => Promise<Uint8Array>) {
    super();
    this.#load = load;
    this.register(
      vscode.workspace.registerFileSystemProvider(fileScheme, this, { isReadonly: true, isCaseSensitive: true }),
    );
  }

  /** Keeps a file that is loaded already, and tells editors that show an older one. @returns its URI. */
  put(url: string, extension: string, bytes: Uint8Array): vscode.Uri {
    const uri = resourceUri(url, extension, fileScheme);
    this.#keep(uri, bytes);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, mtime } = await this.#file(uri);
    return {
      type: vscode.FileType.File,
      ctime: mtime,
      mtime,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#file(uri)).bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
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

  async #file(uri: vscode.Uri): Promise<{ readonly bytes: Uint8Array; readonly mtime: number }> {
    const url = resourceUrl(uri);
    if (!URL.canParse(url)) {
      // VS Code looks for the folders around a file as well.
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return this.#kept.get(uri.toString()) ?? this.#keep(uri, await this.#load(url));
  }

  #keep(uri: vscode.Uri, bytes: Uint8Array): { readonly bytes: Uint8Array; readonly mtime: number } {
    const file = { bytes, mtime: Date.now() };
    this.#kept.delete(uri.toString());
    this.#kept.set(uri.toString(), file);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return file;
  }
}
