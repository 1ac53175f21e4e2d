/**
 * The signing block of an Android package, which precedes the directory of its zip archive: APK Signature Scheme v2
 * (Android 7 and 8) and v3 (Android 9 and later). https://source.android.com/docs/security/features/apksigning/v2, …/v3
 */
import { createHash, createPublicKey, sign } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';

import { uint32 } from '../resources/bytes.ts';
import { FILE_MODE } from '../files.ts';
import type { Signer } from '../keys/signer.ts';

/** Size of the chunks that are digested. */
const SIGNED_CHUNK_BYTES = 1024 ** 2;

const MAGIC = Buffer.from('APK Sig Block 42');
const V2_ID = 0x7109871a;
const V3_ID = 0xf05368c0;
/** Attribute in v2 that requires a v3 block, so that Android rejects a package whose v3 block was removed. */
const STRIPPING_PROTECTION_ID = 0xbeeff00d;
const V3 = 3;
/** First API level that supports v3. */
const V3_MIN_SDK = 28;
const V3_MAX_SDK = 0x7fffffff;
/** Signature algorithms with SHA-256: RSASSA-PKCS1-v1_5 and ECDSA. */
const RSA = 0x0103;
const ECDSA = 0x0201;

/** Returns the digest of one chunk of a section. */
function digestChunk(bytes: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0xa5)).update(uint32(bytes.length)).update(bytes).digest();
}

/** Returns the digests of the chunks of a section in memory. */
export function digestSection(bytes: Buffer): readonly Buffer[] {
  const count = Math.ceil(bytes.length / SIGNED_CHUNK_BYTES);
  return Array.from({ length: count }, (_, index) =>
    digestChunk(bytes.subarray(index * SIGNED_CHUNK_BYTES, (index + 1) * SIGNED_CHUNK_BYTES)),
  );
}

/**
 * Creates the signing block of a package.
 *
 * @param digests chunk digests of the entries, the directory, and the end record. For these digests, the directory's offset
 * in the end record must be the start of the signing block.
 * @param signer signer with an RSA or EC key
 */
export function createSigningBlock(digests: readonly Buffer[], signer: Signer): Buffer {
  const digest = createHash('sha256')
    .update(Buffer.of(0x5a))
    .update(uint32(digests.length))
    .update(Buffer.concat(digests))
    .digest();
  const pairs = Buffer.concat([pair(V2_ID, signatureV2(digest, signer)), pair(V3_ID, signatureV3(digest, signer))]);
  const size = uint64(pairs.length + 8 + MAGIC.length);
  return Buffer.concat([size, pairs, size, MAGIC]);
}

function signatureV2(digest: Buffer, signer: Signer): Buffer {
  const attribute = prefixed(uint32(STRIPPING_PROTECTION_ID, V3));
  const signed = Buffer.concat([...digestAndCertificates(digest, signer), prefixed(attribute)]);
  return prefixed(prefixed(prefixed(signed), ...signatureAndKey(signed, signer)));
}

function signatureV3(digest: Buffer, signer: Signer): Buffer {
  const versions = uint32(V3_MIN_SDK, V3_MAX_SDK);
  const signed = Buffer.concat([...digestAndCertificates(digest, signer), versions, prefixed()]);
  return prefixed(prefixed(prefixed(signed), versions, ...signatureAndKey(signed, signer)));
}

/** Returns the beginning of the signed data, which is the same in both schemes. */
function digestAndCertificates(digest: Buffer, signer: Signer): readonly Buffer[] {
  return [
    prefixed(prefixed(uint32(getAlgorithm(signer)), prefixed(digest))),
    prefixed(...signer.certificates.map((certificate) => prefixed(certificate))),
  ];
}

function signatureAndKey(signed: Buffer, signer: Signer): readonly Buffer[] {
  const signature = sign('sha256', signed, signer.privateKey);
  const publicKey = createPublicKey(signer.privateKey).export({ type: 'spki', format: 'der' });
  return [prefixed(prefixed(uint32(getAlgorithm(signer)), prefixed(signature))), prefixed(publicKey)];
}

function getAlgorithm({ privateKey }: Signer): number {
  return privateKey.asymmetricKeyType === 'ec' ? ECDSA : RSA;
}

/** Prefixes bytes with their length. */
function prefixed(...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function pair(id: number, value: Buffer): Buffer {
  return Buffer.concat([uint64(value.length + 4), uint32(id), value]);
}

function uint64(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

/** Writes a package file sequentially and computes the digests of its chunks if the package is signed. */
export class PackageWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #isSigned: boolean;
  readonly #digests: Buffer[] = [];
  /** Bytes that haven't been written yet. */
  readonly #pending = Buffer.allocUnsafe(SIGNED_CHUNK_BYTES);
  #pendingBytes = 0;
  #written = 0;

  private constructor(path: string, file: FileHandle, isSigned: boolean) {
    this.#path = path;
    this.#file = file;
    this.#isSigned = isSigned;
  }

  /**
   * Creates the file.
   *
   * @param path path of the new file, which must not exist
   */
  static async create(path: string, isSigned: boolean): Promise<PackageWriter> {
    return new PackageWriter(path, await open(path, 'wx', FILE_MODE), isSigned);
  }

  /** Offset of the next byte. */
  get position(): number {
    return this.#written + this.#pendingBytes;
  }

  async write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length;) {
      const count = bytes.copy(this.#pending, this.#pendingBytes, start);
      this.#pendingBytes += count;
      start += count;
      if (this.#pendingBytes === SIGNED_CHUNK_BYTES) {
        await this.#flush();
      }
    }
  }

  /**
   * Appends a part of another file.
   *
   * @throws Error if the file ends early, or the signal's reason when it's aborted
   */
  async copy(source: FileHandle, start: number, length: number, signal: AbortSignal): Promise<void> {
    for (let copied = 0; copied < length;) {
      signal.throwIfAborted();
      const room = Math.min(length - copied, SIGNED_CHUNK_BYTES - this.#pendingBytes);
      const { bytesRead } = await source.read(this.#pending, this.#pendingBytes, room, start + copied);
      if (bytesRead === 0) {
        throw new Error('A file of the app changed while it was packed.');
      }
      this.#pendingBytes += bytesRead;
      copied += bytesRead;
      if (this.#pendingBytes === SIGNED_CHUNK_BYTES) {
        await this.#flush();
      }
    }
  }

  /** Ends the section of entries. @returns the digests of its chunks */
  async endSection(): Promise<readonly Buffer[]> {
    if (this.#pendingBytes > 0) {
      await this.#flush();
    }
    return this.#digests;
  }

  /** Writes the bytes after the section, which the caller digests if necessary. */
  async writeRest(bytes: Buffer): Promise<void> {
    await this.#file.writeFile(bytes);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Closes and deletes the file. */
  async discard(): Promise<void> {
    await this.#file.close();
    await rm(this.#path);
  }

  async #flush(): Promise<void> {
    const bytes = this.#pending.subarray(0, this.#pendingBytes);
    if (this.#isSigned) {
      this.#digests.push(digestChunk(bytes));
    }
    await this.#file.writeFile(bytes);
    this.#written += bytes.length;
    this.#pendingBytes = 0;
  }
}
