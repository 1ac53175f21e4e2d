/** Reads packages in tests without the code that writes packages. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';

import ApkReader, { type ApkReaderManifest } from '@devicefarmer/adbkit-apkreader';

import { crc32 } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';

export interface ReadEntry {
  readonly name: string;
  /** The name decoded as UTF-8, whether or not the archive marks it as such. */
  readonly utf8Name: string;
  readonly isStored: boolean;
  /** Decompressed content. */
  readonly content: Buffer;
}

export interface VerifiedApk {
  readonly entries: readonly ReadEntry[];
  readonly manifest: ApkReaderManifest;
  /** The signer's certificate, by which Android decides who may update the app, followed by its issuers. */
  readonly certificates: readonly X509Certificate[];
}

/**
 * Reads a package. Rejects with the violated rule unless it's a zip archive with a signing block and a readable manifest. Doesn't check
 * signatures; the golden packages and `npm run test:android` do.
 */
export async function verifyApk(bytes: Buffer): Promise<VerifiedApk> {
  const certificates = readCertificates(bytes);
  const entries = await readEntries(bytes);
  const manifest = await (await ApkReader.open(bytes)).readManifest();
  const activity = getContent({ entries }, 'classes.dex').includes('Lappbuild/shell/MainActivity;');
  assert.ok(activity, 'classes.dex has the class of the launcher');
  assert.deepEqual(
    manifest.application.launcherActivities.map(({ name }) => name),
    ['appbuild.shell.MainActivity'],
    'AndroidManifest.xml: there is one activity for the launcher',
  );
  const table = entries.find(({ name }) => name === 'resources.arsc');
  assert.ok(table?.isStored, 'resources.arsc is stored: Android 11 and later refuse it otherwise');
  return { entries, certificates, manifest };
}

/** Returns the certificates of the v2 signature, which is first in the signing block. The block is before the directory. */
function readCertificates(bytes: Buffer): readonly X509Certificate[] {
  const directory = bytes.readUInt32LE(bytes.length - 6);
  assert.equal(bytes.toString('latin1', directory - 16, directory), 'APK Sig Block 42', 'there is a signing block');
  const start = directory - Number(bytes.readBigUInt64LE(directory - 24)) - 8;
  assert.equal(bytes.readUInt32LE(start + 16), 0x7109871a, 'the first signature is v2');
  const prefixed = (at: number): Buffer => bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at));
  // Skips the lengths of the signers, the signer, and the signed data, then the digests.
  const digests = prefixed(start + 32);
  const list = prefixed(start + 36 + digests.length);
  const certificates: X509Certificate[] = [];
  for (let at = 0; at < list.length;) {
    const end = at + 4 + list.readUInt32LE(at);
    certificates.push(new X509Certificate(list.subarray(at + 4, end)));
    at = end;
  }
  return certificates;
}

/** Reads the entries of an archive. Rejects if one isn't aligned or has a wrong checksum. */
export async function readEntries(bytes: Buffer): Promise<readonly ReadEntry[]> {
  const zip = await yauzl.fromBufferPromise(bytes);
  const entries: ReadEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry;
    const utf8Name = entry.fileNameRaw.toString();
    const isStored = entry.compressionMethod === 0;
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    assert.ok(!isStored || fileDataStart % 4 === 0, `zip: the data of ${name} is aligned to 4 bytes`);
    const content = await buffer(await zip.openReadStreamPromise(entry));
    assert.equal(crc32(content), entry.crc32, `zip: ${name} has the checksum of its header`);
    entries.push({ name, utf8Name, isStored, content });
  }
  return entries;
}

/** Returns the certificate that the package is signed with. */
export function getCertificate({ certificates: [certificate] }: VerifiedApk): X509Certificate {
  assert.ok(certificate !== undefined);
  return certificate;
}

/** Returns the content of a file in the package. */
export function getContent({ entries }: Pick<VerifiedApk, 'entries'>, name: string): Buffer {
  const found = entries.find((entry) => entry.name === name);
  assert.ok(found !== undefined, `there is an entry ${name}`);
  return found.content;
}
