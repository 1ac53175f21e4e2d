/** Reads uploaded zip archives, and creates new ones. */
import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import {
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  getFileNameLowLevel,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { ZipFile as NewZipFile } from 'yazl';

import { MAX_ENTRIES } from '../../limits.ts';
import { FILE_MODE, isCompressed, listFiles, PackageError, toDisplayText } from '../../../android-package/index.ts';
import { ArchiveContents, tooManyEntries, type ArchivedFile } from './archiveContents.ts';

/**
 * Number of bytes to read at a time from a file or the archive's directory. Without a buffer, yauzl would read the
 * directory only a few bytes at a time.
 */
const PIECE_BYTES = 64 * 1024;

/** Maximum size of a file to decompress in memory, which is several times as fast as a stream for a small file. */
const MAX_BYTES_IN_MEMORY = 256 * 1024;

/** Minimum size of an output chunk that zlib supports. */
const MIN_CHUNK_BYTES = 64;

const STORED = 0;
const DEFLATED = 8;

/** Mask of the file type in a Unix mode, which archivers store in the upper half of an entry's attributes. */
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
   * Reads and decompresses a file.
   *
   * @throws PackageError, even after some data, if the size or the checksum doesn't match the directory
   */
  readonly read: (file: ArchivedFile) => AsyncIterable<Buffer>;
}

/**
 * Opens an archive, checks its directory, passes it to `work`, and closes it afterward.
 *
 * @throws PackageError if the archive is damaged or contains something that apps can't contain, or any error that
 * `work` throws
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
  return { contents, read: (file) => readEntry(zip, handle, entries.get(file), file.path) };
}

async function* readEntry(
  zip: ZipFile,
  handle: FileHandle,
  entry: Entry | undefined,
  name: string,
): AsyncGenerator<Buffer> {
  if (entry === undefined) {
    throw new Error('not a file of this archive');
  }
  const bytes = await readSmallEntry(zip, handle, entry).catch(() => undefined);
  if (bytes !== undefined) {
    yield bytes;
    return;
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

/** Returns the content of a small entry, or `undefined` if it's large or damaged, which a stream reports in detail. */
async function readSmallEntry(zip: ZipFile, handle: FileHandle, entry: Entry): Promise<Buffer | undefined> {
  const { compressedSize, uncompressedSize: size, compressionMethod } = entry;
  if (size === 0 || size > MAX_BYTES_IN_MEMORY || compressedSize > MAX_BYTES_IN_MEMORY) {
    return undefined;
  }
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const packed = Buffer.allocUnsafe(compressedSize);
  const { bytesRead } = await handle.read(packed, 0, compressedSize, fileDataStart);
  const bytes =
    compressionMethod === STORED
      ? packed
      : inflateRawSync(packed, { maxOutputLength: size, chunkSize: Math.max(size, MIN_CHUNK_BYTES) });
  const isIntact = bytesRead === compressedSize && bytes.length === size && crc32(bytes) === entry.crc32;
  return isIntact ? bytes : undefined;
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
    // Entries that overlap could expand to far more than the size of the archive suggests.
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
    throw new PackageError(`${toDisplayText(name)} is a symbolic link. Pack the file that it points to instead.`);
  }
  if (type !== 0 && type !== (isFolder ? FOLDER : REGULAR_FILE)) {
    throw new PackageError(`${toDisplayText(name)} is neither a regular file nor a folder. Remove it.`);
  }
  if ((entry.generalPurposeBitFlag & ENCRYPTION_FLAGS) !== 0) {
    throw new PackageError(`${toDisplayText(name)} is encrypted. Pack the files without a password.`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    const method = `method ${entry.compressionMethod}`;
    throw new PackageError(
      `${toDisplayText(name)} is compressed with ${method}, which isn’t supported. Pack the files with the default method (deflate).`,
    );
  }
  if (isFolder && entry.uncompressedSize > 0) {
    throw brokenZip('a folder has content', name);
  }
}

function brokenZip(reason: string, name?: string): PackageError {
  const where = name === undefined ? '' : ` at ${toDisplayText(name)}`;
  return new PackageError(`The zip archive is broken${where}: ${reason}. Pack the files again.`);
}

/** Converts an error about the archive to a PackageError. Returns file system errors, such as `EIO`, unchanged. */
function asPackageError(error: unknown, name?: string): unknown {
  if (error instanceof PackageError || !(error instanceof Error) || ('syscall' in error && 'errno' in error)) {
    return error;
  }
  if (error.message === 'strong encryption is not supported') {
    return new PackageError('The zip archive is encrypted. Pack the files without a password.');
  }
  return brokenZip(toDisplayText(error.message).slice(1, -1).replace(/\.$/, ''), name);
}

/**
 * Reads an archive's file for yauzl. Given an invalid position, yauzl's own reader makes `node:fs` throw an uncaught
 * error, which would crash the service. A small read also fetches the bytes that follow, which makes reading a
 * directory of 20,000 entries ten times as fast.
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

  /** Reads a range of the file. Doesn't use a stream of `node:fs`, which would close the file. */
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

/**
 * Packs the regular files in a folder into a zip archive, sorted by name. Skips links.
 *
 * @param target path of the new file, which must not exist
 * @throws the signal's reason when it's aborted
 */
export async function zipFolder(folder: string, target: string, signal: AbortSignal): Promise<void> {
  const paths = await listFiles(folder);
  const zip = new NewZipFile();
  const output = zip.outputStream as Readable;
  // Only this event reports a file that disappears during packing.
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
