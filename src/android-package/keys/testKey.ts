import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { BuildError } from '../buildError.ts';
import { FILE_MODE } from '../files.ts';
import type * as SelfSigned from './selfSigned.ts';
import type { Signer } from './signer.ts';

/** Name of a file in the data folder that contains the certificate and the private key in PEM format. */
const FILE_NAME = 'android-test-key.pem';
/**
 * Validity of the certificate, in years. It's long because updates of an app require the same key. Android doesn't
 * check it.
 */
const LIFETIME_YEARS = 30;

/**
 * Returns a function that loads the test key, which signs the packages of users without a key. Each data folder
 * contains its own test key, because a phone accepts an update only if the same key signed it.
 *
 * @param dataFolder `undefined` to keep the key in memory, so that every process has a different key
 * @returns a function that returns the key. It creates the key on first use
 */
export function createTestKeyLoader(dataFolder: string | undefined): () => Promise<Signer> {
  let key: Promise<Signer> | undefined;
  return () => {
    key ??= openTestKey(dataFolder).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

/**
 * Loads or creates the test key.
 *
 * @throws BuildError if the file doesn't contain a key, or the system's error if it can't be read or written
 */
async function openTestKey(dataFolder: string | undefined): Promise<Signer> {
  if (dataFolder === undefined) {
    return readPem(await newPem());
  }
  const file = path.join(dataFolder, FILE_NAME);
  const existing = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (existing !== undefined) {
    return readPem(existing);
  }
  const pem = await newPem();
  // Write atomically: if the key is lost, users must uninstall their app and lose its data.
  await writeFile(`${file}.new`, pem, { mode: FILE_MODE, flush: true });
  await rename(`${file}.new`, file);
  return readPem(pem);
}

/** Creates an RSA key and a self-signed certificate in PEM format. */
async function newPem(): Promise<string> {
  const [notBefore, notAfter] = [new Date(), new Date()];
  notAfter.setFullYear(notAfter.getFullYear() + LIFETIME_YEARS);
  const { cert, key } = await createSelfSigned('Test key', notBefore, notAfter, []);
  return `${cert.replaceAll('\r', '').trim()}\n${key.trim()}\n`;
}

function readPem(pem: string): Signer {
  try {
    const certificate = new X509Certificate(pem);
    const privateKey = createPrivateKey(pem);
    if (certificate.checkPrivateKey(privateKey)) {
      return { privateKey, certificates: [certificate.raw] };
    }
  } catch {
    // Don't show the parser's error, because it can contain parts of the file.
  }
  throw new BuildError(
    `The service’s test key can’t be read. Restore the file ${FILE_NAME} in its data folder, or delete it. ` +
      'If you delete it, phones don’t accept updates until the app is uninstalled.',
  );
}

/** Creates a key and a self-signed certificate. The first call loads node-forge. */
export async function createSelfSigned(
  ...args: Parameters<typeof SelfSigned.generateSelfSigned>
): ReturnType<typeof SelfSigned.generateSelfSigned> {
  return (await import('./selfSigned.ts')).generateSelfSigned(...args);
}
