import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { writeToDisk } from '../resources/downloads/diskFile.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import type { DownloadSource } from '../resources/downloads/saveDownload.ts';
import { safeFileName } from '../resources/downloads/fileName.ts';

/** What was built of an app, in a folder that only this account may read, until it is disposed. */
export interface PackageFile {
  /** Absolute path. */
  readonly path: string;
  /** Of the file, as an app store would call it: `Shop-1.2.0.apk`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Deletes it. */
  dispose(): Promise<void>;
}

export interface FetchPackageOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes received so far, and their total where the service says it. */
  readonly onProgress?: (received: number, total: number | undefined) => void;
}

/**
 * Downloads what was built into a temporary file. A failure leaves nothing behind.
 *
 * @throws BuildServiceError; CancelledError when the signal aborts.
 */
export async function fetchPackage(
  { client, url, name }: DownloadSource,
  { signal, onProgress }: FetchPackageOptions,
): Promise<PackageFile> {
  const download = await client.download(url, { signal, ...(onProgress && { onProgress }) });
  const fileName = withoutMarks(safeFileName(download.suggestedName, name, download.url, url));
  // mkdtemp gives the folder to its owner only (0700).
  const folder = await mkdtemp(path.join(tmpdir(), 'app-build-')).catch((error: unknown) => {
    throw fileFailure(error, fileName);
  });
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const file = path.join(folder, fileName);
    await writeToDisk(download.body, file, { mayReplace: true, confirmReplace: () => Promise.resolve(true) });
    return { path: file, name: fileName, size: (await stat(file)).size, dispose };
  } catch (error) {
    await dispose().catch(() => undefined);
    throw fileFailure(error, fileName);
  }
}

/** Without what an address would read as more than a part of a name, wherever the file is served. */
function withoutMarks(fileName: string): string {
  return fileName.replace(/[%#]/g, '_');
}
