/**
 * Java keystores (JKS): aliases and certificates are in the clear, and a digest shows whether a password is right. The format
 * is that of OpenJDK's `sun.security.provider.JavaKeyStore`.
 */
import { createHash, createPrivateKey } from 'node:crypto';

import { isCertificateOf, readCertificates } from './certificates.ts';
import { KeyFileError, type KeyEntry, type KeyFileSecrets } from './keyEntry.ts';

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const PRIVATE_KEY_TAG = 1;
const CERTIFICATE_TAG = 2;
/** SHA-1 over password, this text and everything before the digest. */
const DIGEST_TEXT = 'Mighty Aphrodite';
const DIGEST_BYTES = 20;
/** The only way in which keys are encrypted, as DER: 1.3.6.1.4.1.42.2.17.1.1, without parameters. */
const KEY_PROTECTOR = Buffer.from('300e060a2b060104012a021101010500', 'hex');

export interface JavaKeystore {
  /** In the order of the file. */
  readonly privateKeys: readonly JavaPrivateKey[];
  /** True when this is the password of the keystore. A key in it may have another one. */
  readonly isPassword: (password: string) => boolean;
}

export interface JavaPrivateKey {
  readonly alias: string;
  readonly encrypted: Buffer;
  /** DER: its own first, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** Whether a file begins like a keystore of this format. */
export function isJavaKeystore(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32BE() === MAGIC;
}

/** Reads a keystore. @throws KeyFileError `invalid` for a file of another format, and for one that is cut off */
export function readJavaKeystore(bytes: Buffer): JavaKeystore {
  let position = 0;
  const read = (length: number): Buffer => {
    if (length > bytes.length - position) {
      throw new KeyFileError('invalid');
    }
    position += length;
    return bytes.subarray(position - length, position);
  };
  const readNumber = (): number => read(4).readUInt32BE();
  // A text stands behind its length in two bytes, DER behind its type, which is X.509, and its length.
  const readText = (): string => read(read(2).readUInt16BE()).toString('utf8');
  const readCertificate = (): Buffer => {
    readText();
    return read(readNumber());
  };

  if (readNumber() !== MAGIC || readNumber() !== VERSION) {
    throw new KeyFileError('invalid');
  }
  const privateKeys: JavaPrivateKey[] = [];
  for (let left = readNumber(); left > 0; left -= 1) {
    const tag = readNumber();
    const alias = readText();
    // The time at which it was added
    read(8);
    if (tag === PRIVATE_KEY_TAG) {
      const encrypted = read(readNumber());
      const certificates: Buffer[] = [];
      for (let more = readNumber(); more > 0; more -= 1) {
        certificates.push(readCertificate());
      }
      privateKeys.push({ alias, encrypted, certificates });
    } else if (tag === CERTIFICATE_TAG) {
      readCertificate();
    } else {
      throw new KeyFileError('invalid');
    }
  }
  const content = bytes.subarray(0, position);
  const digest = read(DIGEST_BYTES);
  const isPassword = (password: string): boolean =>
    sha1(encode(password), Buffer.from(DIGEST_TEXT), content).equals(digest);
  return { privateKeys, isPassword };
}

/**
 * The key of an alias.
 *
 * @param alias in any case, which Java ignores; without one it is the first key
 * @throws KeyFileError `unknown alias`, or `no certificate` for a keystore without keys
 */
export function findJavaKey({ privateKeys }: JavaKeystore, alias: string | undefined): JavaPrivateKey {
  const found = privateKeys.find((key) => alias === undefined || key.alias.toLowerCase() === alias.toLowerCase());
  if (found === undefined) {
    throw new KeyFileError(alias === undefined ? 'no certificate' : 'unknown alias');
  }
  return found;
}

/**
 * Opens a key in a keystore.
 *
 * @throws KeyFileError, or any other error where the key is of a kind that OpenSSL does not know
 */
export function openJavaKeystore(bytes: Buffer, { password, keyPassword, alias }: KeyFileSecrets): KeyEntry {
  const keystore = readJavaKeystore(bytes);
  if (!keystore.isPassword(password)) {
    throw new KeyFileError('wrong password');
  }
  const { encrypted, certificates } = findJavaKey(keystore, alias);
  const encodedKey = decryptJavaKey(encrypted, keyPassword ?? password);
  const privateKey = createPrivateKey({ key: encodedKey, format: 'der', type: 'pkcs8' });
  const [certificate] = readCertificates(certificates.slice(0, 1));
  if (certificate === undefined || !isCertificateOf(privateKey, certificate)) {
    throw new KeyFileError('no certificate');
  }
  return { privateKey: encodedKey, certificates };
}

/**
 * Decrypts a key as OpenJDK's `sun.security.provider.KeyProtector` does: behind a salt is the key under a stream of digests
 * that starts from the salt, then the digest of password and key.
 *
 * @throws KeyFileError `wrong key password`; `invalid` or `unsupported` for what no such key is
 */
export function decryptJavaKey(encrypted: Buffer, password: string): Buffer {
  const algorithm = encrypted.indexOf(KEY_PROTECTOR);
  if (algorithm < 0) {
    throw new KeyFileError('unsupported');
  }
  const encoded = encode(password);
  const content = readOctetString(encrypted.subarray(algorithm + KEY_PROTECTOR.length));
  const key = Buffer.from(content.subarray(DIGEST_BYTES, -DIGEST_BYTES));
  let digest = content.subarray(0, DIGEST_BYTES);
  for (let start = 0; start < key.length; start += DIGEST_BYTES) {
    digest = sha1(encoded, digest);
    const part = key.subarray(start, start + DIGEST_BYTES);
    part.forEach((byte, index) => part.writeUInt8(byte ^ digest.readUInt8(index), index));
  }
  if (!sha1(encoded, key).equals(content.subarray(-DIGEST_BYTES))) {
    throw new KeyFileError('wrong key password');
  }
  return key;
}

/** The content of an octet string in DER (X.690): a tag, and its length in one byte or in the bytes that this one counts. */
function readOctetString(der: Buffer): Buffer {
  const [tag, first = 0] = der;
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  if (tag !== 0x04 || lengthBytes > 4 || der.length < 2 + lengthBytes) {
    throw new KeyFileError('invalid');
  }
  const start = 2 + lengthBytes;
  return der.subarray(start, start + (lengthBytes === 0 ? first : der.readUIntBE(2, lengthBytes)));
}

function sha1(...parts: readonly Buffer[]): Buffer {
  return createHash('sha1').update(Buffer.concat(parts)).digest();
}

/** How a password is hashed. */
function encode(password: string): Buffer {
  return Buffer.from(password, 'utf16le').swap16();
}
