/** Checks and unpacks the package of an app: a zip archive or a single HTML page. */
import { chmod, copyFile, constants, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import type { PackageType } from '../../store/model.ts';
import {
  chooseWebRoot,
  type ConfigFile,
  FILE_MODE,
  MAX_CONFIG_BYTES,
  PackageError,
  parseConfig,
  readBytes,
  toDisplayText,
} from '../../../android-package/index.ts';
import { FOLDER_MODE } from './archiveContents.ts';
import { withZip, type ZipArchive } from './zipArchive.ts';

/** Facts about a package that are known before a build. */
export interface PackageInfo {
  readonly type: Exclude<PackageType, 'tar.gz'>;
  /** Unpacked size in bytes. */
  readonly unpackedSize: number;
  /** Number of files. */
  readonly fileCount: number;
  /**
   * Values in config.xml. `undefined` if the file is missing, or if it can't be read. In that case, the build reports
   * why.
   */
  readonly config: ConfigFile | undefined;
}

/** Number of bytes at the start of a file that determine its type. */
const HEAD_BYTES = 4096;

/** First bytes of a zip archive: those of its first entry, or those of an empty archive. */
const ZIP_STARTS = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')];
const GZIP_START = Buffer.from([0x1f, 0x8b]);

/** Number of files to write at the same time. Creating a small file takes longer than decompressing it. */
const FILES_AT_ONCE = 8;

const UPLOAD_HINT = 'Send the app as a .zip file or as a single HTML page.';

/**
 * Matches the start of a web page after white space (WHATWG MIME Sniffing, 7.1), including `<meta`, which short pages
 * begin with.
 */
const HTML_START =
  /^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta))[\s>]|^<!--/i;

/** File system error codes for a name that the system doesn't support. */
const NAME_ERRORS = ['EEXIST', 'EILSEQ', 'EINVAL', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

/**
 * Checks an uploaded file before it's used. The file's type depends on its content, not on its name. Reads only the
 * directory and the config.xml of a zip archive, and doesn't write anything.
 *
 * @throws PackageError if the file can't be used. The message explains the problem
 */
export async function checkPackage(path: string): Promise<PackageInfo> {
  const type = detectPackageType(await readBytes(path, HEAD_BYTES));
  return type === 'zip'
    ? withZip(path, checkZip)
    : { type, unpackedSize: (await stat(path)).size, fileCount: 1, config: undefined };
}

async function checkZip({ contents: { files, size }, read }: ZipArchive): Promise<PackageInfo> {
  if (files.length === 0) {
    throw new PackageError('The archive doesn’t contain any files. Pack the app’s files with an index.html.');
  }
  const chosen = chooseWebRoot(files.map((file) => file.path)).config;
  const configFile = files.find((file) => file.path === chosen && file.size <= MAX_CONFIG_BYTES);
  const config = configFile && configIn(await buffer(read(configFile)));
  return { type: 'zip', unpackedSize: size, fileCount: files.length, config };
}

/**
 * Parses a config.xml.
 *
 * @returns `undefined` if it's malformed. In that case, the build reports the problem, as in the original service
 */
function configIn(bytes: Buffer): ConfigFile | undefined {
  try {
    return parseConfig(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Unpacks a checked package into an empty folder. Writes only regular files and folders. A single page becomes
 * `index.html`. Empties the folder on failure.
 *
 * @throws PackageError if the content doesn't match the archive's directory, or the type isn't supported, or the
 * signal's reason when it's aborted
 */
export async function unpackPackage(
  path: string,
  type: PackageType,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  try {
    if (type === 'tar.gz') {
      throw new PackageError(`The app is a tar.gz archive. ${UPLOAD_HINT}`);
    }
    if (type === 'zip') {
      await withZip(path, (archive) => unpackZip(archive, folder, signal));
    } else {
      const page = join(folder, 'index.html');
      await copyFile(path, page, constants.COPYFILE_EXCL);
      await chmod(page, FILE_MODE);
    }
  } catch (error) {
    for (const name of await readdir(folder)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
    signal.throwIfAborted();
    throw error;
  }
}

async function unpackZip({ contents, read }: ZipArchive, folder: string, signal: AbortSignal): Promise<void> {
  for (const each of contents.folders) {
    await forEntry(each, mkdir(join(folder, each), { recursive: true, mode: FOLDER_MODE }));
  }
  for (let start = 0; start < contents.files.length; start += FILES_AT_ONCE) {
    signal.throwIfAborted();
    const writing = contents.files
      .slice(start, start + FILES_AT_ONCE)
      .map((file) => forEntry(file.path, writeEntry(join(folder, file.path), read(file), signal)));
    // After a failure, wait for the other files, so that the cleanup deletes them.
    await Promise.allSettled(writing);
    await Promise.all(writing);
  }
}

async function writeEntry(path: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    for await (const bytes of content) {
      signal.throwIfAborted();
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
}

/**
 * Converts an error for a name that this system doesn't support to a PackageError. Other errors, such as a full disk,
 * aren't the package's fault.
 *
 * @throws PackageError, or the original error
 */
async function forEntry(name: string, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw error instanceof Error && 'code' in error && NAME_ERRORS.includes(String(error.code))
      ? new PackageError(
          `${toDisplayText(name)} can’t be unpacked here, because its name is in use or not supported. Rename it.`,
        )
      : error;
  }
}

/**
 * Returns the type of a file, based on its first bytes.
 *
 * @param head the first 4 KiB
 * @throws PackageError if apps can't be built from this type
 */
function detectPackageType(head: Buffer): PackageInfo['type'] {
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (ZIP_STARTS.some((start) => head.indexOf(start) === 0)) {
    return 'zip';
  }
  // A page can begin with an XML declaration.
  if (HTML_START.test(text.replace(/^<\?xml[^>]*\?>\s*/, ''))) {
    return 'html';
  }
  const reason =
    head.length === 0
      ? 'The file is empty.'
      : head.indexOf(GZIP_START) === 0
        ? 'The file is compressed with gzip.'
        : 'The file’s type isn’t supported.';
  throw new PackageError(`${reason} ${UPLOAD_HINT}`);
}
