/**
 * Verifies the signatures of a package by Android's "APK Signature Scheme v2" and "v3": one signer who has signed by both. It shares
 * no code with the program that signs, and accepts only what that writes; `npm run test:android` asks apksigner about the same packages.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';

const MAGIC = Buffer.from('APK Sig Block 42');
const V2_ID = 0x7109871a;
const V3_ID = 0xf05368c0;
/** The attribute of v2 that names the other scheme, so that v3 cannot be taken out. */
const STRIPPING_PROTECTION_ID = 0xbeeff00d;
/** The first Android that knows v3. */
const FIRST_SDK_OF_V3 = 28;
const LAST_SDK = 0x7fffffff;
const END_RECORD_BYTES = 22;
const CHUNK_SIZE = 1024 * 1024;
/** "Signature algorithm IDs" with SHA-256, by the type of the key. */
const ALGORITHMS: Readonly<Record<string, number>> = { rsa: 0x0103, ec: 0x0201 };

/** @returns the certificates of the signer: its own first */
export function readCertificates(bytes: Buffer): readonly X509Certificate[] {
  const endRecordOffset = bytes.length - END_RECORD_BYTES;
  const directoryOffset = bytes.readUInt32LE(endRecordOffset + 16);
  // The block stands before the directory, and ends with its size and its magic.
  const entriesEnd = directoryOffset - Number(bytes.readBigUInt64LE(directoryOffset - 24)) - 8;
  const block = new ByteReader(bytes.subarray(0, directoryOffset), 'signing block', entriesEnd);
  const size = block.uint64();
  const pairs = new ByteReader(block.slice(size - 24), 'signing block: pairs');
  assert.equal(block.uint64(), size, 'signing block: it has its size at both ends');
  assert.deepEqual(block.slice(16), MAGIC, 'signing block: its magic is in front of the directory');
  block.end();

  // The offset of the directory depends on the block. The block's own offset does not, and is digested in its place.
  const endRecord = Buffer.from(bytes.subarray(endRecordOffset));
  endRecord.writeUInt32LE(entriesEnd, 16);
  const sections = [bytes.subarray(0, entriesEnd), bytes.subarray(directoryOffset, endRecordOffset), endRecord];
  const digest = digestOf(sections);

  const values = pairs.untilEnd(() => {
    const value = pairs.slice(pairs.uint64());
    return [value.readUInt32LE(), value.subarray(4)] as const;
  });
  const [v2, v3] = values;
  assert.deepEqual([v2?.[0], v3?.[0], values.length], [V2_ID, V3_ID, 2], 'signing block: a v2 and a v3 signature');
  const certificates = readSigner(v2?.[1] ?? Buffer.alloc(0), 2, digest);
  const others = readSigner(v3?.[1] ?? Buffer.alloc(0), 3, digest);
  assert.deepEqual(others, certificates, 'signing block: v2 and v3 have the same certificates');
  return certificates.map((der) => new X509Certificate(der));
}

/** Verifies the signature of a scheme. @returns its certificates */
function readSigner(value: Buffer, scheme: 2 | 3, digest: Buffer): readonly Buffer[] {
  const title = `v${scheme}`;
  const block = new ByteReader(value, title);
  const signers = block.prefixed(`${title} signers`);
  block.end();
  const signer = signers.prefixed(`${title} signer`);
  signers.end();

  const signed = signer.prefixed(`${title} signed data`);
  const claimed = readSingle(signed.prefixed(`${title} digests`));
  assert.deepEqual(claimed.value, digest, `${title}: the digest is that of the package`);
  const list = signed.prefixed(`${title} certificates`);
  const certificates = list.untilEnd(() => list.slice(list.uint32()));
  const range = scheme === 3 ? [signed.uint32(), signed.uint32()] : [];
  const attributes = signed.prefixed(`${title} attributes`);
  signed.end();
  if (scheme === 3) {
    assert.deepEqual(range, [FIRST_SDK_OF_V3, LAST_SDK], 'v3: it is for every SDK from 28 on');
    assert.deepEqual([signer.uint32(), signer.uint32()], range, 'v3: the range is the same in the signed data');
  } else {
    const attribute = attributes.prefixed('v2 attribute');
    assert.deepEqual([attribute.uint32(), attribute.uint32()], [STRIPPING_PROTECTION_ID, 3], 'v2: it names scheme 3');
    attribute.end();
  }
  attributes.end();

  const signature = readSingle(signer.prefixed(`${title} signatures`));
  const publicKey = signer.slice(signer.uint32());
  signer.end();
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  const [certificate] = certificates;
  assert.ok(certificate !== undefined, `${title}: there is a certificate`);
  assert.ok(new X509Certificate(certificate).publicKey.equals(key), `${title}: the key is that of the certificate`);
  const algorithm = ALGORITHMS[key.asymmetricKeyType ?? ''];
  assert.deepEqual([claimed.id, signature.id], [algorithm, algorithm], `${title}: the algorithm is that of the key`);
  assert.ok(verify('sha256', signed.bytes, key, signature.value), `${title}: the signature is right`);
  return certificates;
}

/** A list with one digest or signature, and its algorithm. */
function readSingle(list: ByteReader): { readonly id: number; readonly value: Buffer } {
  const item = list.prefixed(list.title);
  list.end();
  const id = item.uint32();
  const value = item.slice(item.uint32());
  item.end();
  return { id, value };
}

/** "Integrity-protected contents": the digest of the digests of all chunks of 1 MiB, of which none reaches into two sections. */
function digestOf(sections: readonly Buffer[]): Buffer {
  const chunks = sections.flatMap((section) =>
    Array.from({ length: Math.ceil(section.length / CHUNK_SIZE) }, (_, index) =>
      section.subarray(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
    ),
  );
  const whole = createHash('sha256').update(prefixed(0x5a, chunks.length));
  for (const chunk of chunks) {
    whole.update(createHash('sha256').update(prefixed(0xa5, chunk.length)).update(chunk).digest());
  }
  return whole.digest();
}

function prefixed(prefix: number, count: number): Buffer {
  const bytes = Buffer.alloc(5, prefix);
  bytes.writeUInt32LE(count, 1);
  return bytes;
}

/** Reads little-endian numbers and slices one after the other, never past the end. */
class ByteReader {
  readonly bytes: Buffer;
  /** Names these bytes in messages. */
  readonly title: string;
  position: number;

  constructor(bytes: Buffer, title: string, position = 0) {
    this.bytes = bytes;
    this.title = title;
    this.position = position;
  }

  uint32(): number {
    return this.slice(4).readUInt32LE();
  }

  uint64(): number {
    return Number(this.slice(8).readBigUInt64LE());
  }

  slice(length: number): Buffer {
    const start = this.position;
    assert.ok(start + length <= this.bytes.length, `${this.title}: ends too early, at byte ${start}`);
    this.position += length;
    return this.bytes.subarray(start, this.position);
  }

  /** The bytes that follow their own length in four bytes. */
  prefixed(title: string): ByteReader {
    return new ByteReader(this.slice(this.uint32()), title);
  }

  /** Calls `read` until no bytes are left. */
  untilEnd<T>(read: () => T): readonly T[] {
    const all: T[] = [];
    while (this.position < this.bytes.length) {
      all.push(read());
    }
    return all;
  }

  /** Fails when bytes are left over. */
  end(): void {
    assert.equal(this.position, this.bytes.length, `${this.title}: bytes are left over`);
  }
}
