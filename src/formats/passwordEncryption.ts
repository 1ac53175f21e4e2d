/** Decryption with a password in PKCS#12 files: by PBES2 (RFC 8018 §6.2), or as RFC 7292 appendix C has it. */
import { createDecipheriv, createHash, pbkdf2Sync } from 'node:crypto';

import { SEQUENCE, type BerElement } from './berElement.ts';
import { KeyFileError } from './keyEntry.ts';
import { decryptRc2 } from './rc2.ts';

/** A password in the two ways in which it is hashed. */
export interface EncodedPassword {
  /** For PBES2: UTF-8, as OpenSSL and Java have it. */
  readonly utf8: Buffer;
  /** For PKCS#12's own derivation (RFC 7292 §B.1): UTF-16, with two zero bytes behind. */
  readonly utf16: Buffer;
}

/** How often, and with what, a password is hashed. */
interface Derivation {
  readonly digest: string;
  readonly salt: Buffer;
  readonly iterations: number;
}

/** Purposes of derived keys (RFC 7292 §B.3). */
const KEY = 1;
const IV = 2;
const MAC = 3;

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';

/** HMACs in PBKDF2, by their digests. */
const PSEUDORANDOM_FUNCTIONS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

/** Ciphers of PBES2. OpenSSL (Node) and BoringSSL (Electron) have them all. */
const CIPHERS: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
};

/** RFC 7292 appendix C. All of them derive with SHA-1, and have blocks of eight bytes. */
const LEGACY_CIPHERS: Readonly<Record<string, { readonly name: '3DES' | 'RC2' | 'RC4'; readonly keyBytes: number }>> = {
  '1.2.840.113549.1.12.1.1': { name: 'RC4', keyBytes: 16 },
  '1.2.840.113549.1.12.1.2': { name: 'RC4', keyBytes: 5 },
  '1.2.840.113549.1.12.1.3': { name: '3DES', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { name: '3DES', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'RC2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'RC2', keyBytes: 5 },
};
const LEGACY_BLOCK_BYTES = 8;

/**
 * Decrypts with the algorithm that the file names.
 *
 * @throws KeyFileError `unsupported` for a cipher or hash that is not known here, `invalid` for an algorithm that is broken
 * @throws any other error when the password is wrong, which shows in the padding
 */
export function decryptWithPassword(algorithm: BerElement, encrypted: Buffer, password: EncodedPassword): Buffer {
  const name = algorithm.at(0).objectIdentifier();
  return name === PBES2
    ? decryptPbes2(algorithm.at(1), encrypted, password)
    : decryptLegacy(name, algorithm.at(1), encrypted, password);
}

/** RFC 8018 §6.2, with PBKDF2 (§5.2) as derivation. */
function decryptPbes2(parameters: BerElement, encrypted: Buffer, { utf8 }: EncodedPassword): Buffer {
  const [derivation, encryption] = [parameters.at(0), parameters.at(1)];
  const cipher = known(CIPHERS, encryption.at(0).objectIdentifier());
  if (derivation.at(0).objectIdentifier() !== PBKDF2) {
    throw unsupported(derivation.at(0).objectIdentifier());
  }
  const [salt, iterations, ...optional] = derivation.at(1).children;
  // The length of the key, which follows from the cipher, may stand before it.
  const pseudorandomFunction = optional
    .find(({ tag }) => tag === SEQUENCE)
    ?.at(0)
    .objectIdentifier();
  const digest = pseudorandomFunction === undefined ? 'sha1' : known(PSEUDORANDOM_FUNCTIONS, pseudorandomFunction);
  if (salt === undefined || iterations === undefined) {
    throw new KeyFileError('invalid');
  }
  const key = pbkdf2Sync(utf8, salt.octets(), iterations.integer(), cipher.keyBytes, digest);
  return decipher(cipher.name, key, encryption.at(1).octets(), encrypted);
}

/** RFC 7292 appendix C. */
function decryptLegacy(name: string, parameters: BerElement, encrypted: Buffer, password: EncodedPassword): Buffer {
  const cipher = known(LEGACY_CIPHERS, name);
  if (cipher.name === 'RC4') {
    throw unsupported(cipher.name);
  }
  const derivation = { digest: 'sha1', salt: parameters.at(0).octets(), iterations: parameters.at(1).integer() };
  const key = deriveKey(KEY, cipher.keyBytes, password, derivation);
  const iv = deriveKey(IV, LEGACY_BLOCK_BYTES, password, derivation);
  if (cipher.name === '3DES') {
    // Of two keys the first is used twice. BoringSSL has no need to know that cipher by a name of its own.
    return decipher('des-ede3-cbc', Buffer.concat([key, key]).subarray(0, 24), iv, encrypted);
  }
  return withoutPadding(decryptRc2(key, 8 * cipher.keyBytes, iv, encrypted));
}

function decipher(name: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  const stream = createDecipheriv(name, key, iv);
  return Buffer.concat([stream.update(encrypted), stream.final()]);
}

/** Takes away the padding of PKCS#7 (RFC 8018 §6.1.1). @throws RangeError when it is none */
function withoutPadding(text: Buffer): Buffer {
  const length = text.at(-1) ?? 0;
  const padding = text.subarray(-length);
  if (length === 0 || length > LEGACY_BLOCK_BYTES || !padding.every((byte) => byte === length)) {
    throw new RangeError('The padding is wrong.');
  }
  return text.subarray(0, -length);
}

/** The key of the HMAC over a whole file (RFC 7292 §4): as long as its digests. @throws KeyFileError `invalid` */
export function deriveMacKey(password: EncodedPassword, derivation: Derivation): Buffer {
  return deriveKey(MAC, createHash(derivation.digest).digest().length, password, derivation);
}

/** RFC 7292 §B.2. */
function deriveKey(
  purpose: number,
  length: number,
  { utf16 }: EncodedPassword,
  { digest, salt, iterations }: Derivation,
): Buffer {
  if (iterations === 0) {
    throw new KeyFileError('invalid');
  }
  const blockBytes = digest === 'sha384' || digest === 'sha512' ? 128 : 64;
  const input = Buffer.concat([salt, utf16].map((bytes) => repeat(bytes, blockBytes)));
  const diversifier = Buffer.alloc(blockBytes, purpose);
  let derived = Buffer.alloc(0);
  for (;;) {
    let block = createHash(digest).update(diversifier).update(input).digest();
    for (let done = 1; done < iterations; done += 1) {
      block = createHash(digest).update(block).digest();
    }
    derived = Buffer.concat([derived, block]);
    if (derived.length >= length) {
      return derived.subarray(0, length);
    }
    const summand = repeat(block, blockBytes).subarray(0, blockBytes);
    for (let start = 0; start < input.length; start += blockBytes) {
      increase(input.subarray(start, start + blockBytes), summand);
    }
  }
}

/** The bytes again and again, up to whole blocks: none when there are none. */
function repeat(bytes: Buffer, blockBytes: number): Buffer {
  return Buffer.alloc(blockBytes * Math.ceil(bytes.length / blockBytes), bytes);
}

/** Adds another number, and one, to a number; both are big-endian, and what does not fit is lost. */
function increase(number: Buffer, summand: Buffer): void {
  let carry = 1;
  for (let index = number.length - 1; index >= 0; index -= 1) {
    const sum = number.readUInt8(index) + summand.readUInt8(index) + carry;
    number.writeUInt8(sum & 0xff, index);
    carry = sum >> 8;
  }
}

function known<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found === undefined) {
    throw unsupported(name);
  }
  return found;
}

/** @param algorithm its name, or its object identifier */
function unsupported(algorithm: string): KeyFileError {
  return new KeyFileError(
    'unsupported',
    `Invalid keystore format: the algorithm ${algorithm} is not known here. Make one with AES, such as with “keytool -importkeystore -deststoretype pkcs12”.`,
  );
}
