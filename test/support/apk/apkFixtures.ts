/** Packages that Android's own tools have made and signed: `test/fixtures/apk/README.md` says how. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gunzipSync } from 'node:zlib';

import { repositoryRoot } from '../repository.ts';
import { ByteReader } from './byteReader.ts';

/** The files, by the "Signature algorithm IDs" that each is signed with. */
export const APK_FIXTURES = {
  'rsa.apk': [0x0103],
  'ec.apk': [0x0201],
  'rsaAll.apk': [0x0101, 0x0102, 0x0103, 0x0104],
  'ecAll.apk': [0x0201, 0x0202],
  // Of several chunks of 1 MiB.
  'large.apk.gz': [0x0201],
} as const;

export type ApkFixture = keyof typeof APK_FIXTURES;

export function apkFixture(name: ApkFixture): Buffer {
  const bytes = readFileSync(join(repositoryRoot, 'test', 'fixtures', 'apk', name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** A copy of `bytes` in which `change` has changed something. */
export function patched(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

/** A copy with one bit flipped. */
export function withFlippedBit(bytes: Buffer, offset: number, bit = 0): Buffer {
  return patched(bytes, (copy) => copy.writeUInt8(copy.readUInt8(offset) ^ (1 << bit), offset));
}

/** A copy in which bytes (of a text: as UTF-16) are replaced by as many others, where they are found for the n-th time. */
export function replaced(bytes: Buffer, from: Buffer | string, to: Buffer | string, occurrence = 0): Buffer {
  const [old, replacement] = [from, to].map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf16le') : part));
  if (old === undefined || old.length !== replacement?.length) {
    throw new Error('as many bytes');
  }
  let at = bytes.indexOf(old);
  for (let found = 0; found < occurrence; found++) {
    at = bytes.indexOf(old, at + 1);
  }
  if (at < 0) {
    throw new Error(`${old.toString('hex')} is not there`);
  }
  return patched(bytes, (copy) => replacement.copy(copy, at));
}

/** A classes.dex with its own length, signature and checksum. */
export function withDexChecksums(bytes: Buffer): Buffer {
  return patched(bytes.length < 36 ? Buffer.alloc(36) : bytes, (copy) => {
    copy.writeUInt32LE(copy.length, 32);
    createHash('sha1').update(copy.subarray(32)).digest().copy(copy, 12);
    // A zlib stream ends with the adler32 of its content, big-endian.
    deflateSync(copy.subarray(12)).subarray(-4).reverse().copy(copy, 8);
  });
}

/** Where the parts of a package begin that has no comment. */
export function layoutOf(bytes: Buffer): {
  readonly block: number;
  readonly directory: number;
  readonly endRecord: number;
} {
  const endRecord = bytes.length - 22;
  const directory = bytes.readUInt32LE(endRecord + 16);
  const size = new ByteReader(bytes, 'size', directory - 24).uint64();
  return { block: directory - 8 - size, directory, endRecord };
}

/** Where the two headers of an entry begin. */
export function headersOf(bytes: Buffer, name: string): { readonly local: number; readonly directory: number } {
  const directory = bytes.indexOf(name, layoutOf(bytes).directory) - 46;
  return { local: bytes.readUInt32LE(directory + 42), directory };
}
