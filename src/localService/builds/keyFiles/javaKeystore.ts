/**
 * Java keystores (JKS): who is in them and until when is in the clear, and a digest tells whether a password is right. The
 * format is that of OpenJDK's `sun.security.provider.JavaKeyStore`.
 */
import { createHash, X509Certificate } from 'node:crypto';

import { secretsEqual } from '../../store/secrets.ts';

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const PRIVATE_KEY_TAG = 1;
const CERTIFICATE_TAG = 2;
/** SHA-1 over password, this text and everything before the digest. */
const DIGEST_TEXT = 'Mighty Aphrodite';
const DIGEST_BYTES = 20;

export interface JavaKeystore {
  /** The private keys by their aliases, in lower case. */
  readonly privateKeys: ReadonlyMap<string, JavaPrivateKey>;
  readonly isPassword: (password: string) => boolean;
}

export interface JavaPrivateKey {
  /** When its certificate expires; `undefined` when that cannot be read. */
  readonly expiresAt: Date | undefined;
}

/** Reads a keystore; `undefined` for a file of another format, and for one that is cut off. */
export function readJavaKeystore(bytes: Buffer): JavaKeystore | undefined {
  try {
    return readEntries(bytes);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

/** The form in which a keystore has an alias. */
export function javaAlias(alias: string): string {
  return alias.toLowerCase();
}

/** @throws RangeError when the file ends too early */
function readEntries(bytes: Buffer): JavaKeystore | undefined {
  const reader = new Reader(bytes);
  if (reader.uint32() !== MAGIC || reader.uint32() !== VERSION) {
    return undefined;
  }
  const privateKeys = new Map<string, JavaPrivateKey>();
  for (let left = reader.uint32(); left > 0; left -= 1) {
    const tag = reader.uint32();
    const alias = javaAlias(reader.text());
    // The time at which it was added
    reader.skip(8);
    if (tag === PRIVATE_KEY_TAG) {
      reader.skip(reader.uint32());
      const chain = Array.from({ length: reader.length(reader.uint32()) }, () => reader.certificate());
      privateKeys.set(alias, { expiresAt: chain[0] && expiryOf(chain[0]) });
    } else if (tag === CERTIFICATE_TAG) {
      reader.certificate();
    } else {
      return undefined;
    }
  }
  const content = bytes.subarray(0, reader.position);
  const digest = reader.bytes(DIGEST_BYTES).toString('hex');
  const isPassword = (password: string): boolean => {
    const encoded = Buffer.from(password, 'utf16le').swap16();
    return secretsEqual(createHash('sha1').update(encoded).update(DIGEST_TEXT).update(content).digest('hex'), digest);
  };
  return { privateKeys, isPassword };
}

function expiryOf(certificate: Buffer): Date | undefined {
  try {
    return new Date(new X509Certificate(certificate).validTo);
  } catch {
    // Not a certificate that OpenSSL knows; a signing tool will tell.
    return undefined;
  }
}

/** Reads numbers and texts from the start of a file. Each method throws RangeError where the file ends too early. */
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
      throw new RangeError('The keystore ends too early.');
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
