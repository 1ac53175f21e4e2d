/**
 * Writes Android packages: signed zip archives (PKWARE's APPNOTE.TXT, 4.3) whose stored entries are aligned to four
 * bytes.
 */
import { createHash, hash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';

import { uint16, uint32 } from '../resources/bytes.ts';
import { createSigningBlock, digestSection, PackageWriter } from './signingBlock.ts';
import { BuildError } from '../buildError.ts';
import type { Signer } from '../keys/signer.ts';

/** A file to write to an archive. */
export interface ZipEntry {
  /** Path in the archive, with slashes. */
  readonly name: string;
  /** The content, the path of a file that contains it, or an entry of another archive. */
  readonly content: Buffer | string | ArchivedEntry;
  /** Whether to store the entry uncompressed. Otherwise, it's compressed if that makes it smaller. */
  readonly isStored?: boolean;
}

/** An entry that was written to an archive. */
export interface WrittenEntry {
  readonly name: string;
  readonly method: typeof STORED | typeof DEFLATED;
  readonly crc: number;
  /** Uncompressed size in bytes. */
  readonly size: number;
  readonly compressedSize: number;
  /** Offset of the entry's header in the archive. `dataStart` is the offset of its data. */
  readonly start: number;
  readonly dataStart: number;
  /** Base64 SHA-256 of the uncompressed content. Empty if the archive was written without digests. */
  readonly digest: string;
}

/** An entry of another archive, whose data is copied unchanged. */
interface ArchivedEntry {
  /** The open archive. */
  readonly archive: FileHandle;
  readonly entry: WrittenEntry;
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04');
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER = Buffer.from('PK\x01\x02');
const END_RECORD = Buffer.from('PK\x05\x06');
const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
/** General purpose flag for file names in UTF-8. */
const FLAGS = 0x0800;
/**
 * The date of all entries: January 1, 1980, the earliest possible. It's constant so that the same files produce the
 * same package.
 */
const DATE = 0x0021;
const ALIGNMENT = 4;
/**
 * ID of the extra field that Android's tools use to align entries. The field consists of ID, length, alignment, and
 * zeros.
 */
const ALIGNMENT_FIELD = 0xd935;

/** Maximum size of a file to read into memory. Larger files are stored uncompressed. */
const MAX_BYTES_IN_MEMORY = 8 * 1024 ** 2;
/** Maximum size of a file to compress synchronously. For small files, another thread isn't faster. */
const MAX_BYTES_AT_ONCE = 16 * 1024;
const READ_BYTES = 256 * 1024;
/** Number of entries to write per turn of the event loop. The caller does other work in between, such as aborting. */
const ENTRIES_PER_TURN = 8;
/** Minimum sizes of the window and of an output chunk that zlib supports. */
const MIN_WINDOW_BITS = 9;
const MIN_CHUNK_BYTES = 64;
const deflate = promisify(deflateRaw);

/** Maximum values of fields in a zip archive. */
const MAX_ENTRIES = 0xffff;
const MAX_POSITION = 0xffffffff;

/** An entry whose offset isn't known yet. */
interface PreparedEntry extends Omit<WrittenEntry, 'start' | 'dataStart'> {
  /** Bytes to write, or the entry to copy. */
  readonly data: ZipEntry['content'];
}

/**
 * Writes a zip archive.
 *
 * @param path path of the new file, which must not exist. The file is deleted on failure.
 * @param signer signs the archive as an Android package. `undefined` leaves it unsigned.
 * @param hasDigests whether the returned entries contain digests
 * @throws BuildError if the archive is too large, or the signal's reason when it's aborted
 */
export async function writeArchive(
  path: string,
  entries: readonly ZipEntry[],
  signer: Signer | undefined,
  signal: AbortSignal,
  hasDigests = false,
): Promise<readonly WrittenEntry[]> {
  const file = await PackageWriter.create(path, signer !== undefined);
  try {
    const written = await writeEntries(entries, file, signal, hasDigests);
    const directory = Buffer.concat(written.map(directoryRecord));
    const start = file.position;
    const counts = uint16(0, 0, written.length, written.length);
    const end = (directoryStart: number): Buffer =>
      Buffer.concat([END_RECORD, counts, uint32(directory.length, directoryStart), uint16(0)]);
    const digests = await file.endSection();
    const block =
      signer === undefined
        ? Buffer.alloc(0)
        : createSigningBlock([digests, digestSection(directory), digestSection(end(start))].flat(), signer);
    await file.writeRest(Buffer.concat([block, directory, end(start + block.length)]));
    await file.close();
    return written;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Writes entries in the given order. */
async function writeEntries(
  entries: readonly ZipEntry[],
  file: PackageWriter,
  signal: AbortSignal,
  hasDigests: boolean,
): Promise<readonly WrittenEntry[]> {
  const written: WrittenEntry[] = [];
  // Read and compress files while earlier ones are being written.
  const prepared = Readable.from(entries).map((entry: ZipEntry) => prepare(entry, hasDigests), {
    concurrency: availableParallelism(),
  });
  for await (const { data, ...entry } of prepared as AsyncIterable<PreparedEntry>) {
    if (written.length % ENTRIES_PER_TURN === 0) {
      await nextTurn();
    }
    signal.throwIfAborted();
    const start = file.position;
    if (entries.length > MAX_ENTRIES || start + entry.compressedSize > MAX_POSITION) {
      throw new BuildError('The app is too large for a package. Reduce it to less than 4 GB and 65,000 files.');
    }
    const name = Buffer.from(entry.name);
    const extra = entry.method === STORED ? alignmentField(start + LOCAL_HEADER_BYTES + name.length) : Buffer.alloc(0);
    await file.write(
      Buffer.concat([LOCAL_HEADER, commonFields(entry), uint16(name.length, extra.length), name, extra]),
    );
    const dataStart = file.position;
    await writeData(data, entry.compressedSize, file, signal);
    written.push({ ...entry, start, dataStart });
  }
  return written;
}

/** @param size compressed size in bytes */
async function writeData(
  data: PreparedEntry['data'],
  size: number,
  file: PackageWriter,
  signal: AbortSignal,
): Promise<void> {
  if (Buffer.isBuffer(data)) {
    await file.write(data);
  } else if (typeof data === 'object') {
    await file.copy(data.archive, data.entry.dataStart, size, signal);
  } else {
    const source = await open(data);
    try {
      await file.copy(source, 0, size, signal);
    } finally {
      await source.close();
    }
  }
}

/** Returns the fields from the version to the sizes, which the local header and the directory share. */
function commonFields({ method, crc, size, compressedSize }: Omit<PreparedEntry, 'data'>): Buffer {
  return Buffer.concat([uint16(VERSION, FLAGS, method, 0, DATE), uint32(crc, compressedSize, size)]);
}

function directoryRecord(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name);
  // No extra field, no comment, disk 0, no attributes.
  const rest = [uint16(name.length, 0, 0, 0, 0), uint32(0, entry.start)];
  return Buffer.concat([DIRECTORY_HEADER, uint16(VERSION), commonFields(entry), ...rest, name]);
}

async function prepare({ name, content, isStored = false }: ZipEntry, hasDigests: boolean): Promise<PreparedEntry> {
  if (typeof content === 'object' && 'archive' in content) {
    return { ...content.entry, name, data: content };
  }
  if (typeof content === 'string') {
    const { size } = statSync(content);
    if (size > MAX_BYTES_IN_MEMORY) {
      const summary = await summarize(content, hasDigests);
      return { name, method: STORED, size, compressedSize: size, ...summary, data: content };
    }
  }
  // Synchronous, because reading a small file in another thread is slower.
  const bytes = typeof content === 'string' ? readFileSync(content) : content;
  const [crc, size] = [crc32(bytes), bytes.length];
  const digest = hasDigests ? hash('sha256', bytes, 'base64') : '';
  const compressed = isStored ? bytes : await compress(bytes);
  const isSmaller = compressed.length < size;
  const data = isSmaller ? compressed : bytes;
  return { name, method: isSmaller ? DEFLATED : STORED, crc, size, compressedSize: data.length, digest, data };
}

async function compress(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > MAX_BYTES_AT_ONCE) {
    return deflate(bytes);
  }
  // A window as large as the file is sufficient. Because zlib frees windows late, 20,000 small files with larger
  // windows would need half a gigabyte of memory.
  const windowBits = Math.max(MIN_WINDOW_BITS, Math.ceil(Math.log2(bytes.length + 1)));
  return deflateRawSync(bytes, { windowBits, memLevel: 6, chunkSize: Math.max(MIN_CHUNK_BYTES, bytes.length) });
}

async function summarize(path: string, hasDigests: boolean): Promise<Pick<WrittenEntry, 'crc' | 'digest'>> {
  const digest = createHash('sha256');
  let crc = 0;
  for await (const part of createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>) {
    crc = crc32(part, crc);
    if (hasDigests) {
      digest.update(part);
    }
  }
  return { crc, digest: hasDigests ? digest.digest('base64') : '' };
}

/**
 * Returns the extra field that aligns an entry.
 *
 * @param position offset where the content would start without this field
 */
function alignmentField(position: number): Buffer {
  if (position % ALIGNMENT === 0) {
    return Buffer.alloc(0);
  }
  const headBytes = 6;
  const padding = -(position + headBytes) & (ALIGNMENT - 1);
  return Buffer.concat([uint16(ALIGNMENT_FIELD, 2 + padding, ALIGNMENT), Buffer.alloc(padding)]);
}
