/** Checks the files in an archive: their names, number, and size. */
import { MAX_ENTRIES, MAX_PATH_BYTES, MAX_UNPACKED_BYTES } from '../../limits.ts';
import { PackageError, toDisplayText } from '../../../android-package/index.ts';

/** Permissions of new folders: only the owner can read them. */
export const FOLDER_MODE = 0o700;

/** Device names in Windows, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

const PACK_AGAIN = 'Pack the files again, with paths inside the app’s folder.';

/** A file in an archive. */
export interface ArchivedFile {
  /** Relative path with `/`, without empty, `.`, or `..` segments. */
  readonly path: string;
  /** Unpacked size in bytes. */
  readonly size: number;
}

/**
 * The files and folders of an archive. Each is checked when it's added, so that all of them can be written to an empty
 * folder, and every system reads the same files from the archive.
 */
export class ArchiveContents {
  readonly files: ArchivedFile[] = [];
  /** Paths of the folders, including those without a separate entry. Each folder precedes its contents. */
  readonly folders: string[] = [];
  /** Total size of the files in bytes. */
  size = 0;
  #entries = 0;
  /** Paths, keyed by the form that case-insensitive file systems compare. */
  readonly #paths = new Map<string, { readonly path: string; readonly isFolder: boolean }>();

  /**
   * Adds a file.
   *
   * @param name name in the archive. `\` separates folders like `/`, because some archivers on Windows use it.
   * @param size size that the archive declares, in bytes
   * @throws PackageError if the file isn't allowed in an archive
   */
  addFile(name: string, size: number): ArchivedFile {
    this.#count();
    const segments = checkedSegments(name);
    const last = segments.pop();
    if (last === undefined || /[\\/]$/.test(name)) {
      throw new PackageError(`${toDisplayText(name)} is a file with the name of a folder. ${PACK_AGAIN}`);
    }
    this.size += size;
    if (!(this.size <= MAX_UNPACKED_BYTES)) {
      throw new PackageError('The archive unpacks to more than 1 GiB. Remove files that the app doesn’t need.');
    }
    this.#addFolders(segments.join('/'));
    const file = { path: [...segments, last].join('/'), size };
    const other = this.#paths.get(toComparablePath(file.path));
    if (other !== undefined) {
      throw clash(file.path, other.path, !other.isFolder);
    }
    this.#paths.set(toComparablePath(file.path), { path: file.path, isFolder: false });
    this.files.push(file);
    return file;
  }

  /**
   * Adds a folder. Archives can contain the same folder more than once.
   *
   * @throws PackageError if the folder isn't allowed in an archive
   */
  addFolder(name: string): void {
    this.#count();
    this.#addFolders(checkedSegments(name).join('/'));
  }

  #count(): void {
    this.#entries += 1;
    if (this.#entries > MAX_ENTRIES) {
      throw tooManyEntries();
    }
  }

  /** Adds a folder and its missing parents. Going through all parents for every file would take too long. */
  #addFolders(path: string): void {
    const other = path === '' ? undefined : this.#paths.get(toComparablePath(path));
    if (path === '' || (other?.path === path && other.isFolder)) {
      return;
    }
    this.#addFolders(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    if (other !== undefined) {
      throw clash(path, other.path, other.isFolder);
    }
    if (this.folders.length === MAX_ENTRIES) {
      throw tooManyEntries();
    }
    this.#paths.set(toComparablePath(path), { path, isFolder: true });
    this.folders.push(path);
  }
}

/** Creates the error for an archive with too many entries. */
export function tooManyEntries(): PackageError {
  const count = MAX_ENTRIES.toLocaleString('en');
  return new PackageError(
    `The archive contains more than ${count} files and folders. Remove those that the app doesn’t need, such as node_modules.`,
  );
}

function clash(path: string, other: string, sameKind: boolean): PackageError {
  if (path !== other) {
    const pair = `${toDisplayText(path)} and ${toDisplayText(other)}`;
    return new PackageError(`${pair} differ only by case. Rename one of them and pack the files again.`);
  }
  return new PackageError(
    sameKind
      ? `${toDisplayText(path)} is in the archive twice. Pack the files again.`
      : `${toDisplayText(path)} is both a file and a folder in the archive. Pack the files again.`,
  );
}

/** Returns a name in the form that case-insensitive file systems compare. */
function toComparablePath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function checkedSegments(name: string): string[] {
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/')) {
    throw new PackageError(`${toDisplayText(name)} is an absolute path. ${PACK_AGAIN}`);
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new PackageError(`The path ${toDisplayText(name)} is longer than ${MAX_PATH_BYTES} bytes. Shorten it.`);
  }
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    const [, fault] = NAME_FAULTS.find(([expression]) => expression.test(segment)) ?? [];
    if (fault !== undefined) {
      throw new PackageError(`${toDisplayText(name)} ${fault}`);
    }
  }
  return segments;
}

/** Patterns for invalid file names, with the end of the message for each. The first match wins. */
const NAME_FAULTS: readonly (readonly [name: RegExp, fault: string])[] = [
  [/^\.\.$/, `leads outside the archive. ${PACK_AGAIN}`],
  [/^[a-z]:/i, `names a drive. ${PACK_AGAIN}`],
  [/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u, 'has a control character in its name. Rename it.'],
  [/:/, 'has a colon in its name, which Windows doesn’t allow. Rename it.'],
  [/[. ]$/, 'has a name that ends with a dot or a space, which Windows doesn’t allow. Rename it.'],
  [DEVICE_NAME, 'has the name of a Windows device. Rename it.'],
  ...(process.platform === 'win32'
    ? ([[/["<>|?*]/, 'has a character in its name that Windows doesn’t allow. Rename it.']] as const)
    : []),
];
