/** Signs a package anew, by whatever rules a test wants to break. */
import { sign, X509Certificate, type KeyObject } from 'node:crypto';

import { layoutOf } from './apkFixtures.ts';
import { ByteReader } from './byteReader.ts';

export const V2_ID = 0x7109871a;
export const V3_ID = 0xf05368c0;

export interface Signer {
  readonly key: KeyObject;
  /** In DER. */
  readonly certificate: Buffer;
}

/** What a scheme's block says. What is left out is right. */
export interface SchemeContents {
  /** Of the digests, and of the signatures unless those differ. */
  readonly algorithms?: readonly number[];
  readonly signatureAlgorithms?: readonly number[];
  readonly certificates?: readonly Buffer[];
  readonly publicKey?: Buffer;
  readonly attributes?: readonly (readonly [id: number, value: Buffer])[];
  /** Behind the last field of the signed data, of the signer and of the block. */
  readonly signedTail?: Buffer;
  readonly signerTail?: Buffer;
  readonly blockTail?: Buffer;
  readonly signers?: number;
  /** Only v3 has a range. */
  readonly sdks?: readonly [min: number, max: number];
  readonly outerSdks?: readonly [min: number, max: number];
}

type Pair = readonly [id: number, value: Buffer];

const NONE = Buffer.alloc(0);
const STRIPPING_PROTECTION: Pair = [0xbeeff00d, uint32(3)];
const EVERY_SDK_OF_V3 = [28, 0x7fffffff] as const;

/**
 * The package with another signing block. The digests are those of its own v2 signature: they do not depend on the block.
 *
 * @param signer its key is one of elliptic curves
 */
export function resignApk(
  bytes: Buffer,
  signer: Signer,
  { v2 = {}, v3 = {} }: { readonly v2?: SchemeContents; readonly v3?: SchemeContents } = {},
): Buffer {
  const digest = digestOf(bytes);
  return withPairs(bytes, () => [
    [V2_ID, schemeBlock(signer, digest, { attributes: [STRIPPING_PROTECTION], ...v2 })],
    [V3_ID, schemeBlock(signer, digest, { sdks: EVERY_SDK_OF_V3, ...v3 })],
  ]);
}

/** The package with other pairs in its signing block. */
export function withPairs(bytes: Buffer, change: (pairs: readonly Pair[]) => readonly Pair[]): Buffer {
  const { block, directory, endRecord } = layoutOf(bytes);
  const content = Buffer.concat(
    change(pairsOf(bytes)).map(([id, value]) => Buffer.concat([uint64(value.length + 4), uint32(id), value])),
  );
  const size = uint64(content.length + 24);
  const newBlock = Buffer.concat([size, content, size, Buffer.from('APK Sig Block 42')]);
  const end = Buffer.from(bytes.subarray(endRecord));
  end.writeUInt32LE(block + newBlock.length, 16);
  return Buffer.concat([bytes.subarray(0, block), newBlock, bytes.subarray(directory, endRecord), end]);
}

function pairsOf(bytes: Buffer): readonly Pair[] {
  const { block, directory } = layoutOf(bytes);
  return new ByteReader(bytes.subarray(block + 8, directory - 24), 'pairs').untilEnd((reader): Pair => {
    const pair = reader.slice(reader.uint64());
    return [pair.readUInt32LE(), pair.subarray(4)];
  });
}

/** The first digest of the v2 signature. */
function digestOf(bytes: Buffer): Buffer {
  const [, value] = pairsOf(bytes).find(([id]) => id === V2_ID) ?? [0, NONE];
  const digests = ['signers', 'signer', 'signed data', 'digests', 'digest'].reduce(
    (reader, title) => reader.lengthPrefixed(title),
    new ByteReader(value, 'v2'),
  );
  digests.uint32();
  return digests.slice(digests.uint32());
}

function schemeBlock({ key, certificate }: Signer, digest: Buffer, contents: SchemeContents): Buffer {
  const { algorithms = [0x0201], certificates = [certificate], attributes = [], sdks } = contents;
  const range = (values: readonly number[] = []): Buffer => Buffer.concat(values.map(uint32));
  const signedData = Buffer.concat([
    prefixed(...algorithms.map((id) => prefixed(uint32(id), prefixed(digest)))),
    prefixed(...certificates.map((each) => prefixed(each))),
    range(sdks),
    prefixed(...attributes.map(([id, value]) => prefixed(uint32(id), value))),
    contents.signedTail ?? NONE,
  ]);
  const signature = sign('sha256', signedData, key);
  const publicKey =
    contents.publicKey ?? new X509Certificate(certificate).publicKey.export({ format: 'der', type: 'spki' });
  const signer = prefixed(
    prefixed(signedData),
    range(contents.outerSdks ?? sdks),
    prefixed(...(contents.signatureAlgorithms ?? algorithms).map((id) => prefixed(uint32(id), prefixed(signature)))),
    prefixed(publicKey),
    contents.signerTail ?? NONE,
  );
  return Buffer.concat([
    prefixed(...Array.from({ length: contents.signers ?? 1 }, () => signer)),
    contents.blockTail ?? NONE,
  ]);
}

function prefixed(...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([uint32(content.length), content]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
