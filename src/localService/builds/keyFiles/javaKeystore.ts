/**
 * Java keystores (JKS): who is in them is in the clear, and a digest tells whether a password is right. The format is that of
 * OpenJDK's `sun.security.provider.JavaKeyStore`.
 */
import { createHash, createPrivateKey } from 'node:crypto';

import { BerElement } from './berElement.ts';
import { isCertificateOf, readCertificates } from './certificateChain.ts';
import type { KeyEntry } from './keyEntry.ts';
import { KeyFileError } from './keyFileError.ts';

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const PRIVATE_KEY_TAG = 1;
const CERTIFICATE_TAG = 2;
/** SHA-1 over password, this text and everything before the digest. */
const DIGEST_TEXT = 'Mighty Aphrodite';
const DIGEST_BYTES = 20;
/** The only way in which keys are encrypted. */
const KEY_PROTECTOR = '1.3.6.1.4.1.42.2.17.1.1';

interface JavaKeystore {
  /** The private keys by their aliases, in lower case. */
  readonly privateKeys: ReadonlyMap<string, JavaPrivateKey>;
  readonly isPassword: (password: string) => boolean;
}

interface JavaPrivateKey {
  readonly encrypted: Buffer;
  /** DER: its own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** Tells whether a file begins like a keystore of this format. */
export function isJavaKeystore(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32BE() === MAGIC;
}

/** What opens a key. */
interface JavaKeySecrets {
  readonly password: string;
  readonly keyPassword: string;
  readonly alias: string | undefined;
}

/**
 * Opens a key in a keystore.
 *
 * @throws KeyFileError, or any other error where the key is of a kind that OpenSSL does not know
 */
export function openJavaKeystore(bytes: Buffer, { password, keyPassword, alias }: JavaKeySecrets): KeyEntry {
  const keystore = readJavaKeystore(bytes);
  if (!keystore.isPassword(password)) {
    throw new KeyFileError('wrong password');
  }
  const found = findKey(keystore, alias);
  const encodedKey = decryptKey(found.encrypted, keyPassword);
  const privateKey = createPrivateKey({ key: encodedKey, format: 'der', type: 'pkcs8' });
  const [certificate] = readCertificates(found.certificates.slice(0, 1));
  if (certificate === undefined || !isCertificateOf(privateKey, certificate)) {
    throw new KeyFileError('no certificate');
  }
  return { privateKey: encodedKey, certificates: found.certificates };
}

/**
 * Decrypts a key as OpenJDK's `sun.security.provider.KeyProtector` does: behind a salt is the key under a stream of digests
 * that starts from the salt, then the digest of password and key.
 *
 * @throws KeyFileError `wrong key password`
 */
function decryptKey(encrypted: Buffer, password: string): Buffer {
  const info = BerElement.read(encrypted);
  if (info.at(0).at(0).objectIdentifier() !== KEY_PROTECTOR) {
    throw new KeyFileError('unsupported');
  }
  const content = info.at(1).octets();
  const key = Buffer.from(content.subarray(DIGEST_BYTES, -DIGEST_BYTES));
  let digest = content.subarray(0, DIGEST_BYTES);
  for (let start = 0; start < key.length; start += DIGEST_BYTES) {
    digest = sha1(encode(password), digest);
    const part = key.subarray(start, start + DIGEST_BYTES);
    part.forEach((byte, index) => part.writeUInt8(byte ^ digest.readUInt8(index), index));
  }
  if (!sha1(encode(password), key).equals(content.subarray(-DIGEST_BYTES))) {
    throw new KeyFileError('wrong key password');
  }
  return key;
}

/** The certificates of a key, which can be read without a password. @throws KeyFileError */
export function certificatesInClear(bytes: Buffer, alias: string | undefined): readonly Buffer[] {
  return findKey(readJavaKeystore(bytes), alias).certificates;
}

/** @param alias in any case; without one it is the first key */
function findKey({ privateKeys }: JavaKeystore, alias: string | undefined): JavaPrivateKey {
  const [first] = privateKeys.values();
  const found = alias === undefined ? first : privateKeys.get(alias.toLowerCase());
  if (found === undefined) {
    throw new KeyFileError(alias === undefined ? 'no certificate' : 'unknown alias');
  }
  return found;
}

/** Reads a keystore. @throws KeyFileError `invalid` for a file of another format, and for one that is cut off */
function readJavaKeystore(bytes: Buffer): JavaKeystore {
  const reader = new Reader(bytes);
  if (reader.uint32() !== MAGIC || reader.uint32() !== VERSION) {
    throw new KeyFileError('invalid');
  }
  const privateKeys = new Map<string, JavaPrivateKey>();
  for (let left = reader.uint32(); left > 0; left -= 1) {
    const tag = reader.uint32();
    const alias = reader.text().toLowerCase();
    // The time at which it was added
    reader.skip(8);
    if (tag === PRIVATE_KEY_TAG) {
      const encrypted = reader.bytes(reader.uint32());
      const certificates = Array.from({ length: reader.length(reader.uint32()) }, () => reader.certificate());
      privateKeys.set(alias, { encrypted, certificates });
    } else if (tag === CERTIFICATE_TAG) {
      reader.certificate();
    } else {
      throw new KeyFileError('invalid');
    }
  }
  const content = bytes.subarray(0, reader.position);
  const digest = reader.bytes(DIGEST_BYTES);
  const isPassword = (password: string): boolean =>
    sha1(encode(password), Buffer.from(DIGEST_TEXT), content).equals(digest);
  return { privateKeys, isPassword };
}

function sha1(...parts: readonly Buffer[]): Buffer {
  return createHash('sha1').update(Buffer.concat(parts)).digest();
}

/** How a password is hashed. */
function encode(password: string): Buffer {
  return Buffer.from(password, 'utf16le').swap16();
}

/** Reads numbers and texts from the start of a file. Each method throws KeyFileError `invalid` where the file ends too early. */
class Reader {
  readonly #bytes: Buffer;
  position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(length: number): Buffer {
    const start = this.position;
    this.skip(length);
    return this.#bytes.subarray(start, this.position);
  }

  skip(length: number): void {
    this.position += this.length(length);
  }

  /** A number of bytes, or of things of at least one byte, that can still follow. */
  length(length: number): number {
    if (length > this.#bytes.length - this.position) {
      throw new KeyFileError('invalid');
    }
    return length;
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  text(): string {
    return this.bytes(this.bytes(2).readUInt16BE()).toString('utf8');
  }

  certificate(): Buffer {
    // Its type: X.509
    this.text();
    return this.bytes(this.uint32());
  }
}
