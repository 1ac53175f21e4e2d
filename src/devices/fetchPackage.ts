import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { writeToDisk } from '../resources/downloads/diskFile.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import type { DownloadSource } from '../resources/downloads/saveDownload.ts';
import { safeFileName } from '../resources/downloads/fileName.ts';

/** What was built of an app, in a folder that only this account may read, until it is disposed. */
export interface PackageFile {
  /** Absolute path. The file is called `package` there, with the ending of {@link name}: programs of others read this path. */
  readonly path: string;
  /** Of the file, as an app store would call it: `Shop-1.2.0.apk`. */
  readonly name: string;
  readonly size: number;
  /** Deletes it. Never rejects: what another program still holds stays where the system cleans up. */
  dispose(): Promise<void>;
}

/**
 * Downloads what was built into a temporary file. A failure leaves nothing behind.
 *
 * @param source its name says what the file ends in, whatever the service proposes: adb and phones go by the ending.
 * @param onProgress called with the bytes received so far, and their total where the service says it.
 * @throws BuildServiceError; CancelledError when the signal aborts.
 */
export async function fetchPackage(
  { client, url, name }: DownloadSource,
  signal: AbortSignal,
  onProgress: (received: number, total: number | undefined) => void = () => undefined,
): Promise<PackageFile> {
  // mkdtemp gives the folder to its owner only (0700).
  const folder = await mkdtemp(path.join(tmpdir(), 'app-build-')).catch((error: unknown) => {
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
