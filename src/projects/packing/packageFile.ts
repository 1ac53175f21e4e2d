import { createReadStream, createWriteStream, constants } from 'node:fs';
import { mkdtemp, rm, stat, open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { throwIfCancelled } from '../../api/errors/cancelledError.ts';
import type { UploadFile } from '../../resources/requests/multipart.ts';
import { packagePathOf } from '../layout.ts';
import type { PackagePlan, PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

/** The service learns this name, and nothing of where the folder is. */
const PACKAGE_NAME = 'app.zip';

/** A package on disk, until it is disposed. */
export interface PackageFile {
  readonly file: UploadFile;
  /** Deletes it. */
  dispose(): Promise<void>;
}

export interface PackOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes of the folder's files that are packed, and their total. */
  readonly onProgress?: ((packed: number, total: number) => void) | undefined;
}

/**
 * Packs what was planned into a zip archive of a folder that only this account may read. A failure leaves nothing behind.
 *
 * @param temporaryFolder where that folder is made
 * @throws PackingError, CancelledError
 */
export async function writePackage(
  plan: PackagePlan,
  options: PackOptions = {},
  temporaryFolder = tmpdir(),
): Promise<PackageFile> {
  throwIfCancelled(options.signal);
  // mkdtemp gives the folder to its owner only (0700).
  const folder = await mkdtemp(path.join(temporaryFolder, 'app-build-')).catch((error: unknown) => {
    throw PackingError.ofPackage(error);
  });
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const target = path.join(folder, PACKAGE_NAME);
    await writeZip(plan, target, options);
    const { size } = await stat(target);
    const file: UploadFile = { name: PACKAGE_NAME, size, bytes: () => createReadStream(target) };
    return { file, dispose };
  } catch (error) {
    await dispose().catch(() => undefined);
    throw error;
  }
}

/** The same for every file, so that the same files give the same bytes: a checkout or a copy has other times. */
const MODIFIED = new Date(1980, 0, 1);
const PLAIN_FILE = 0o100644;
const EXECUTABLE_FILE = 0o100755;
const OWNER_MAY_EXECUTE = 0o100;

/** Files of these types are compressed already. */
const COMPRESSED =
  /\.(?:png|jpe?g|gif|webp|avif|heic|mp[34]|m4[av]|mov|aac|og[agv]|opus|web[mp]|woff2?|zip|gz|tgz|br|bz2|zst|xz|7z|rar|jar|apk|aab|ipa)$/i;

/**
 * Writes a zip archive: in the order of the files, without entries for folders, in memory that does not grow with them.
 *
 * @param target a file that does not exist
 * @throws PackingError when a file has changed or vanished, or the archive cannot be written; CancelledError
 */
async function writeZip(
  { files, made, layout, totalBytes }: PackagePlan,
  target: string,
  { signal, onProgress }: PackOptions,
): Promise<void> {
  const zip = new ZipFile();
  const stop = new AbortController();
  // Errors of an entry show here only.
  zip.on('error', (error: Error) => stop.abort(error));
  let packed = 0;
  const count = (piece: Uint8Array): void => {
    packed += piece.length;
    onProgress?.(packed, totalBytes);
  };
  const optionsOf = (name: string, mode = PLAIN_FILE) => ({
    ...{ mtime: MODIFIED, forceDosTimestamp: true, mode },
    compressionLevel: COMPRESSED.test(name) ? 0 : 6,
  });
  const addBytes = (name: string, bytes: Uint8Array): void => {
    zip.addBuffer(Buffer.from(bytes), name, optionsOf(name));
    count(bytes);
  };
  made.forEach(({ path: name, bytes }) => addBytes(name, bytes));
  let current: Readable | undefined;
  for (const file of files) {
    const name = packagePathOf(layout, file.path);
    if (file.withPlugins !== undefined) {
      addBytes(name, file.withPlugins.bytes);
      continue;
    }
    const mode = ((file.mode ?? 0) & OWNER_MAY_EXECUTE) === 0 ? PLAIN_FILE : EXECUTABLE_FILE;
    zip.addReadStreamLazy(name, { ...optionsOf(name, mode), size: file.sizeBytes }, (pass) => {
      current = Readable.from(contentOf(file, count), { objectMode: false });
      current.on('error', (error) => stop.abort(error));
      pass(null, current);
    });
  }
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(target, { flags: 'wx', mode: 0o600 }), {
      signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
    });
  } catch (error) {
    current?.destroy();
    throwIfCancelled(signal);
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
    throw reason instanceof PackingError ? reason : PackingError.ofPackage(reason);
  }
}

/** @param count gets each piece that was packed @throws PackingError that names the file */
async function* contentOf(file: PlannedFile, count: (piece: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of readPlanned(file)) {
      yield piece;
      count(piece);
    }
  } catch (error) {
    throw error instanceof PackingError ? error : PackingError.ofFile(file.path, error);
  }
}

/** Bytes that are read at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * The content of a file, in pieces.
 *
 * @param maxBytes from its beginning
 * @throws PackingError when it isn't what was planned, or changes meanwhile; what the file system throws
 */
export async function* readPlanned(file: PlannedFile, maxBytes = Infinity): AsyncGenerator<Uint8Array, void> {
  // A pipe that took the place of a file would keep `open` waiting for its other end.
  const handle = await open(file.uri.fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // Read the same file that was looked at: links may lead elsewhere since.
    await refuseChanged(file, handle);
    for (let left = Math.min(file.sizeBytes, maxBytes); left > 0;) {
      const piece = Buffer.allocUnsafe(Math.min(left, PIECE_BYTES));
      const { bytesRead } = await handle.read(piece);
      if (bytesRead === 0) {
        throw PackingError.changed(file.path);
      }
      left -= bytesRead;
      yield piece.subarray(0, bytesRead);
    }
    await refuseChanged(file, handle);
  } finally {
    await handle.close();
  }
}

async function refuseChanged({ path, inode, sizeBytes, modifiedMs }: PlannedFile, handle: FileHandle): Promise<void> {
  const { ino, size, mtimeMs } = await handle.stat();
  if (ino !== inode || size !== sizeBytes || mtimeMs !== modifiedMs) {
    throw PackingError.changed(path);
  }
}
