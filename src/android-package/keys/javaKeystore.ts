/**
 * Reads Java keystores (JKS), the format of OpenJDK's `sun.security.provider.JavaKeyStore`. Aliases and certificates
 * aren't encrypted. A digest shows whether a password is correct.
 */
import { createHash, createPrivateKey } from 'node:crypto';

import { isCertificateForKey, readCertificates } from './certificates.ts';
import { KeyFileError, type KeyEntry, type KeyFileSecrets } from './keyEntry.ts';

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const PRIVATE_KEY_TAG = 1;
const CERTIFICATE_TAG = 2;
/**
 * A constant in the keystore's digest, which is SHA-1 over the password, this text, and all bytes before the digest.
 */
const DIGEST_TEXT = 'Mighty Aphrodite';
const DIGEST_BYTES = 20;
/** DER of the only encryption algorithm for keys: 1.3.6.1.4.1.42.2.17.1.1, without parameters. */
const KEY_PROTECTOR = Buffer.from('300e060a2b060104012a021101010500', 'hex');

/** The content of a keystore that can be read without a password. */
export interface JavaKeystore {
  /** The private keys in file order. */
  readonly privateKeys: readonly JavaPrivateKey[];
  /** Checks the password of the keystore. A key in the keystore may have a different password. */
  readonly isPassword: (password: string) => boolean;
}

/** An encrypted private key in a keystore. */
interface JavaPrivateKey {
  readonly alias: string;
  readonly encrypted: Buffer;
  /** DER certificates: the key's own certificate, then its issuers. */
  readonly certificates: readonly Buffer[];
}

/** Reports whether a file starts like a JKS keystore. */
export function isJavaKeystore(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32BE() === MAGIC;
}

/**
 * Reads a keystore.
 *
 * @throws KeyFileError `invalid` if the file is truncated or has another format
 */
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
  // A string begins with its two-byte length. A certificate begins with its type, which is X.509, and its four-byte
  // length.
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
    // Skip the time when the entry was added.
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
 * Returns the key with an alias, or the first key if no alias is given. Like Java, ignores the case of aliases.
 *
 * @throws KeyFileError `unknown alias`, or `no certificate` if the keystore has no keys
 */
export function findJavaKey({ privateKeys }: JavaKeystore, alias: string | undefined): JavaPrivateKey {
  const found = privateKeys.find((key) => alias === undefined || key.alias.toLowerCase() === alias.toLowerCase());
  if (found === undefined) {
    throw new KeyFileError(alias === undefined ? 'no certificate' : 'unknown alias');
  }
  return found;
}

/**
 * Opens a key in a keystore. The key password defaults to the keystore password.
 *
 * @throws KeyFileError, or any other error if OpenSSL doesn't support the type of key
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
  if (certificate === undefined || !isCertificateForKey(privateKey, certificate)) {
    throw new KeyFileError('no certificate');
  }
  return { privateKey: encodedKey, certificates };
}

/**
 * Decrypts a key like OpenJDK's `sun.security.provider.KeyProtector`. The data consists of a salt, the encrypted key,
 * and a digest of the password and the key. The key is XORed with a chain of digests that starts with the salt.
 *
 * @throws KeyFileError `wrong key password`, or `invalid` or `unsupported` for any other data
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

/** Returns the content of a DER octet string (X.690, §8.1.3). */
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

/** Encodes a password for use in a digest. */
function encode(password: string): Buffer {
  return Buffer.from(password, 'utf16le').swap16();
}
