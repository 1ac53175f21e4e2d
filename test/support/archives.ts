/** Builds archives byte by byte, including ones that no archiver writes. */
import { crc32, deflateRawSync } from 'node:zlib';

import { uint16, uint32 } from '../../src/android-package/resources/bytes.ts';

/** Metadata of an entry in a zip archive's directory. Every value may be wrong on purpose. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly deflate?: boolean;
  /** Unix mode, including the file type. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly checksum?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly offset?: number;
  readonly extra?: Buffer;
}

interface ZipOptions {
  readonly directoryOffset?: number;
  /** Adds a zip64 end of the directory with these values. */
  readonly zip64?: { readonly recordOffset?: bigint; readonly count?: bigint; readonly directoryOffset?: bigint };
}

const UTF8_NAMES = 0x0800;

/** Returns a zip archive as specified in APPNOTE.TXT. */
export function createZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.deflate === true ? deflateRawSync(content) : content;
    const method = entry.method ?? (entry.deflate === true ? 8 : 0);
    const sizes = [entry.packedSize ?? packed.length, entry.size ?? content.length];
    const head = [
      uint16(20, UTF8_NAMES | (entry.flags ?? 0), method, 0, 0),
      uint32(entry.checksum ?? crc32(content), ...sizes),
      uint16(name.length),
    ];
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), ...head, uint16(0), name, packed]);
    locals.push(local);
    const { extra = Buffer.alloc(0), mode = 0 } = entry;
    const rest = [uint16(extra.length, 0, 0, 0), uint32(mode << 16, entry.offset ?? offset), name, extra];
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), ...head, ...rest]));
    offset += local.length;
  }
  const directorySize = Buffer.concat(directory).length;
  const end = Buffer.concat([
    Buffer.from('PK\x05\x06'),
    uint16(0, 0, entries.length, entries.length),
    uint32(directorySize, options.directoryOffset ?? offset),
    uint16(0),
  ]);
  return Buffer.concat([...locals, ...directory, ...zip64End(options, entries.length, offset, directorySize), end]);
}

function zip64End({ zip64 }: ZipOptions, count: number, offset: number, directorySize: number): readonly Buffer[] {
  if (zip64 === undefined) {
    return [];
  }
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(zip64.count ?? BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directorySize), 40);
  record.writeBigUInt64LE(zip64.directoryOffset ?? BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(zip64.recordOffset ?? BigInt(offset + directorySize), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}
