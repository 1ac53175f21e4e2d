/** The archive of a package, by PKWARE's APPNOTE.TXT, and what Android asks of it beyond that. */
import { crc32, inflateRawSync } from 'node:zlib';

import { ByteReader } from './byteReader.ts';
import { demand, readable } from './invalidApkError.ts';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const END_RECORD_SIZE = 22;

/** The sizes stand behind the content: Android reads such entries, but it is another thing to get wrong. */
const DATA_DESCRIPTOR_FLAG = 0x0008;
const UTF8_FLAG = 0x0800;
/** Those above, and the two which say how hard the compressor tried. */
const KNOWN_FLAGS = UTF8_FLAG | 0x0006;

const METHODS = new Map<number, ZipEntry['method']>([
  [0, 'stored'],
  [8, 'deflated'],
]);

export interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  /** Of the data in the file. */
  readonly offset: number;
  /** Of the content. */
  readonly size: number;
  readonly compressedSize: number;
  /** The content, inflated. */
  readonly content: () => Buffer;
}

export interface ZipArchive {
  /** In the order of the directory. */
  readonly entries: readonly ZipEntry[];
  /** Behind the last entry: the signing block, or the directory. */
  readonly entriesEnd: number;
  readonly directoryOffset: number;
  readonly endRecordOffset: number;
}

/** The fields that an entry's two headers have in common, in this order (4.3.7 and 4.3.12). */
interface Header {
  readonly version: number;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
}

/**
 * An archive whose entries follow each other without a gap from the first byte, and whose directory ends at the end record.
 *
 * @throws InvalidApkError
 */
export function readZip(bytes: Buffer): ZipArchive {
  const endRecordOffset = bytes.length - END_RECORD_SIZE;
  demand(
    endRecordOffset >= 0 &&
      bytes.readUInt32LE(endRecordOffset) === END_RECORD &&
      bytes.readUInt16LE(bytes.length - 2) === 0,
    'zip: the file ends with the end record, without a comment',
  );
  const record = new ByteReader(bytes.subarray(0, -2), 'zip: end record', endRecordOffset + 4);
  demand(record.uint32() === 0, 'zip: there is one disk');
  const count = record.uint16();
  demand(count === record.uint16(), 'zip: the end record counts the entries of one disk');
  const directorySize = record.uint32();
  const directoryOffset = record.uint32();
  record.end();
  demand(
    count !== 0xffff && directorySize !== 0xffffffff && directoryOffset !== 0xffffffff,
    'zip: Android reads no zip64 archives',
  );
  demand(directoryOffset + directorySize === endRecordOffset, 'zip: the directory ends where the end record begins');

  const directory = new ByteReader(bytes.subarray(0, endRecordOffset), 'zip: directory', directoryOffset);
  const found = directory.untilEnd(() => readEntry(directory, bytes.subarray(0, directoryOffset)));
  demand(found.length === count, `zip: the end record says ${count} entries, there are ${found.length}`);
  demand(new Set(found.map(({ entry }) => entry.name)).size === count, 'zip: no two entries have one name');

  let entriesEnd = 0;
  for (const { entry, start } of found.toSorted((one, other) => one.start - other.start)) {
    demand(start === entriesEnd, `zip: ${entry.name} begins at ${start}, the one before it ends at ${entriesEnd}`);
    entriesEnd = entry.offset + entry.compressedSize;
  }
  return { entries: found.map(({ entry }) => entry), entriesEnd, directoryOffset, endRecordOffset };
}

/** @returns the next entry of the directory, and where its local header begins in `contents`: all before the directory */
function readEntry(directory: ByteReader, contents: Buffer): { readonly entry: ZipEntry; readonly start: number } {
  demand(directory.uint32() === DIRECTORY_HEADER, 'zip: the directory consists of headers');
  directory.uint16(); // The version of who made it.
  const header = readHeader(directory);
  const nameLength = directory.uint16();
  const extraLength = directory.uint16();
  const commentLength = directory.uint16();
  demand(directory.uint16() === 0, 'zip: there is one disk');
  directory.slice(2 + 4); // Attributes.
  const start = directory.uint32();
  const nameBytes = directory.slice(nameLength);
  directory.slice(extraLength + commentLength);
  const name = readName(nameBytes, header.flags);

  const { flags, crc, size, compressedSize } = header;
  demand((flags & DATA_DESCRIPTOR_FLAG) === 0, `zip: ${name} has no data descriptor`);
  demand((flags & ~KNOWN_FLAGS) === 0, `zip: ${name} has flags 0x${flags.toString(16)}`);
  demand(header.version <= 20, `zip: ${name} asks for version ${header.version}`);
  demand(![size, compressedSize, start].includes(0xffffffff), 'zip: Android reads no zip64 archives');
  const method = METHODS.get(header.method);
  demand(method !== undefined, `zip: ${name} is stored or deflated, not ${header.method}`);

  const local = new ByteReader(contents, `zip: local header of ${name}`, start);
  demand(start < contents.length && local.uint32() === LOCAL_HEADER, `zip: ${name} has a local header`);
  const localHeader = readHeader(local);
  const localNameLength = local.uint16();
  const localExtraLength = local.uint16();
  demand(
    JSON.stringify(localHeader) === JSON.stringify(header) && local.slice(localNameLength).equals(nameBytes),
    `zip: directory and local header say the same of ${name}`,
  );
  local.slice(localExtraLength);
  const offset = local.position;
  const data = local.slice(compressedSize);
  const content = (): Buffer => (method === 'stored' ? data : inflate(data, size, name));
  demand(
    method === 'deflated' || offset % 4 === 0,
    `zip: the data of ${name} is aligned to 4 bytes, since it is stored`,
  );
  const whole = content();
  demand(whole.length === size, `zip: ${name} has ${size} bytes`);
  demand(crc32(whole) === crc, `zip: the crc of ${name} is right`);
  return { entry: { name, method, offset, size, compressedSize, content }, start };
}

function readHeader(reader: ByteReader): Header {
  return {
    version: reader.uint16(),
    flags: reader.uint16(),
    method: reader.uint16(),
    time: reader.uint16(),
    date: reader.uint16(),
    crc: reader.uint32(),
    compressedSize: reader.uint32(),
    size: reader.uint32(),
  };
}

/** A relative path of a file, with forward slashes (4.4.17). */
function readName(bytes: Buffer, flags: number): string {
  const name = readable(
    () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    'zip: names are UTF-8',
  );
  const shown = JSON.stringify(name);
  demand(bytes.every((byte) => byte < 0x80) || (flags & UTF8_FLAG) !== 0, `zip: ${shown} is not marked as UTF-8`);
  demand(
    !/[\\\0]/.test(name) && !name.split('/').some((part) => ['', '.', '..'].includes(part)),
    `zip: ${shown} is the relative path of a file`,
  );
  return name;
}

/** @throws InvalidApkError unless `data` is one deflated stream to its last byte */
function inflate(data: Buffer, size: number, name: string): Buffer {
  // With `info` it says how much it has read; the types do not know that it returns another thing then.
  const result: unknown = readable(
    () => inflateRawSync(data, { info: true, maxOutputLength: size + 1 }),
    `zip: ${name} can be inflated to ${size} bytes`,
  );
  demand(isInflated(result) && result.engine.bytesWritten === data.length, `zip: ${name} is deflated to its last byte`);
  return result.buffer;
}

function isInflated(
  value: unknown,
): value is { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'buffer' in value && 'engine' in value;
}
