import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { packagePathOf } from '../layout.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import { throwIfCancelled } from './cancellation.ts';
import type { FileContents } from './fileContents.ts';
import type { PackagePlan } from './packageContents.ts';
import { PackingError } from './packingError.ts';
import { writeZip } from './zipArchive.ts';

/** The service learns this name, and nothing of where the folder is. */
const PACKAGE_NAME = 'app.zip';

/** A package on disk, until it is disposed. */
export interface PackageFile {
  readonly file: UploadFile;
  /** Deletes it. */
  dispose(): Promise<void>;
}

export interface PackOptions {
  readonly signal?: AbortSignal;
  /** Called with the bytes of the folder's files that are packed, and their total. */
  readonly onProgress?: (packed: number, total: number) => void;
}

/**
 * Packs what was planned into a zip archive of a folder that only this account may read. A failure leaves nothing behind.
 *
 * @param temporaryFolder where that folder is made
 * @throws PackingError, CancelledError
 */
export async function writePackage(
  { files, made, layout, totalBytes }: PackagePlan,
  contents: FileContents,
  { signal, onProgress }: PackOptions = {},
  temporaryFolder = tmpdir(),
): Promise<PackageFile> {
  throwIfCancelled(signal);
  // mkdtemp gives the folder to its owner only (0700).
  const folder = await mkdtemp(path.join(temporaryFolder, 'app-build-')).catch((error: unknown) => {
    throw PackingError.ofPackage(error);
  });
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const target = path.join(folder, PACKAGE_NAME);
    const entries = [...made, ...files.map((file) => ({ path: packagePathOf(layout, file.path), file }))];
    await writeZip(entries, target, contents, {
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onProgress: (packed: number) => onProgress(packed, totalBytes) }),
    });
    const { size } = await stat(target);
    const file: UploadFile = { name: PACKAGE_NAME, size, bytes: () => createReadStream(target) };
    return { file, dispose };
  } catch (error) {
    await dispose().catch(() => undefined);
    throw error;
  }
}
