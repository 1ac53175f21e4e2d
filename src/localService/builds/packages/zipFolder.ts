import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

import { FILE_MODE } from '../../store/dataFiles.ts';
import { listFiles } from './appFiles.ts';

/** Files of these types are compressed already. */
export const COMPRESSED =
  /\.(?:png|jpe?g|gif|webp|avif|mp[34]|m4a|aac|ogg|webm|woff2?|zip|gz|tgz|br|xz|7z|jar|apk|aab|ipa)$/i;

/**
 * Packs the plain files of a folder into a zip archive, sorted by name. Links are left out.
 *
 * @param target a file that does not exist
 * @throws the signal's reason when it is aborted
 */
export async function zipFolder(folder: string, target: string, signal: AbortSignal): Promise<void> {
  const paths = await listFiles(folder);
  const zip = new ZipFile();
  // A file that vanishes meanwhile shows in this event only.
  const failure = new AbortController();
  zip.on('error', (error: Error) => failure.abort(error));
  for (const path of paths) {
    zip.addFile(join(folder, path), path, { mode: 0o100644, compressionLevel: COMPRESSED.test(path) ? 0 : 6 });
  }
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(target, { flags: 'wx', mode: FILE_MODE }), {
      signal: AbortSignal.any([signal, failure.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    failure.signal.throwIfAborted();
    throw error;
  }
}
