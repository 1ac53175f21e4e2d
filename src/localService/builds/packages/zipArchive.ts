import { crc32 } from 'node:zlib';
import { getFileNameLowLevel, openPromise, type Entry, type ZipFile } from 'yauzl';

import {
  ArchiveContents,
  MAX_ENTRIES,
  PackageError,
  shown,
  tooManyEntries,
  type ArchivedFile,
} from './archiveContents.ts';

const STORED = 0;
const DEFLATED = 8;

/** Types of file in a Unix mode, which archivers put into the upper half of an entry's attributes. */
const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;
const SYMBOLIC_LINK = 0o120000;

/** Bits of an entry's flags (APPNOTE.TXT 4.4.4): encrypted, strongly encrypted, masked headers. */
const ENCRYPTION_FLAGS = 0x0001 | 0x0040 | 0x2000;

/** An open zip archive whose directory was read and checked. */
export class ZipArchive {
  readonly contents: ArchiveContents;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<ArchivedFile, Entry>;

  private constructor(zip: ZipFile, contents: ArchiveContents, entries: ReadonlyMap<ArchivedFile, Entry>) {
    this.#zip = zip;
    this.contents = contents;
    this.#entries = entries;
  }

  /**
   * Opens an archive and checks its directory. Nothing is unpacked.
   *
   * @throws PackageError when the archive is broken, or holds what an app may not hold
   */
  static async open(path: string): Promise<ZipArchive> {
    let zip: ZipFile | undefined;
    try {
      zip = await openPromise(path, { autoClose: false, decodeStrings: false });
      const contents = new ArchiveContents();
      return new ZipArchive(zip, contents, await readDirectory(zip, contents));
    } catch (error) {
      zip?.close();
      throw asPackageError(error);
    }
  }

  /**
   * The content of a file, unpacked.
   *
   * @throws PackageError, also while it is read: when it has not the size and the checksum that the directory declares
   */
  async *read(file: ArchivedFile): AsyncGenerator<Buffer, void, undefined> {
    const entry = this.#entries.get(file);
    if (entry === undefined) {
      throw new Error('not a file of this archive');
    }
    let checksum = 0;
    try {
      const content: AsyncIterable<Buffer> = await this.#zip.openReadStreamPromise(entry);
      for await (const bytes of content) {
        checksum = crc32(bytes, checksum);
        yield bytes;
      }
    } catch (error) {
      throw asPackageError(error, file.path);
    }
    if (checksum !== entry.crc32) {
      throw brokenZip('its checksum is wrong', file.path);
    }
  }

  close(): void {
    this.#zip.close();
  }
}

async function readDirectory(zip: ZipFile, contents: ArchiveContents): Promise<Map<ArchivedFile, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw tooManyEntries();
  }
  const entries = new Map<ArchivedFile, Entry>();
  let packedSize = 0;
  for await (const entry of zip.eachEntry()) {
    const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
    const isFolder = name.endsWith('/');
    checkEntry(entry, name, isFolder);
    packedSize += entry.compressedSize;
    // Entries that share bytes would unpack to far more than the archive could hold.
    if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > zip.fileSize || packedSize > zip.fileSize) {
      throw brokenZip('an entry reaches beyond the end of the file', name);
    }
    if (isFolder) {
      contents.addFolder(name);
    } else {
      entries.set(contents.addFile(name, entry.uncompressedSize), entry);
    }
  }
  return entries;
}

function checkEntry(entry: Entry, name: string, isFolder: boolean): void {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  if (type === SYMBOLIC_LINK) {
    throw new PackageError(`${shown(name)} is a symbolic link. Pack the file that it leads to in its place.`);
  }
  if (type !== 0 && type !== (isFolder ? FOLDER : REGULAR_FILE)) {
    throw new PackageError(`${shown(name)} is neither a plain file nor a folder. Leave it out.`);
  }
  if ((entry.generalPurposeBitFlag & ENCRYPTION_FLAGS) !== 0) {
    throw new PackageError(`${shown(name)} is encrypted. Pack the files without a password.`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    const method = `method ${entry.compressionMethod}`;
    throw new PackageError(
      `${shown(name)} is compressed by ${method}, which is not supported. Pack the files by the usual one (deflate).`,
    );
  }
  if (isFolder && entry.uncompressedSize > 0) {
    throw brokenZip('a folder has content', name);
  }
}

function brokenZip(reason: string, name?: string): PackageError {
  const where = name === undefined ? '' : ` at ${shown(name)}`;
  return new PackageError(`The zip archive is broken${where}: ${reason}. Pack the files again.`);
}

/** Errors of the archive become a PackageError; those of the file system (`EIO`) remain what they are. */
function asPackageError(error: unknown, name?: string): unknown {
  if (error instanceof PackageError || !(error instanceof Error) || ('syscall' in error && 'errno' in error)) {
    return error;
  }
  if (error.message === 'strong encryption is not supported') {
    return new PackageError('The zip archive is encrypted. Pack the files without a password.');
  }
  return brokenZip(shown(error.message).slice(1, -1).replace(/\.$/, ''), name);
}
