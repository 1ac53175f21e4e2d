/** Making, hashing and comparing secrets. */
import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import type { PasswordHash } from './model.ts';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);
const PASSWORD_HASH_BYTES = 32;

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
  return createHash('sha256').update(secret).digest('hex');
}

/** HMAC-SHA-256, base64url. `key` in hexadecimal; `purpose` separates the signatures made with one key. */
export function signValue(key: string, purpose: string, value: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`${purpose}\n${value}`).digest('base64url');
}

/** Compares in a time that does not tell where two values differ. Their length is no secret. */
export function secretsEqual(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left), Buffer.from(right)];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}

/** The PKCE challenge of a verifier (RFC 7636 §4.2, S256). */
export function pkceChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Hashes a password with scrypt and a random salt. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password, salt, PASSWORD_HASH_BYTES);
  return { salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/**
 * Tells whether `password` is the one behind `stored`. Without `stored` the answer is false and takes as long, so that
 * the time does not tell which users exist or have a password.
 */
export async function verifyPassword(password: string, stored: PasswordHash | null): Promise<boolean> {
  const salt = stored === null ? Buffer.alloc(16) : Buffer.from(stored.salt, 'base64');
  const expected = stored === null ? Buffer.alloc(PASSWORD_HASH_BYTES) : Buffer.from(stored.hash, 'base64');
  const actual = await deriveKey(password, salt, PASSWORD_HASH_BYTES);
  return stored !== null && expected.length === PASSWORD_HASH_BYTES && timingSafeEqual(actual, expected);
}
