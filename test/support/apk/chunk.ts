/** What compiled XML and resource tables consist of: AOSP's ResourceTypes.h decides (`ResChunk_header`, `ResStringPool_header`). */
import { ByteReader } from './byteReader.ts';
import { demand, readable } from './invalidApkError.ts';

/** `RES_…_TYPE` */
export const CHUNK_TYPES = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  startNamespace: 0x0100,
  endNamespace: 0x0101,
  startElement: 0x0102,
  endElement: 0x0103,
  resourceMap: 0x0180,
  package: 0x0200,
  type: 0x0201,
  typeSpec: 0x0202,
} as const;

/** `ResStringPool_header::UTF8_FLAG` and `SORTED_FLAG` */
const UTF8_FLAG = 0x0100;
const SORTED_FLAG = 0x0001;

/** Where an index of a string pool, or of a map, names nothing. */
export const NO_INDEX = 0xffffffff;

export interface Chunk {
  readonly type: number;
  /** The rest of the header, behind type and sizes. */
  readonly header: ByteReader;
  readonly headerSize: number;
  readonly body: ByteReader;
  readonly bytes: Buffer;
}

/** The next chunk, as long as it says. @param title what the chunks around it are, for messages */
export function readChunk(reader: ByteReader, title: string): Chunk {
  const start = reader.position;
  const type = reader.uint16();
  const headerSize = reader.uint16();
  const size = reader.uint32();
  const where = `${title}: chunk 0x${type.toString(16)} at ${start}`;
  demand(
    headerSize >= 8 && size >= headerSize && headerSize % 4 === 0 && size % 4 === 0,
    `${where} has a header of ${headerSize} and ${size} bytes`,
  );
  const rest = reader.slice(size - 8);
  return {
    type,
    headerSize,
    header: new ByteReader(rest.subarray(0, headerSize - 8), `${where}, header`),
    body: new ByteReader(rest.subarray(headerSize - 8), where),
    bytes: reader.bytes.subarray(start, start + size),
  };
}

/** The one chunk that a file consists of. */
export function readOuterChunk(bytes: Buffer, type: number, title: string): Chunk {
  const reader = new ByteReader(bytes, title);
  const chunk = readChunk(reader, title);
  reader.end();
  demand(chunk.type === type, `${title}: begins with chunk 0x${type.toString(16)}`);
  return chunk;
}

/** The strings of a pool without styles. */
export function readStringPool({ type, header, headerSize, body, bytes }: Chunk): readonly string[] {
  const { title } = body;
  demand(type === CHUNK_TYPES.stringPool, `${title}: there is a string pool`);
  const count = header.uint32();
  demand(header.uint32() === 0, `${title}: the strings have no styles`);
  const flags = header.uint32();
  demand((flags & ~(UTF8_FLAG | SORTED_FLAG)) === 0, `${title}: its flags are known`);
  const stringsStart = header.uint32();
  demand(header.uint32() === 0, `${title}: the strings have no styles`);
  header.end();
  demand(count <= body.bytes.length / 4, `${title}: ${count} strings`);
  const offsets = Array.from({ length: count }, () => body.uint32());
  demand(count === 0 || stringsStart === headerSize + body.position, `${title}: the strings follow their offsets`);

  let stringsEnd = headerSize + body.position;
  const strings = offsets.map((offset) => {
    const reader = new ByteReader(bytes, `${title}, string at ${offset}`, stringsStart + offset);
    const text = (flags & UTF8_FLAG) === 0 ? readUtf16(reader) : readUtf8(reader);
    stringsEnd = Math.max(stringsEnd, reader.position);
    return text;
  });
  const padding = bytes.subarray(stringsEnd);
  demand(
    padding.length < 4 && padding.every((byte) => byte === 0),
    `${title}: zeros follow the last string, to 4 bytes`,
  );
  return strings;
}

/** The string of an index, which must be in the pool. */
export function stringAt(strings: readonly string[], index: number, title: string): string {
  const text = strings[index];
  demand(text !== undefined, `${title}: there is a string ${index}`);
  return text;
}

/** The string of an index, or undefined where the index is that of no string. */
export function optionalStringAt(strings: readonly string[], index: number, title: string): string | undefined {
  return index === NO_INDEX ? undefined : stringAt(strings, index, title);
}

function readUtf16(reader: ByteReader): string {
  const first = reader.uint16();
  const length = first < 0x8000 ? first : ((first & 0x7fff) << 16) | reader.uint16();
  const text = decode(reader, 'utf-16le', length * 2);
  demand(reader.uint16() === 0, `${reader.title}: ends with a zero`);
  return text;
}

/** Its length in UTF-16, then that in bytes. */
function readUtf8(reader: ByteReader): string {
  const length = readUtf8Length(reader);
  const text = decode(reader, 'utf-8', readUtf8Length(reader));
  demand(text.length === length && reader.uint8() === 0, `${reader.title}: is as long as it says and ends with a zero`);
  return text;
}

function readUtf8Length(reader: ByteReader): number {
  const first = reader.uint8();
  return first < 0x80 ? first : ((first & 0x7f) << 8) | reader.uint8();
}

function decode(reader: ByteReader, encoding: string, length: number): string {
  const bytes = reader.slice(length);
  return readable(
    () => new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes),
    `${reader.title}: is ${encoding}`,
  );
}
