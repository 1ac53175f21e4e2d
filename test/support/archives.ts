/** Archives byte by byte, also those that no archiver writes. */
import { crc32, deflateRawSync } from 'node:zlib';

/** What the directory of a zip archive says of an entry. Each value may be a lie. */
export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly deflate?: boolean;
  /** Unix mode with the type of file. */
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly checksum?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly offset?: number;
  readonly extra?: Buffer;
}

export interface ZipOptions {
  readonly directoryOffset?: number;
  /** A zip64 end of the directory with these values. */
  readonly zip64?: { readonly recordOffset?: bigint; readonly count?: bigint; readonly directoryOffset?: bigint };
}

const UTF8_NAMES = 0x0800;

/** A zip archive as APPNOTE.TXT describes it. */
export function zipOf(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.deflate === true ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8_NAMES | (entry.flags ?? 0), 2);
    common.writeUInt16LE(entry.method ?? (entry.deflate === true ? 8 : 0), 4);
    common.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    common.writeUInt32LE(entry.packedSize ?? packed.length, 14);
    common.writeUInt32LE(entry.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
    locals.push(local);
    common.writeUInt16LE(entry.extra?.length ?? 0, 24);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    rest.writeUInt32LE(entry.offset ?? offset, 10);
    const madeBy = Buffer.from([20, 3]);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, common, rest, name, entry.extra ?? Buffer.alloc(0)]),
    );
    offset += local.length;
  }
  const directorySize = Buffer.concat(directory).length;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(options.directoryOffset ?? offset, 16);
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
