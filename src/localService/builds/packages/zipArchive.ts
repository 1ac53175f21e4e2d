/** Reading a zip archive that was uploaded, and packing one. */
import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import {
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  getFileNameLowLevel,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { ZipFile as NewZipFile } from 'yazl';

import { MAX_ENTRIES } from '../../limits.ts';
import { FILE_MODE } from '../../store/dataFiles.ts';
import { listFiles } from './appFiles.ts';
import { ArchiveContents, PackageError, shown, tooManyEntries, type ArchivedFile } from './archiveContents.ts';

/** Bytes that are read at once, of a file and of the archive's directory, whose reader asks for a few at a time. */
const PIECE_BYTES = 64 * 1024;

const STORED = 0;
const DEFLATED = 8;

/** Types of file in a Unix mode, which archivers put into the upper half of an entry's attributes. */
const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;
const SYMBOLIC_LINK = 0o120000;

/** Bits of an entry's flags (APPNOTE.TXT 4.4.4): encrypted, strongly encrypted, masked headers. */
const ENCRYPTION_FLAGS = 0x0001 | 0x0040 | 0x2000;

/** A zip archive whose directory was read and checked. */
export interface ZipArchive {
  readonly contents: ArchiveContents;
  /**
   * The content of a file, unpacked.
   *
   * @throws PackageError, also while it is read: when it has not the size and the checksum that the directory declares
   */
  readonly read: (file: ArchivedFile) => AsyncIterable<Buffer>;
}

/**
 * Opens an archive, checks its directory, and closes it after the work.
 *
 * @throws PackageError when the archive is broken, or holds what an app may not hold; what the work throws
 */
export async function withZip<T>(path: string, work: (archive: ZipArchive) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r');
  try {
    const archive = await readArchive(handle).catch((error: unknown) => {
      throw asPackageError(error);
    });
    return await work(archive);
  } finally {
    await handle.close();
  }
}

async function readArchive(handle: FileHandle): Promise<ZipArchive> {
  const { size } = await handle.stat();
  const options = { autoClose: false, decodeStrings: false };
  const zip = await fromRandomAccessReaderPromise(new ReadAhead(handle, size), size, options);
  const contents = new ArchiveContents();
  const entries = await readDirectory(zip, contents);
  return { contents, read: (file) => readEntry(zip, entries.get(file), file.path) };
}

async function* readEntry(zip: ZipFile, entry: Entry | undefined, name: string): AsyncGenerator<Buffer> {
  if (entry === undefined) {
    throw new Error('not a file of this archive');
  }
  let checksum = 0;
  try {
    const content: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const bytes of content) {
      checksum = crc32(bytes, checksum);
      yield bytes;
    }
  } catch (error) {
    throw asPackageError(error, name);
  }
  if (checksum !== entry.crc32) {
    throw brokenZip('its checksum is wrong', name);
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

/**
 * Reads a file where an archive says. Of a position that no file can have yauzl's own reader asks `node:fs`, which throws where
 * nothing catches it: the service would end. A small read takes what follows along for the next one: a directory of 20,000
 * entries is read in a tenth of the time.
 */
class ReadAhead extends RandomAccessReader {
  readonly #handle: FileHandle;
  readonly #size: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(handle: FileHandle, size: number) {
    super();
    this.#handle = handle;
    this.#size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#read(buffer, offset, length, position).then((bytesRead) => callback(null, bytesRead), callback);
  }

  async #read(buffer: Buffer, offset: number, length: number, position: number): Promise<number> {
    if (!(position + length <= this.#size)) {
      throw new Error('it is cut off');
    }
    if (position < this.#start || position + length > this.#start + this.#bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.max(length, PIECE_BYTES));
      const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, position);
      this.#start = position;
      this.#bytes = bytes.subarray(0, bytesRead);
    }
    const from = position - this.#start;
    return this.#bytes.copy(buffer, offset, from, from + length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end));
  }

  /** A stream of `node:fs` would close the file with itself. */
  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end;) {
      const bytes = Buffer.allocUnsafe(Math.min(end - position, PIECE_BYTES));
      const { bytesRead } = await this.#handle.read(bytes, 0, bytes.length, position);
      if (bytesRead === 0) {
        throw new Error('it is cut off');
      }
      position += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  }
}

/** The extensions of files that are compressed already. */
export const COMPRESSED_EXTENSIONS: readonly string[] =
  'png jpg jpeg gif webp avif mp3 mp4 m4a aac ogg webm woff woff2 zip gz tgz br xz 7z jar apk aab ipa'.split(' ');

/** Whether a file is compressed already, by its name. */
export function isCompressed(name: string): boolean {
  return COMPRESSED_EXTENSIONS.includes(extname(name).slice(1).toLowerCase());
}

/**
 * Packs the plain files of a folder into a zip archive, sorted by name. Links are left out.
 *
 * @param target a file that does not exist
 * @throws the signal's reason when it is aborted
 */
export async function zipFolder(folder: string, target: string, signal: AbortSignal): Promise<void> {
  const paths = await listFiles(folder);
  const zip = new NewZipFile();
  const output = zip.outputStream as Readable;
  // A file that vanishes meanwhile shows in this event only.
  zip.on('error', (error: Error) => output.destroy(error));
  for (const path of paths) {
    zip.addFile(join(folder, path), path, { mode: 0o100644, compressionLevel: isCompressed(path) ? 0 : 6 });
  }
  zip.end();
  try {
    await pipeline(output, createWriteStream(target, { flags: 'wx', mode: FILE_MODE }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
