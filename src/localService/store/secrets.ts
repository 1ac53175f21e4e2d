/** Making, hashing and comparing secrets. */
import { createHash, hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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
  return hash('sha256', secret);
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
