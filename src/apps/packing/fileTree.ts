/** What an entry of a folder is. A link is told as such, not as what it leads to. */
export type EntryKind = 'file' | 'folder' | 'link' | 'special';

export interface TreeEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FileDetails {
  readonly kind: Exclude<EntryKind, 'link'>;
  readonly sizeBytes: number;
  /** Permissions, where the file system has them. */
  readonly mode: number | undefined;
}

/** A folder with all that is below it. Paths are below that folder, with `/`; the folder itself is the empty path. */
export interface FileTree {
  /** Whether `a` and `A` are two names here. */
  readonly isCaseSensitive: boolean;
  /** The entries of a folder, in any order. @throws what the file system throws */
  list(path: string): Promise<readonly TreeEntry[]>;
  /** Follows links. @throws what the file system throws */
  details(path: string): Promise<FileDetails>;
  /** The first bytes of a file. @throws what the file system throws */
  head(path: string, maxBytes: number): Promise<Uint8Array>;
  /** The path that a link leads to in the end; undefined when that is outside of the folder, missing, or cannot be told. */
  target(path: string): Promise<string | undefined>;
}
