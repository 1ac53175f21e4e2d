import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createTemporaryFolder } from '../../android-package/index.ts';
import { writeToDisk } from '../resources/downloads/diskFile.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import type { DownloadSource } from '../resources/downloads/saveDownload.ts';
import { safeFileName } from '../../service-client/index.ts';

/** A downloaded package in a folder that only this account can read. Disposing deletes it. */
export interface FetchedPackage {
  /** Absolute path. The file is named `package`, with the extension of {@link name}, because third-party programs read this path. */
  readonly path: string;
  /** The file name that an app store would use: `Shop-1.2.0.apk`. */
  readonly name: string;
  readonly size: number;
  /** Deletes the file. Never rejects: a file that another program still has open is left to the system's cleanup. */
  dispose(): Promise<void>;
}

/**
 * Downloads a package into a temporary file. A failure leaves no file behind.
 * @param source its name determines the file's extension, because adb and phones depend on it. The extension that the service proposes is
 * ignored.
 * @param onProgress called with the bytes received so far, and the total if the service reports it
 * @throws BuildServiceError; CancelledError if the signal aborts
 */
export async function fetchPackage(
  { client, url, name }: DownloadSource,
  signal: AbortSignal,
  onProgress: (received: number, total: number | undefined) => void = () => undefined,
): Promise<FetchedPackage> {
  const folder = await createTemporaryFolder().catch((error: unknown) => {
    throw fileFailure(error, tmpdir());
  });
  const dispose = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  let fileName = '';
  try {
    const download = await client.download(url, { signal, onProgress });
    const ownName = name === undefined ? undefined : safeFileName(name);
    fileName = withEnding(safeFileName(download.suggestedName, ownName, download.url, url), ownName);
    const file = path.join(folder, `package${path.extname(fileName)}`);
    await writeToDisk(download.body, file, () => Promise.resolve(true));
    return { path: file, name: fileName, size: (await stat(file)).size, dispose };
  } catch (error) {
    await dispose();
    throw fileFailure(error, fileName);
  }
}

function withEnding(name: string, other: string | undefined): string {
  const ending = other === undefined ? '' : path.extname(other);
  return name.toLowerCase().endsWith(ending.toLowerCase()) ? name : `${name}${ending}`;
}
