import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { FILE_MODE } from '../../store/dataFiles.ts';
import { BuildError } from '../builder.ts';
import type { Signer } from '../buildKeys.ts';

/** Its name in the data folder: the certificate and the private key, PEM. */
const FILE_NAME = 'android-test-key.pem';
/** Android does not look at it; apps are updated with the same key for years. */
const LIFETIME_YEARS = 30;

/**
 * The key for packages of a person without a key. There is one for each data folder: a phone takes an update only when it is
 * signed like the app that it replaces.
 *
 * @param dataFolder `undefined`: the key is in memory, and another one with each process
 * @returns gives the key, which is made when it is first asked for
 */
export function testKeyOf(dataFolder: string | undefined): () => Promise<Signer> {
  let key: Promise<Signer> | undefined;
  return () => {
    key ??= openTestKey(dataFolder).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

/** @throws BuildError for a file that holds no key; the system's error for one that cannot be read or written */
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
  // Whole, or not there: a lost key means that people have to remove their app, with its data.
  await writeFile(`${file}.new`, pem, { mode: FILE_MODE, flush: true });
  await rename(`${file}.new`, file);
  return readPem(pem);
}

/** A key of RSA and its certificate, in PEM. */
async function newPem(): Promise<string> {
  // Loaded once for each data folder.
  const { createSelfSigned } = await import('../../tls.ts');
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
    // The error of the parser may quote the file: the sentence below stands for it.
  }
  throw new BuildError(
    `The test key of the service cannot be read. Restore the file ${FILE_NAME} in its data folder, or remove it: ` +
      'phones take no update then, until the app is removed from them.',
  );
}
