/** Reads a package for tests, without the code that writes packages. */
import assert from 'node:assert/strict';
import type { X509Certificate } from 'node:crypto';

import ApkReader, { type ApkReaderManifest } from '@devicefarmer/adbkit-apkreader';

import { readCertificates } from './signingBlock.ts';
import { readZip, type ZipEntry } from './zipEntries.ts';

export interface VerifiedApk {
  readonly entries: readonly ZipEntry[];
  readonly manifest: ApkReaderManifest;
  /** The signer's own certificate, by which Android knows who may update the app, then its issuers. */
  readonly certificates: readonly X509Certificate[];
}

/** Rejects, naming the rule, unless the package is a strict zip archive that is signed by v2 and v3 and has a readable manifest. */
export async function verifyApk(bytes: Buffer): Promise<VerifiedApk> {
  const zip = readZip(bytes);
  const certificates = readCertificates(bytes, zip);
  const manifest = await (await ApkReader.open(bytes)).readManifest();
  const { entries } = zip;
  const activity = contentOf({ entries }, 'classes.dex').includes('Lappbuild/shell/MainActivity;');
  assert.ok(activity, 'classes.dex has the class of the launcher');
  assert.deepEqual(
    manifest.application.launcherActivities.map(({ name }) => name),
    ['appbuild.shell.MainActivity'],
    'AndroidManifest.xml: there is one activity for the launcher',
  );
  const table = entries.find(({ name }) => name === 'resources.arsc');
  assert.equal(table?.method, 'stored', 'resources.arsc is stored: Android 11 and later refuse it otherwise');
  return { entries, certificates, manifest };
}

/** The certificate that the package is signed with. */
export function certificateOf({ certificates: [certificate] }: VerifiedApk): X509Certificate {
  assert.ok(certificate !== undefined);
  return certificate;
}

/** The content of a file in the package. */
export function contentOf({ entries }: Pick<VerifiedApk, 'entries'>, name: string): Buffer {
  const found = entries.find((entry) => entry.name === name);
  assert.ok(found !== undefined, `there is an entry ${name}`);
  return found.content;
}
