/** Creates, hashes, and compares secrets. */
import { createHash, hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);
const PASSWORD_HASH_BYTES = 32;

/** Creates an authentication token or a password: 20 characters of [A-Za-z0-9_-], 120 random bits. */
export function createToken(): string {
  return randomBytes(15).toString('base64url');
}

/**
 * Returns `bytes` random bytes in hexadecimal. Used for client IDs (10), and for client secrets, codes, cookies, and access tokens (20).
 */
export function createHexSecret(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Returns the hash to store for a random secret: SHA-256 in hexadecimal. Don't use it for passwords. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares two values in constant time. Only their lengths affect the time. */
export function secretsEqual(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

/** Returns the PKCE challenge of a verifier (RFC 7636 §4.2, S256). */
export function pkceChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** A password and its hash: a random salt and the scrypt result in base64, separated by a colon. */
export interface HashedPassword {
  readonly text: string;
  readonly hash: string;
}

/** Creates a random password. */
export async function createPassword(): Promise<HashedPassword> {
  const text = createToken();
  const salt = randomBytes(16);
  const key = await deriveKey(text, salt, PASSWORD_HASH_BYTES);
  return { text, hash: `${salt.toString('base64')}:${key.toString('base64')}` };
}

/**
 * Reports whether `password` matches the hash `stored`. Without `stored`, returns false after the same time, so that
 * the time doesn't reveal whether a user exists or has a password.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [salt = '', expected = ''] = (stored ?? '').split(':');
  const actual = await deriveKey(password, Buffer.from(salt, 'base64'), PASSWORD_HASH_BYTES);
  return secretsEqual(actual.toString('base64'), expected);
}
