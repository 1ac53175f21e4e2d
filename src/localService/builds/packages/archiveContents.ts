/** The rules for the files of an archive: their names, their number and their size. */
import { MAX_ENTRIES, MAX_PATH_BYTES, MAX_SHOWN_LENGTH, MAX_UNPACKED_BYTES } from '../../limits.ts';

/** The package is refused. The message names what is wrong with it and is for its developer. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

/** Folders may be read by their owner alone. */
export const FOLDER_MODE = 0o700;

/** Names that Windows gives to devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

const PACK_AGAIN = 'Pack the files again, with paths below the folder of the app.';

export interface ArchivedFile {
  /** Relative, with `/`: no empty, `.` or `..` segments. */
  readonly path: string;
  /** Bytes, unpacked. */
  readonly size: number;
}

/**
 * The files and folders of an archive. Each is checked when it is added, so that what is in here can be written to an empty
 * folder on this system, and two systems read the same from it.
 */
export class ArchiveContents {
  readonly files: ArchivedFile[] = [];
  /** Paths of the folders, also of those that have no entry of their own; a folder comes before what is in it. */
  readonly folders: string[] = [];
  /** Bytes of the files. */
  size = 0;
  #entries = 0;
  /** By path as a file system that ignores case compares it. */
  readonly #paths = new Map<string, { readonly path: string; readonly isFolder: boolean }>();

  /**
   * Adds a file.
   *
   * @param name as it is in the archive; a `\` separates as `/` does, since archivers of Windows write it
   * @param size bytes, as the archive declares them
   * @throws PackageError when the file may not be in an archive
   */
  addFile(name: string, size: number): ArchivedFile {
    this.#count();
    const segments = checkedSegments(name);
    const last = segments.pop();
    if (last === undefined || /[\\/]$/.test(name)) {
      throw new PackageError(`${shown(name)} is a file with the name of a folder. ${PACK_AGAIN}`);
    }
    this.size += size;
    if (!(this.size <= MAX_UNPACKED_BYTES)) {
      throw new PackageError('The archive unpacks to more than 1 GiB. Leave out what the app does not need.');
    }
    this.#addFolders(segments.join('/'));
    const file = { path: [...segments, last].join('/'), size };
    const other = this.#paths.get(comparable(file.path));
    if (other !== undefined) {
      throw clash(file.path, other.path, !other.isFolder);
    }
    this.#paths.set(comparable(file.path), { path: file.path, isFolder: false });
    this.files.push(file);
    return file;
  }

  /**
   * Adds a folder. It may have been added before.
   *
   * @throws PackageError when the folder may not be in an archive
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

  /** Adds a folder and those above it, as far as they are not there yet: all of them, for each file in them, would take too long. */
  #addFolders(path: string): void {
    const other = path === '' ? undefined : this.#paths.get(comparable(path));
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
    this.#paths.set(comparable(path), { path, isFolder: true });
    this.folders.push(path);
  }
}

/** The error for an archive with more entries than are read. */
export function tooManyEntries(): PackageError {
  const count = MAX_ENTRIES.toLocaleString('en');
  return new PackageError(
    `The archive holds more than ${count} files and folders. Leave out what the app does not need, such as node_modules.`,
  );
}

/** The name of an entry as it is shown to a person: in quotes, short, without control and format characters. */
export function shown(name: string): string {
  const text = name.slice(0, 4 * MAX_SHOWN_LENGTH).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\uFFFD]/gu, '');
  // A surrogate whose other half is cut off goes with it.
  const cut = text.slice(0, MAX_SHOWN_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `"${text.length > MAX_SHOWN_LENGTH ? `${cut}…` : text}"`;
}

function clash(path: string, other: string, sameKind: boolean): PackageError {
  if (path !== other) {
    const pair = `${shown(path)} and ${shown(other)}`;
    return new PackageError(
      `${pair} differ by upper and lower case only. Rename one of them and pack the files again.`,
    );
  }
  return new PackageError(
    sameKind
      ? `${shown(path)} is in the archive twice. Pack the files again.`
      : `${shown(path)} is both a file and a folder in the archive. Pack the files again.`,
  );
}

/** As the file systems of Windows and macOS compare names. */
function comparable(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function checkedSegments(name: string): string[] {
  const path = name.replaceAll('\\', '/');
  if (path.startsWith('/')) {
    throw new PackageError(`${shown(name)} is an absolute path. ${PACK_AGAIN}`);
  }
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new PackageError(`The path ${shown(name)} is longer than ${MAX_PATH_BYTES} bytes. Shorten it.`);
  }
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  for (const segment of segments) {
    const [, fault] = NAME_FAULTS.find(([expression]) => expression.test(segment)) ?? [];
    if (fault !== undefined) {
      throw new PackageError(`${shown(name)} ${fault}`);
    }
  }
  return segments;
}

/** Names that a file may not have, and the rest of a sentence about it. The first that fits counts. */
const NAME_FAULTS: readonly (readonly [name: RegExp, fault: string])[] = [
  [/^\.\.$/, `leads outside of the archive. ${PACK_AGAIN}`],
  [/^[a-z]:/i, `names a drive. ${PACK_AGAIN}`],
  [/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u, 'has a control character in its name. Rename it.'],
  [/:/, 'has a colon in its name, which Windows does not allow. Rename it.'],
  [/[. ]$/, 'has a name that ends with a dot or a space, which Windows does not allow. Rename it.'],
  [DEVICE_NAME, 'has the name of a device of Windows. Rename it.'],
  ...(process.platform === 'win32'
    ? ([[/["<>|?*]/, 'has a character in its name that Windows does not allow. Rename it.']] as const)
    : []),
];
