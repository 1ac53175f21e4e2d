import * as vscode from 'vscode';
import { MAX_CACHED_FILES } from '../limits.ts';
import { FILE_SCHEME, resourceUri, resourceUrl } from './resourceUri.ts';

interface CachedFile {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/** Read-only files of the service, so that VS Code's own viewers can show them. */
export class ResourceFiles {
  readonly #load: (url: string) => Promise<Uint8Array>;
  readonly #changed: vscode.EventEmitter<vscode.FileChangeEvent[]>;
  /** By URI, the latest last. */
  readonly #cache = new Map<string, CachedFile>();

  /** @param load loads what a URL leads to. @param changed is fired when a file has other contents. */
  constructor(load: (url: string) => Promise<Uint8Array>, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
    this.#load = load;
    this.#changed = changed;
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

  /** @throws vscode.FileSystemError for a folder: VS Code looks for the folders around a file as well. */
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

  async read(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#file(uri)).bytes;
  }

  async #file(uri: vscode.Uri): Promise<CachedFile> {
    const url = resourceUrl(uri);
    if (!URL.canParse(url)) {
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
