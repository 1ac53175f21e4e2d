import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseXml, type XmlDocument } from '../config-xml/index.ts';
import { cancellable } from '../errors/index.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { join } from './paths.ts';

/** The kind of a folder entry. A link is a separate kind, regardless of its target. */
type EntryKind = 'file' | 'folder' | 'link' | 'special';

/** An entry of a folder. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** Details of a file or folder. */
export interface FileDetails {
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
  /** Time of the last change, in milliseconds since 1970. Programs can set it. */
  readonly modifiedMs: number;
  /** Time of the last change of the content or of these details, in milliseconds since 1970. Programs can't set it. */
  readonly changedMs: number;
  /** Inode number. It changes if another file replaces this one at the same path. */
  readonly inode: number;
}

/**
 * A folder on disk with all its contents. Paths are relative to that folder and use `/`. The folder itself is the empty
 * path.
 */
export class DiskTree {
  /** Whether `a` and `A` are different names. The default file systems of Windows and macOS ignore case. */
  readonly isCaseSensitive = process.platform !== 'win32' && process.platform !== 'darwin';
  /** Number of bytes that have been read from files. */
  bytesRead = 0;
  readonly #folder: string;

  /** @param folder the absolute path of the folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the entries of a folder, in no particular order.
   *
   * @throws file system errors
   */
  async list(folder: string): Promise<readonly TreeEntry[]> {
    const entries = await readdir(this.#absolute(folder), { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, kind: getEntryKind(entry) }));
  }

  /**
   * Returns the kind of an entry, or undefined if it's missing.
   *
   * @throws file system errors
   */
  async kind(entry: string): Promise<EntryKind | undefined> {
    try {
      return getEntryKind(await lstat(this.#absolute(entry)));
    } catch (error) {
      if (isMissingFile(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Returns the details of a file. Follows links.
   *
   * @throws file system errors
   */
  async details(file: string): Promise<FileDetails> {
    const stats = await stat(this.#absolute(file));
    const { size: sizeBytes, mode, mtimeMs: modifiedMs, ctimeMs: changedMs, ino: inode } = stats;
    return { kind: getEntryKind(stats), sizeBytes, mode, modifiedMs, changedMs, inode };
  }

  /**
   * Reads the first bytes of a file.
   *
   * @throws file system errors
   */
  async head(file: string, maxBytes: number): Promise<Uint8Array> {
    // If a pipe has replaced the file, `open` would otherwise wait for a writer.
    const handle = await open(this.#absolute(file), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      this.bytesRead += bytesRead;
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Returns the tree of a subfolder. Paths in it can't lead to anything above the subfolder. */
  subfolder(folder: string): DiskTree {
    return new DiskTree(this.#absolute(folder));
  }

  /** Resolves all links in a path. Returns undefined if the target doesn't exist or is outside the folder. */
  async target(link: string): Promise<string | undefined> {
    try {
      const [folder, target] = await Promise.all([realpath(this.#folder), realpath(this.#absolute(link))]);
      const relative = path.relative(folder, target);
      const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
      return isOutside ? undefined : relative.split(path.sep).join('/');
    } catch {
      return undefined;
    }
  }

  #absolute(relative: string): string {
    return path.join(this.#folder, relative);
  }
}

function getEntryKind(entry: Dirent | Stats): EntryKind {
  if (entry.isSymbolicLink()) {
    return 'link';
  }
  const other = entry.isFile() ? 'file' : 'special';
  return entry.isDirectory() ? 'folder' : other;
}

/**
 * A folder that may contain a project. Reads each text file only once. Paths are relative to the folder and use `/`.
 */
export class ProjectFolder {
  readonly tree: DiskTree;
  /** Path of the folder, relative to the top of the tree. */
  readonly path: string;
  /** Cancels all reads. */
  readonly signal: AbortSignal | undefined;
  readonly #texts = new Map<string, Promise<string | undefined>>();
  #names: Promise<ReadonlySet<string>> | undefined;
  #config: { readonly path: string; readonly document: XmlDocument } | undefined;

  constructor(tree: DiskTree, path: string, signal?: AbortSignal) {
    this.tree = tree;
    this.path = path;
    this.signal = signal;
  }

  /** Returns the parent folders, the nearest first. */
  above(): readonly ProjectFolder[] {
    const names = this.path === '' ? [] : this.path.split('/');
    return names.map((_, index) => this.at(names.slice(0, names.length - 1 - index).join('/')));
  }

  /**
   * Returns another folder of the same tree.
   *
   * @param path the path relative to the top of the tree
   */
  at(path: string): ProjectFolder {
    return new ProjectFolder(this.tree, path, this.signal);
  }

  /** Returns a subfolder with its own tree. */
  subfolder(path: string): ProjectFolder {
    return new ProjectFolder(this.tree.subfolder(join(this.path, path)), '', this.signal);
  }

  /**
   * Returns the names of the entries, or an empty set if the folder can't be read.
   *
   * @throws CancelledError
   */
  names(): Promise<ReadonlySet<string>> {
    const list = this.tree.list(this.path).then(
      (entries) => new Set(entries.filter(({ kind }) => kind !== 'special').map(({ name }) => name)),
      () => new Set<string>(),
    );
    this.#names ??= cancellable(list, this.signal);
    return this.#names;
  }

  /**
   * Reports whether a path is a file. Follows links.
   *
   * @throws CancelledError
   */
  async isFile(path: string): Promise<boolean> {
    const details = this.tree.details(join(this.path, path)).catch(() => undefined);
    return (await cancellable(details, this.signal))?.kind === 'file';
  }

  /**
   * Reads a text file in UTF-8 or UTF-16. Returns undefined if it can't be read.
   *
   * @throws CancelledError
   */
  readText(path: string): Promise<string | undefined> {
    const known = this.#texts.get(path) ?? this.#readText(path);
    this.#texts.set(path, known);
    return known;
  }

  /**
   * Reads a config.xml. Returns undefined if it can't be read.
   *
   * @throws CancelledError
   */
  async config(path: string): Promise<XmlDocument | undefined> {
    const text = await this.readText(path);
    if (text !== undefined && this.#config?.path !== path) {
      this.#config = { path, document: parseXml(text) };
    }
    return this.#config?.path === path ? this.#config.document : undefined;
  }

  /**
   * Reads the first bytes of a file. Returns undefined if it can't be read.
   *
   * @throws CancelledError
   */
  async bytes(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    if (!(await this.isFile(path))) {
      return undefined;
    }
    const head = this.tree.head(join(this.path, path), maxBytes).catch(() => undefined);
    return cancellable(head, this.signal);
  }

  /**
   * Reads the first bytes of a file.
   *
   * @throws file system errors, CancelledError
   */
  head(path: string, maxBytes: number): Promise<Uint8Array> {
    return cancellable(this.tree.head(join(this.path, path), maxBytes), this.signal);
  }

  async #readText(path: string): Promise<string | undefined> {
    const bytes = await this.bytes(path, MAX_FILE_BYTES);
    return bytes && new TextDecoder(detectUtf16(bytes)).decode(bytes);
  }
}

/**
 * Returns the encoding of UTF-16 text, from its byte order mark or its first two characters (XML, appendix F). Returns
 * undefined for any other encoding.
 */
export function detectUtf16([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): string | undefined {
  const isAscii = (...codes: readonly number[]) => codes.every((code) => code >= 0x09 && code < 0x7f);
  if ((first === 0xff && second === 0xfe) || (isAscii(first, third) && second === 0 && fourth === 0)) {
    return 'utf-16le';
  }
  const isBigEndian = (first === 0xfe && second === 0xff) || (isAscii(second, fourth) && first === 0 && third === 0);
  return isBigEndian ? 'utf-16be' : undefined;
}

/** Reports whether an error means that a file or folder doesn't exist. */
export function isMissingFile(error: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR)$/.test(errorCode(error));
}

/** Returns the code of a Node file system error, such as `ENOENT`, or an empty string. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
