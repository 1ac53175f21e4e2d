/** Making, hashing and comparing secrets. */
import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import type { PasswordHash } from './state.ts';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);
const keyLength = 32;

/** A simple authentication token or a password: 20 characters of [A-Za-z0-9_-], 120 random bits. */
export function newToken(): string {
  return randomBytes(15).toString('base64url');
}

/** `bytes` random bytes in hexadecimal: Client IDs (10), Client Secrets, codes and access tokens (20). */
export function newHexSecret(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Digest under which a random secret is stored. Not for passwords. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Keyed signature, base64url. `purpose` keeps a signature made for one thing from being valid for another. */
export function sign(key: string, purpose: string, value: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`${purpose}\n${value}`).digest('base64url');
}

/** Compares without telling by the time taken where two values differ. Their length is no secret. */
export function sameSecret(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The PKCE challenge of a verifier (RFC 7636 §4.2, S256). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Hashes a password with scrypt and a salt of its own. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password, salt, keyLength);
  return { salt: salt.toString('base64'), hash: hash.toString('base64') };
}

/**
 * Tells whether `password` is the one behind `stored`. Without `stored` the answer is false and takes as long, so that
 * the time does not tell which users exist or have a password.
 */
export async function verifyPassword(password: string, stored: PasswordHash | null): Promise<boolean> {
  const salt = stored === null ? Buffer.alloc(16) : Buffer.from(stored.salt, 'base64');
  const expected = stored === null ? Buffer.alloc(keyLength) : Buffer.from(stored.hash, 'base64');
  const actual = await deriveKey(password, salt, keyLength);
  return stored !== null && expected.length === keyLength && timingSafeEqual(actual, expected);
}
