import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { FILE_SCHEME, resourceUri, resourceUrl } from './resourceUri.ts';

/** Files kept in memory: VS Code asks several times while it opens one. */
const MAX_CACHED_FILES = 4;

interface CachedFile {
  readonly bytes: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
}

/** Read-only files of the service, so that VS Code's own viewers can show them. */
export class ResourceFileSystem extends Disposable implements vscode.FileSystemProvider {
  readonly #load: (url: string) => Promise<Uint8Array>;
  readonly #changed = this.register(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changed.event;
  /** By URI, the latest last. */
  readonly #cache = new Map<string, CachedFile>();

  /** @param load loads what a URL leads to. */
  constructor(load: (url: string) => Promise<Uint8Array>) {
    super();
    this.#load = load;
    this.register(
      vscode.workspace.registerFileSystemProvider(FILE_SCHEME, this, { isReadonly: true, isCaseSensitive: true }),
    );
  }

  /**
   * Provides a file that is loaded already, also to editors that show an earlier version of it.
   *
   * @returns its URI.
   */
  put(url: string, extension: string, bytes: Uint8Array): vscode.Uri {
    const uri = resourceUri(url, extension, FILE_SCHEME);
    this.#addToCache(uri, bytes);
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

  async #file(uri: vscode.Uri): Promise<CachedFile> {
    const url = resourceUrl(uri);
    if (!URL.canParse(url)) {
      // VS Code looks for the folders around a file as well.
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return this.#cache.get(uri.toString()) ?? this.#addToCache(uri, await this.#load(url));
  }

  #addToCache(uri: vscode.Uri, bytes: Uint8Array): CachedFile {
    const file = { bytes, mtime: Date.now() };
    this.#cache.delete(uri.toString());
    this.#cache.set(uri.toString(), file);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED_FILES && oldest !== undefined) {
      this.#cache.delete(oldest);
    }
    return file;
  }
}
