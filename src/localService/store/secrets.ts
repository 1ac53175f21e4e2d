/** Making, hashing and comparing secrets. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);
const PASSWORD_HASH_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const CIPHER_KEY_BYTES = 32;
/** NIST SP 800-38D §8.2 */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A simple authentication token or a password: 20 characters of [A-Za-z0-9_-], 120 random bits. */
export function createToken(): string {
  return randomBytes(15).toString('base64url');
}

/** `bytes` random bytes in hexadecimal: Client IDs (10), Client Secrets, codes, cookies and access tokens (20). */
export function createHexSecret(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Hash under which a random secret is stored: SHA-256 in hexadecimal. Not for passwords. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** HMAC-SHA-256, base64url. `key` in hexadecimal; `purpose` separates the signatures made with one key. */
export function signValue(key: string, purpose: string, value: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`${purpose}\n${value}`).digest('base64url');
}

/**
 * Encrypts a text with AES-256-GCM. `key` in hexadecimal; the key of the cipher is derived from it for this `purpose` (HKDF,
 * RFC 5869), and what was encrypted for one purpose cannot be decrypted for another.
 *
 * @returns nonce, tag and ciphertext, base64
 */
export function encrypt(key: string, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, cipherKey(key, purpose), nonce);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64');
}

/**
 * The text that {@link encrypt} was given with the same key and purpose.
 *
 * @throws Error when it was encrypted otherwise, or changed
 */
export function decrypt(key: string, purpose: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, cipherKey(key, purpose), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}

function cipherKey(key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, CIPHER_KEY_BYTES));
}

/** Compares in a time that does not depend on where two values differ. Their length is no secret. */
export function secretsEqual(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

/** The PKCE challenge of a verifier (RFC 7636 §4.2, S256). */
export function pkceChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** A password and its hash: a random salt and the result of scrypt, both in base64, with a colon between them. */
export interface HashedPassword {
  readonly text: string;
  readonly hash: string;
}

/** A random password. */
export async function createPassword(): Promise<HashedPassword> {
  const text = createToken();
  const salt = randomBytes(16);
  const key = await deriveKey(text, salt, PASSWORD_HASH_BYTES);
  return { text, hash: `${salt.toString('base64')}:${key.toString('base64')}` };
}

/**
 * Whether `password` is the one behind `stored`. Without `stored` the answer is false and takes as long: the time does not
 * reveal which users exist or have a password.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt = '', expected = ''] = (stored ?? '').split(':');
  const actual = await deriveKey(password, Buffer.from(salt, 'base64'), PASSWORD_HASH_BYTES);
  return secretsEqual(actual.toString('base64'), expected);
}
