import { createHash, timingSafeEqual } from 'node:crypto';
import { ByteReader } from './byteReader.ts';
import { readCertificate, type CertificateSummary } from './certificate.ts';

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const PRIVATE_KEY_TAG = 1;
const CERTIFICATE_TAG = 2;
/** Entries, and certificates of one entry, that are read. */
const MAX_COUNT = 1_000;
/** Stands between the password and the content in the digest at the end. */
const DIGEST_TEXT = 'Mighty Aphrodite';
const DIGEST_BYTES = 20;
/** How a key is encrypted: the only way there is, by its object identifier, without parameters. */
const KEY_PROTECTION = Buffer.from('060a2b060104012a021101010500', 'hex');

/** A keystore of Java's own format, JKS. Aliases and certificates are in the clear. */
export interface JavaKeystore {
  /** The private keys, in the file's order. */
  readonly privateKeys: readonly JavaPrivateKey[];
  /** True when this is the password of the keystore. A key in it may have another one. */
  isPassword(password: string): boolean;
}

export interface JavaPrivateKey {
  readonly alias: string;
  readonly certificate: CertificateSummary | undefined;
  /** True when this is the key's own password; undefined when that cannot be told. */
  isPassword(password: string): boolean | undefined;
}

/**
 * Reads a keystore as OpenJDK's `sun.security.provider.JavaKeyStore` writes it.
 *
 * @returns undefined for a file of another format, and for one that is cut off.
 */
export function readJavaKeystore(file: Buffer): JavaKeystore | undefined {
  try {
    return readEntries(file);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function readEntries(file: Buffer): JavaKeystore | undefined {
  const reader = new ByteReader(file);
  if (reader.uint32() !== MAGIC || reader.uint32() !== VERSION) {
    return undefined;
  }
  const privateKeys: JavaPrivateKey[] = [];
  for (let left = count(reader); left > 0; left -= 1) {
    const tag = reader.uint32();
    const alias = reader.text();
    // When it was added.
    reader.bytes(8);
    if (tag === PRIVATE_KEY_TAG) {
      const encrypted = reader.bytes(reader.uint32());
      const chain = Array.from({ length: count(reader) }, () => certificate(reader));
      privateKeys.push({
        alias,
        certificate: chain[0] && readCertificate(chain[0]),
        isPassword: (password) => isKeyPassword(encrypted, password),
      });
    } else if (tag === CERTIFICATE_TAG) {
      certificate(reader);
    } else {
      return undefined;
    }
  }
  const content = file.subarray(0, reader.position);
  const digest = reader.bytes(DIGEST_BYTES);
  return {
    privateKeys,
    isPassword: (password) => timingSafeEqual(sha1(utf16(password), Buffer.from(DIGEST_TEXT), content), digest),
  };
}

/**
 * Opens a key as OpenJDK's `sun.security.provider.KeyProtector` does: a salt, the key under a stream of digests that starts from
 * it, and the digest of password and key.
 */
function isKeyPassword(encrypted: Buffer, password: string): boolean | undefined {
  const start = encrypted.indexOf(KEY_PROTECTION);
  // The last part of the sequence is a string of bytes, whose length stands in one, two or three bytes.
  const lengthByte = encrypted[start + KEY_PROTECTION.length + 1] ?? 0;
  const header = 2 + (lengthByte > 0x80 ? lengthByte - 0x80 : 0);
  const content = encrypted.subarray(start + KEY_PROTECTION.length + header);
  if (start < 0 || content.length < 2 * DIGEST_BYTES) {
    return undefined;
  }
  const encoded = utf16(password);
  const key = Buffer.from(content.subarray(DIGEST_BYTES, -DIGEST_BYTES));
  let digest = content.subarray(0, DIGEST_BYTES);
  for (let position = 0; position < key.length; position += DIGEST_BYTES) {
    digest = sha1(encoded, digest);
    for (const [index, byte] of digest.subarray(0, key.length - position).entries()) {
      key.writeUInt8(key.readUInt8(position + index) ^ byte, position + index);
    }
  }
  return timingSafeEqual(sha1(encoded, key), content.subarray(-DIGEST_BYTES));
}

function sha1(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha1');
  parts.forEach((part) => hash.update(part));
  return hash.digest();
}

/** How a password is hashed. */
function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function count(reader: ByteReader): number {
  const found = reader.uint32();
  if (found > MAX_COUNT) {
    throw new RangeError('The keystore has more entries than are read.');
  }
  return found;
}

/** DER, behind its type, which is X.509. */
function certificate(reader: ByteReader): Buffer {
  reader.text();
  return reader.bytes(reader.uint32());
}
