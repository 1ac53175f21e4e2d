import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseXml, type XmlDocument } from '../configXml/xmlDocument.ts';
import { cancellable } from '../api/errors/cancelledError.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { join } from './paths.ts';

/** The kind of an entry of a folder. A link is a link, not its target. */
type EntryKind = 'file' | 'folder' | 'link' | 'special';

export interface TreeEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FileDetails {
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  /** Permissions. */
  readonly mode: number;
  /** Of the last change, in milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Number of the file on its disk: another file of the same path has another one. */
  readonly inode: number;
}

/** A folder on a disk, with all that is below it. Paths are below that folder, with `/`; the folder itself is the empty path. */
export class DiskTree {
  /** Whether `a` and `A` are two names here: the file systems that Windows and macOS use by default ignore case. */
  readonly isCaseSensitive = process.platform !== 'win32' && process.platform !== 'darwin';
  readonly #folder: string;

  /** @param folder absolute */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The entries of a folder, in any order. @throws what the file system throws */
  async list(folder: string): Promise<readonly TreeEntry[]> {
    const entries = await readdir(this.#absolute(folder), { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  }

  /** The kind of an entry; undefined where there is none. @throws what the file system throws */
  async kind(entry: string): Promise<EntryKind | undefined> {
    try {
      return kindOf(await lstat(this.#absolute(entry)));
    } catch (error) {
      if (isMissingFile(error)) {
        return undefined;
      }
      throw error;
    }
  }

  /** Follows links. @throws what the file system throws */
  async details(file: string): Promise<FileDetails> {
    const stats = await stat(this.#absolute(file));
    const { size: sizeBytes, mode, mtimeMs: modifiedMs, ino: inode } = stats;
    return { kind: kindOf(stats), sizeBytes, mode, modifiedMs, inode };
  }

  /** The first bytes of a file. @throws what the file system throws */
  async head(file: string, maxBytes: number): Promise<Uint8Array> {
    // A pipe that took the place of a file would keep `open` waiting for its other end.
    const handle = await open(this.#absolute(file), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** The tree below one of its folders. Everything above that folder is outside. */
  below(folder: string): DiskTree {
    return new DiskTree(this.#absolute(folder));
  }

  /** The path that a path leads to in the end, after all links; undefined when that is outside of the folder, or missing. */
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

function kindOf(entry: Dirent | Stats): EntryKind {
  if (entry.isSymbolicLink()) {
    return 'link';
  }
  const other = entry.isFile() ? 'file' : 'special';
  return entry.isDirectory() ? 'folder' : other;
}

/** A folder that may hold a project, and what its files say. Each file is read once. Paths are below the folder, with `/`. */
export class ProjectFolder {
  readonly tree: DiskTree;
  /** Of the folder itself, below the top of the tree. */
  readonly path: string;
  /** Ends what is read. */
  readonly signal: AbortSignal | undefined;
  readonly #texts = new Map<string, Promise<string | undefined>>();
  #names: Promise<ReadonlySet<string>> | undefined;
  #config: { readonly path: string; readonly document: XmlDocument } | undefined;

  constructor(tree: DiskTree, path: string, signal?: AbortSignal) {
    this.tree = tree;
    this.path = path;
    this.signal = signal;
  }

  /** The folders that it is in, the nearest first. */
  above(): readonly ProjectFolder[] {
    const names = this.path === '' ? [] : this.path.split('/');
    return names.map((_, index) => this.at(names.slice(0, names.length - 1 - index).join('/')));
  }

  /** Another folder of the same tree. @param path below the top of the tree */
  at(path: string): ProjectFolder {
    return new ProjectFolder(this.tree, path, this.signal);
  }

  /** A folder in it, with a tree of its own. */
  below(path: string): ProjectFolder {
    return new ProjectFolder(this.tree.below(join(this.path, path)), '', this.signal);
  }

  /** Names of what is in it; empty when it cannot be read. @throws CancelledError */
  names(): Promise<ReadonlySet<string>> {
    const list = this.tree.list(this.path).then(
      (entries) => new Set(entries.filter(({ kind }) => kind !== 'special').map(({ name }) => name)),
      () => new Set<string>(),
    );
    this.#names ??= cancellable(list, this.signal);
    return this.#names;
  }

  /** Follows links. @throws CancelledError */
  async isFile(path: string): Promise<boolean> {
    const details = this.tree.details(join(this.path, path)).catch(() => undefined);
    return (await cancellable(details, this.signal))?.kind === 'file';
  }

  /** The text of a file, in UTF-8 or UTF-16; undefined when there is none that can be read. @throws CancelledError */
  text(path: string): Promise<string | undefined> {
    const known = this.#texts.get(path) ?? this.#readText(path);
    this.#texts.set(path, known);
    return known;
  }

  /** A config.xml; undefined when there is none that can be read. @throws CancelledError */
  async config(path: string): Promise<XmlDocument | undefined> {
    const text = await this.text(path);
    if (text !== undefined && this.#config?.path !== path) {
      this.#config = { path, document: parseXml(text) };
    }
    return this.#config?.path === path ? this.#config.document : undefined;
  }

  /** The first bytes of a file; undefined when there is none that can be read. @throws CancelledError */
  async bytes(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    if (!(await this.isFile(path))) {
      return undefined;
    }
    const head = this.tree.head(join(this.path, path), maxBytes).catch(() => undefined);
    return cancellable(head, this.signal);
  }

  /** The first bytes of a file. @throws what the file system throws; CancelledError */
  head(path: string, maxBytes: number): Promise<Uint8Array> {
    return cancellable(this.tree.head(join(this.path, path), maxBytes), this.signal);
  }

  async #readText(path: string): Promise<string | undefined> {
    const bytes = await this.bytes(path, MAX_FILE_BYTES);
    return bytes && new TextDecoder(utf16Of(bytes)).decode(bytes);
  }
}

/** The encoding of a text in UTF-16: by its mark or, without one, by its first two characters (XML, appendix F). */
export function utf16Of([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): string | undefined {
  const isAscii = (...codes: readonly number[]) => codes.every((code) => code >= 0x09 && code < 0x7f);
  if ((first === 0xff && second === 0xfe) || (isAscii(first, third) && second === 0 && fourth === 0)) {
    return 'utf-16le';
  }
  const isBigEndian = (first === 0xfe && second === 0xff) || (isAscii(second, fourth) && first === 0 && third === 0);
  return isBigEndian ? 'utf-16be' : undefined;
}

/** Whether a file system reports that a file or folder doesn't exist. */
export function isMissingFile(error: unknown): boolean {
  return /^(?:ENOENT|ENOTDIR)$/.test(errorCode(error));
}

/** Code of an error of Node's file system, such as `ENOENT`; empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
