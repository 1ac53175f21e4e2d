/** Making the test key, once for each data folder. It is loaded only then: making certificates takes more code than the rest of a build. */
import { generate } from 'selfsigned';

/** Android does not look at it; apps are updated with the same key for years. */
const LIFETIME_YEARS = 30;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Makes a key on the curve P-256, and its certificate, which nobody else has signed.
 *
 * @param now milliseconds since the epoch
 * @returns the certificate and the private key, PEM
 */
export async function createTestKey(now: number): Promise<string> {
  const end = new Date(now);
  end.setFullYear(end.getFullYear() + LIFETIME_YEARS);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Test key' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: end,
    extensions: [],
  });
  return `${cert.trim()}\n${key.trim()}\n`;
}
