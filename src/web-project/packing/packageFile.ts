import { closeSync, constants, createReadStream, createWriteStream, fstatSync, open, read } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { ZipFile } from 'yazl';
import { createTemporaryFolder } from '../../android-package/index.ts';
import { throwIfCancelled } from '../../errors/index.ts';
import { getPackagePath } from '../projectLayout.ts';
import type { PackagePlan, PlannedFile } from './packageContents.ts';
import { PackingError } from './packingError.ts';

/** A constant name, so that the service doesn't learn the name of the folder. */
const PACKAGE_NAME = 'app.zip';

/** An archive to upload. Its content is read during the upload. */
interface PackedFile {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads the file in parts of at most 64 KiB. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** A package on disk that exists until it is disposed. */
export interface TemporaryPackage {
  readonly file: PackedFile;
  /** Deletes the package. */
  dispose(): Promise<void>;
}

/** Options for writing a package. */
export interface PackOptions {
  /**
   * Whether to compress the files, which is slower than sending them to a service on the same computer. Defaults to
   * true.
   */
  readonly compress?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes packed so far and the total. */
  readonly onProgress?: ((packed: number, total: number) => void) | undefined;
}

/**
 * Packs the planned files into a zip archive in a new folder that only the current user can read. Deletes the folder on
 * failure.
 *
 * @param temporaryFolder the folder that will contain the new folder
 * @throws PackingError, CancelledError
 */
export async function writePackage(
  plan: PackagePlan,
  options: PackOptions = {},
  temporaryFolder = tmpdir(),
): Promise<TemporaryPackage> {
  throwIfCancelled(options.signal);
  const folder = await createTemporaryFolder(temporaryFolder).catch((error: unknown) => {
    throw PackingError.forPackage(error);
  });
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const target = path.join(folder, PACKAGE_NAME);
    await writeZip(plan, target, options);
    const { size } = await stat(target);
    const file: PackedFile = { name: PACKAGE_NAME, size, bytes: () => createReadStream(target) };
    return { file, dispose };
  } catch (error) {
    await dispose().catch(() => undefined);
    throw error;
  }
}

/**
 * The timestamp of all files, so that identical files result in an identical archive. A checkout or a copy changes the
 * actual times.
 */
const MODIFIED = new Date(1980, 0, 1);
const PLAIN_FILE = 0o100644;
const EXECUTABLE_FILE = 0o100755;
const OWNER_MAY_EXECUTE = 0o100;

/** Matches types of files that are already compressed. */
const COMPRESSED =
  /\.(?:png|jpe?g|gif|webp|avif|heic|mp[34]|m4[av]|mov|aac|og[agv]|opus|web[mp]|woff2?|zip|gz|tgz|br|bz2|zst|xz|7z|rar|jar|apk|aab|ipa)$/i;

/**
 * Writes a zip archive in the order of the files, without entries for folders. Uses a constant amount of memory.
 *
 * @param target a path that doesn't exist yet
 * @throws PackingError if a file has changed or is missing, or if the archive can't be written
 * @throws CancelledError
 */
async function writeZip(
  { files, made, layout, totalBytes }: PackagePlan,
  target: string,
  { signal, onProgress, compress = true }: PackOptions,
): Promise<void> {
  const zip = new ZipFile();
  const stop = new AbortController();
  // Only this event reports the errors of entries.
  zip.on('error', (error: Error) => stop.abort(error));
  let packed = 0;
  const count = (piece: Uint8Array): void => {
    packed += piece.length;
    onProgress?.(packed, totalBytes);
  };
  const getEntryOptions = (name: string, mode = PLAIN_FILE) => ({
    ...{ mtime: MODIFIED, forceDosTimestamp: true, mode },
    compressionLevel: compress && !COMPRESSED.test(name) ? 6 : 0,
  });
  const addBytes = (name: string, bytes: Uint8Array): void => {
    zip.addBuffer(Buffer.from(bytes), name, getEntryOptions(name));
    count(bytes);
  };
  made.forEach(({ path: name, bytes }) => addBytes(name, bytes));
  let current: Readable | undefined;
  for (const file of files) {
    const name = getPackagePath(layout, file.path);
    if (file.withPlugins !== undefined) {
      addBytes(name, file.withPlugins.bytes);
      continue;
    }
    const mode = ((file.mode ?? 0) & OWNER_MAY_EXECUTE) === 0 ? PLAIN_FILE : EXECUTABLE_FILE;
    zip.addReadStreamLazy(name, { ...getEntryOptions(name, mode), size: file.sizeBytes }, (pass) => {
      current = Readable.from(readContent(file, count), { objectMode: false });
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
    throw reason instanceof PackingError ? reason : PackingError.forPackage(reason);
  }
}

/**
 * Reads a file to pack.
 *
 * @param count called with every packed piece
 * @throws PackingError if the file can't be read or has changed. The error contains the file's path
 */
async function* readContent(file: PlannedFile, count: (piece: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of readPlanned(file)) {
      yield piece;
      count(piece);
    }
  } catch (error) {
    throw error instanceof PackingError ? error : PackingError.forFile(file.path, error);
  }
}

/** Number of bytes per read. */
const PIECE_BYTES = 64 * 1024;

/**
 * Reads the content of a planned file in pieces.
 *
 * @param maxBytes the maximum number of bytes from the start of the file
 * @throws PackingError if the file has changed since it was planned or changes while it is read
 * @throws file system errors
 */
export async function* readPlanned(file: PlannedFile, maxBytes = Infinity): AsyncGenerator<Uint8Array, void> {
  const fd = await openPlanned(file);
  try {
    for (let left = Math.min(file.sizeBytes, maxBytes); left > 0;) {
      const piece = await readPiece(file, fd, Buffer.allocUnsafe(Math.min(left, PIECE_BYTES)));
      left -= piece.length;
      yield piece;
    }
    refuseChanged(file, fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads the start of a planned file into memory, which is faster than {@link readPlanned} and throws the same errors. */
export async function readPlannedStart(file: PlannedFile, maxBytes: number): Promise<Buffer> {
  const fd = await openPlanned(file);
  try {
    const bytes = Buffer.allocUnsafe(Math.min(file.sizeBytes, maxBytes));
    for (let at = 0; at < bytes.length;) {
      at += (await readPiece(file, fd, bytes.subarray(at))).length;
    }
    refuseChanged(file, fd);
    return bytes;
  } finally {
    closeSync(fd);
  }
}

// Only opening and reading wait for a disk. For the other calls, another thread is slower than the call, and so is a
// `FileHandle`, which matters for thousands of files.
const openFile = promisify(open);
const readFile = promisify(read);

async function openPlanned(file: PlannedFile): Promise<number> {
  // If a pipe has replaced the file, `open` would otherwise wait for a writer.
  const fd = await openFile(file.uri.fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // Check that this is the planned file, because links may have changed.
    refuseChanged(file, fd);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Reads the next bytes of a file, at least one. */
async function readPiece(file: PlannedFile, fd: number, target: Buffer): Promise<Buffer> {
  const { bytesRead } = await readFile(fd, target, 0, target.length, null);
  if (bytesRead === 0) {
    throw PackingError.changed(file.path);
  }
  return target.subarray(0, bytesRead);
}

function refuseChanged(planned: PlannedFile, fd: number): void {
  const { ino, size, mtimeMs, ctimeMs } = fstatSync(fd);
  const isSame = ino === planned.inode && size === planned.sizeBytes && mtimeMs === planned.modifiedMs;
  // A program that rewrites a file can restore its size and `mtimeMs`, but not its `ctimeMs`.
  if (!isSame || ctimeMs !== planned.changedMs) {
    throw PackingError.changed(planned.path);
  }
}

/**
 * Writes the files of a package into an empty folder, like {@link writePackage} does into an archive.
 *
 * @throws PackingError if a file has changed, or the folder can't be written
 */
export async function writePackageFolder({ files, made, layout }: PackagePlan, folder: string): Promise<void> {
  const write = async (name: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> => {
    const target = path.join(folder, name);
    await mkdir(path.dirname(target), { recursive: true });
    await pipeline(content, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  };
  try {
    for (const { path: name, bytes } of made) {
      await write(name, [bytes]);
    }
    for (const file of files) {
      const content = file.withPlugins === undefined ? readContent(file, () => undefined) : [file.withPlugins.bytes];
      await write(getPackagePath(layout, file.path), content);
    }
  } catch (error) {
    throw error instanceof PackingError ? error : PackingError.forPackage(error);
  }
}
