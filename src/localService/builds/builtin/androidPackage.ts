/** An Android package: a signed zip archive (APPNOTE.TXT of PKWARE, 4.3), whose stored entries begin at multiples of four bytes. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';

import type { Signer } from '../buildKeys.ts';
import { uint16, uint32 } from './bytes.ts';
import { createSigningBlock, digestSection, PackageFile } from './signingBlock.ts';

export interface ZipEntry {
  /** With slashes. */
  readonly name: string;
  /** The content, or the path of a file that has it. */
  readonly content: Buffer | string;
  /** `true`: as it is; else compressed where that makes it smaller. */
  readonly isStored?: boolean;
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04');
const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_HEADER = Buffer.from('PK\x01\x02');
const END_RECORD = Buffer.from('PK\x05\x06');
const STORED = 0;
const DEFLATED = 8;
const VERSION = 20;
/** Names are in UTF-8. */
const FLAGS = 0x0800;
/** The first of January 1980 at midnight, the earliest there is: the same files make the same package. */
const DATE = 0x0021;
const ALIGNMENT = 4;
/** The extra field that aligns an entry, as Android's own tools write it: an ID, a length, the alignment, zeros. */
const ALIGNMENT_FIELD = 0xd935;

/** A larger file is never in memory as a whole, and is stored. */
const MAX_BYTES_IN_MEMORY = 8 * 1024 ** 2;
/** Smaller files are compressed at once: another thread does not pay. */
const MAX_BYTES_AT_ONCE = 16 * 1024;
const READ_BYTES = 256 * 1024;
/** zlib has no smaller window, and no smaller pieces of what it makes. */
const MIN_WINDOW_BITS = 9;
const MIN_CHUNK_BYTES = 64;
const deflate = promisify(deflateRaw);

/** An entry whose bytes are known but for where they go. */
interface PreparedEntry {
  readonly name: Buffer;
  readonly method: typeof STORED | typeof DEFLATED;
  readonly crc: number;
  /** Bytes, uncompressed. */
  readonly size: number;
  /** The bytes to write, or the path of a file that has them. */
  readonly data: Buffer | string;
}

/**
 * Writes a signed Android package.
 *
 * @param path of a file that does not exist
 * @throws the signal's reason when it is aborted
 */
export async function writeAndroidPackage(
  path: string,
  entries: readonly ZipEntry[],
  signer: Signer,
  signal: AbortSignal,
): Promise<void> {
  const file = await PackageFile.create(path);
  try {
    const records = await writeEntries(entries, file, signal);
    const start = file.position;
    const directory = Buffer.concat(records);
    const counts = uint16(0, 0, records.length, records.length);
    const end = (directoryStart: number): Buffer =>
      Buffer.concat([END_RECORD, counts, uint32(directory.length, directoryStart), uint16(0)]);
    const digests = [await file.endSection(), digestSection(directory), digestSection(end(start))].flat();
    const block = createSigningBlock(digests, signer);
    await file.writeRest(Buffer.concat([block, directory, end(start + block.length)]));
  } finally {
    await file.close();
  }
}

/**
 * Writes entries in their order.
 *
 * @returns the records of the directory
 * @throws the signal's reason when it is aborted
 */
async function writeEntries(
  entries: readonly ZipEntry[],
  file: PackageFile,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const directory: Buffer[] = [];
  // Files are read and compressed while the ones before them are written.
  const prepared = Readable.from(entries).map(prepare, { concurrency: availableParallelism() });
  for await (const entry of prepared as AsyncIterable<PreparedEntry>) {
    signal.throwIfAborted();
    const start = file.position;
    const { name, method, crc, size, data } = entry;
    const compressedSize = typeof data === 'string' ? size : data.length;
    // From the version to the sizes, which the local header and the directory share.
    const common = Buffer.concat([uint16(VERSION, FLAGS, method, 0, DATE), uint32(crc, compressedSize, size)]);
    const extra = method === STORED ? alignmentField(start + LOCAL_HEADER_BYTES + name.length) : Buffer.alloc(0);
    await file.write(Buffer.concat([LOCAL_HEADER, common, uint16(name.length, extra.length), name, extra]));
    if (typeof data === 'string') {
      await copyFile(data, size, file);
    } else {
      await file.write(data);
    }
    // No extra field, no comment, disk 0, no attributes.
    const rest = [uint16(name.length, 0, 0, 0, 0), uint32(0, start)];
    directory.push(Buffer.concat([DIRECTORY_HEADER, uint16(VERSION), common, ...rest, name]));
  }
  return directory;
}

async function prepare({ name, content, isStored = false }: ZipEntry): Promise<PreparedEntry> {
  const named = { name: Buffer.from(name) };
  if (typeof content === 'string') {
    const { size } = await stat(content);
    if (size > MAX_BYTES_IN_MEMORY) {
      return { ...named, method: STORED, crc: await crcOfFile(content), size, data: content };
    }
  }
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  const [crc, size] = [crc32(bytes), bytes.length];
  const compressed = isStored ? bytes : await compress(bytes);
  return compressed.length < size
    ? { ...named, method: DEFLATED, crc, size, data: compressed }
    : { ...named, method: STORED, crc, size, data: bytes };
}

async function compress(bytes: Buffer): Promise<Buffer> {
  if (bytes.length > MAX_BYTES_AT_ONCE) {
    return deflate(bytes);
  }
  // A window as large as the file is enough. Memory for larger ones is freed late: 20,000 small files would take half a gigabyte.
  const windowBits = Math.max(MIN_WINDOW_BITS, Math.ceil(Math.log2(bytes.length + 1)));
  return deflateRawSync(bytes, { windowBits, memLevel: 6, chunkSize: Math.max(MIN_CHUNK_BYTES, bytes.length) });
}

async function crcOfFile(path: string): Promise<number> {
  let crc = 0;
  for await (const part of readParts(path)) {
    crc = crc32(part, crc);
  }
  return crc;
}

/** @throws Error when the file has another size than it had */
async function copyFile(path: string, size: number, file: PackageFile): Promise<void> {
  const start = file.position;
  for await (const part of readParts(path)) {
    await file.write(part);
  }
  if (file.position - start !== size) {
    throw new Error('A file of the app has changed while it was packed.');
  }
}

function readParts(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: READ_BYTES });
}

/** @param position where the content would begin without it */
function alignmentField(position: number): Buffer {
  if (position % ALIGNMENT === 0) {
    return Buffer.alloc(0);
  }
  const headBytes = 6;
  const padding = -(position + headBytes) & (ALIGNMENT - 1);
  return Buffer.concat([uint16(ALIGNMENT_FIELD, 2 + padding, ALIGNMENT), Buffer.alloc(padding)]);
}
