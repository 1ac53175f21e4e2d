/** The package of an app: a zip archive, or a single HTML page. */
import { chmod, copyFile, constants, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import { MAX_CONFIG_BYTES } from '../../limits.ts';
import { FILE_MODE, readBytes } from '../../store/dataFiles.ts';
import type { PackageType } from '../../store/model.ts';
import { chooseWebRoot } from './appFiles.ts';
import { FOLDER_MODE, PackageError, shown } from './archiveContents.ts';
import { parseConfig, type ConfigFile } from './packageConfig.ts';
import { withZip, type ZipArchive } from './zipArchive.ts';

/** The contents of a package, as far as they are known before a build. */
export interface PackageInfo {
  readonly type: Exclude<PackageType, 'tar.gz'>;
  /** Bytes, unpacked. */
  readonly unpackedSize: number;
  /** Files. */
  readonly fileCount: number;
  /** From config.xml; `undefined` without one, and for one that cannot be read: the build reports that. */
  readonly config: ConfigFile | undefined;
}

/** The type of a file shows in these bytes. */
const HEAD_BYTES = 4096;

/** The first entry of an archive, or the end of an empty one. */
const ZIP_STARTS = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')];
const GZIP_START = Buffer.from([0x1f, 0x8b]);

const WHAT_TO_SEND = 'Send the app as a .zip file or as a single HTML page.';

/** The start of a web page, after white space (WHATWG MIME Sniffing, 7.1), and `<meta`, with which short pages begin. */
const HTML_START =
  /^(?:<!doctype html|<(?:html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|meta))[\s>]|^<!--/i;

/** Codes of the file system for a name that it cannot have. */
const NAME_ERRORS = ['EEXIST', 'EILSEQ', 'EINVAL', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

/**
 * Checks an uploaded file before it is used. Its content decides its type, not its name. Of a zip archive only the
 * directory and config.xml are read. Nothing is written.
 *
 * @throws PackageError that names what is wrong
 */
export async function checkPackage(path: string): Promise<PackageInfo> {
  const type = packageTypeOf(await readBytes(path, HEAD_BYTES));
  return type === 'zip'
    ? withZip(path, checkZip)
    : { type, unpackedSize: (await stat(path)).size, fileCount: 1, config: undefined };
}

async function checkZip({ contents: { files, size }, read }: ZipArchive): Promise<PackageInfo> {
  if (files.length === 0) {
    throw new PackageError('The archive holds no files. Pack the files of the app, with an index.html.');
  }
  const chosen = chooseWebRoot(files.map((file) => file.path)).config;
  const configFile = files.find((file) => file.path === chosen && file.size <= MAX_CONFIG_BYTES);
  const config = configFile && configIn(await buffer(read(configFile)));
  return { type: 'zip', unpackedSize: size, fileCount: files.length, config };
}

/** @returns `undefined` for a malformed one: the build reports it, as the original service did */
function configIn(bytes: Buffer): ConfigFile | undefined {
  try {
    return parseConfig(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Unpacks a checked package into an empty folder: plain files and folders, nothing else. A single page becomes `index.html`.
 * When it fails, the folder is empty afterwards.
 *
 * @throws PackageError when the content doesn't match the archive's directory, or the type isn't supported; the signal's reason when it is
 * aborted
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
      throw new PackageError(`The app is a tar.gz archive. ${WHAT_TO_SEND}`);
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
  for (const file of contents.files) {
    await forEntry(file.path, writeFile(join(folder, file.path), read(file), signal));
  }
}

/** The file is there before the content is read: a stream that fails while it opens its file would leave it behind after the cleanup. */
async function writeFile(path: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  await pipeline(content, file.createWriteStream(), { signal });
}

/** A name that this system's files cannot have is the package's fault; a full disk is not. @throws PackageError, or the same error */
async function forEntry(name: string, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw error instanceof Error && 'code' in error && NAME_ERRORS.includes(String(error.code))
      ? new PackageError(`${shown(name)} cannot be unpacked here: its name is taken or not possible. Rename it.`)
      : error;
  }
}

/**
 * The type of a file, by its first bytes.
 *
 * @param head the first 4 KiB
 * @throws PackageError when it is nothing that an app is made from
 */
function packageTypeOf(head: Buffer): PackageInfo['type'] {
  const text = head
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (ZIP_STARTS.some((start) => head.indexOf(start) === 0)) {
    return 'zip';
  }
  // An XML declaration may come before the page.
  if (HTML_START.test(text.replace(/^<\?xml[^>]*\?>\s*/, ''))) {
    return 'html';
  }
  const reason =
    head.length === 0
      ? 'The file is empty.'
      : head.indexOf(GZIP_START) === 0
        ? 'The file is compressed by gzip.'
        : 'The type of the file is not known.';
  throw new PackageError(`${reason} ${WHAT_TO_SEND}`);
}
