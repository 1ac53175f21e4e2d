/** Reads the zip archive of a package by PKWARE's APPNOTE.TXT, strictly: only what this project writes and Android accepts. */
import assert from 'node:assert/strict';
import { crc32, inflateRawSync } from 'node:zlib';

import { ByteReader } from './byteReader.ts';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const END_RECORD_SIZE = 22;
const UTF8_FLAG = 0x0800;
const STORED = 0;
const DEFLATED = 8;

export interface ZipEntry {
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  /** The content, inflated. */
  readonly content: Buffer;
}

export interface ZipArchive {
  /** In the order of the directory. */
  readonly entries: readonly ZipEntry[];
  /** Where the last entry ends and the signing block starts. */
  readonly entriesEnd: number;
  readonly directoryOffset: number;
  readonly endRecordOffset: number;
}

/** Reads an archive whose entries follow each other without a gap, and whose directory ends at the end record. */
export function readZip(bytes: Buffer): ZipArchive {
  const endRecordOffset = bytes.length - END_RECORD_SIZE;
  const record = new ByteReader(bytes, 'zip: end record', endRecordOffset);
  assert.equal(record.uint32(), END_RECORD, 'zip: the file ends with the end record');
  assert.equal(record.uint32(), 0, 'zip: there is one disk');
  const count = record.uint16();
  assert.equal(record.uint16(), count, 'zip: the end record counts the entries of one disk');
  const directorySize = record.uint32();
  const directoryOffset = record.uint32();
  assert.equal(record.uint16(), 0, 'zip: there is no comment');
  assert.equal(directoryOffset + directorySize, endRecordOffset, 'zip: the directory ends at the end record');

  const directory = new ByteReader(bytes.subarray(0, endRecordOffset), 'zip: directory', directoryOffset);
  let entriesEnd = 0;
  const entries = directory.untilEnd(() => {
    const { entry, start, end } = readEntry(directory, bytes.subarray(0, directoryOffset));
    assert.equal(start, entriesEnd, `zip: ${entry.name} begins where the entry before it ends`);
    entriesEnd = end;
    return entry;
  });
  assert.equal(entries.length, count, 'zip: the end record counts the entries');
  assert.equal(new Set(entries.map(({ name }) => name)).size, count, 'zip: no two entries have one name');
  return { entries, entriesEnd, directoryOffset, endRecordOffset };
}

/** @param contents all bytes before the directory. @returns the entry, and where its local header starts and its data ends */
function readEntry(
  directory: ByteReader,
  contents: Buffer,
): { readonly entry: ZipEntry; readonly start: number; readonly end: number } {
  assert.equal(directory.uint32(), DIRECTORY_HEADER, 'zip: the directory consists of headers');
  directory.uint16();
  const header = directory.slice(22);
  const [nameLength, extraLength, commentLength] = [directory.uint16(), directory.uint16(), directory.uint16()];
  assert.equal(directory.uint16(), 0, 'zip: there is one disk');
  directory.slice(6);
  const start = directory.uint32();
  const nameBytes = directory.slice(nameLength);
  directory.slice(extraLength + commentLength);
  const name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(nameBytes);
  const isRelative = !/[\\\0]/.test(name) && !name.split('/').some((part) => ['', '.', '..'].includes(part));
  assert.ok(isRelative, `zip: ${name} is the relative path of a file`);

  const fields = new ByteReader(header, `zip: ${name}`);
  assert.ok(fields.uint16() <= 20, `zip: ${name} asks for version 2.0 at most`);
  assert.equal(fields.uint16(), UTF8_FLAG, `zip: ${name} has only the flag for UTF-8`);
  const method = fields.uint16();
  assert.ok(method === STORED || method === DEFLATED, `zip: ${name} is stored or deflated`);
  fields.uint32();
  const [checksum, compressedSize, size] = [fields.uint32(), fields.uint32(), fields.uint32()];

  const local = new ByteReader(contents, `zip: local header of ${name}`, start);
  assert.equal(local.uint32(), LOCAL_HEADER, `zip: ${name} has a local header`);
  assert.deepEqual(local.slice(22), header, `zip: both headers of ${name} agree`);
  const [localNameLength, localExtraLength] = [local.uint16(), local.uint16()];
  assert.deepEqual(local.slice(localNameLength), nameBytes, `zip: both names of ${name} agree`);
  local.slice(localExtraLength);
  assert.ok(method === DEFLATED || local.position % 4 === 0, `zip: the data of ${name} is aligned to 4 bytes`);
  const data = local.slice(compressedSize);
  const content = method === STORED ? data : inflateRawSync(data, { maxOutputLength: size + 1 });
  assert.equal(content.length, size, `zip: ${name} has the size of its header`);
  assert.equal(crc32(content), checksum, `zip: ${name} has the checksum of its header`);
  const entry: ZipEntry = { name, method: method === STORED ? 'stored' : 'deflated', content };
  return { entry, start, end: local.position };
}
