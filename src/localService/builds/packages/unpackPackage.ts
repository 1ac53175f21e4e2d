import { createWriteStream } from 'node:fs';
import { appendFile, chmod, copyFile, constants, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { FILE_MODE } from '../../store/dataFiles.ts';
import type { PackageType } from '../../store/model.ts';
import { shown, type ArchivedFile } from './archiveContents.ts';
import { PackageError } from './packageInfo.ts';
import { ZipArchive } from './zipArchive.ts';

const FOLDER_MODE = 0o700;

/** Codes of the file system for a name that it cannot have. */
const NAME_ERRORS = ['EEXIST', 'EILSEQ', 'EINVAL', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

/**
 * Unpacks a checked package into an empty folder: plain files and folders, nothing else. A single page becomes `index.html`.
 * When it fails, the folder is empty afterwards.
 *
 * @throws PackageError when the content is not what the archive's directory says; the signal's reason when it is aborted
 */
export async function unpackPackage(
  path: string,
  type: PackageType,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    switch (type) {
      case 'zip':
        await unpackZip(path, folder, signal);
        break;
      case 'tar.gz':
        await unpackTar(path, folder, signal);
        break;
      case 'html':
        await copyPage(path, folder, signal);
        break;
    }
  } catch (error) {
    await removeContent(folder);
    signal.throwIfAborted();
    throw error;
  }
}

async function unpackZip(path: string, folder: string, signal: AbortSignal): Promise<void> {
  const archive = await ZipArchive.open(path);
  try {
    const folders = new Folders(folder);
    for (const each of archive.contents.folders) {
      await folders.make(each);
    }
    for (const file of archive.contents.files) {
      await writeFile(archive.read(file), folder, file, signal);
    }
  } finally {
    archive.close();
  }
}

async function unpackTar(path: string, folder: string, signal: AbortSignal): Promise<void> {
  const { readTarArchive } = await import('./tarArchive.ts');
  const folders = new Folders(folder);
  let latest: ArchivedFile | undefined;
  const contents = await readTarArchive(path, async (file, bytes) => {
    signal.throwIfAborted();
    await folders.make(file.path.slice(0, Math.max(file.path.lastIndexOf('/'), 0)));
    const flag = file === latest ? 'a' : 'wx';
    latest = file;
    await appendFile(join(folder, file.path), bytes, { flag, mode: FILE_MODE }).catch((error: unknown) => {
      throw asPackageError(error, file.path);
    });
  });
  for (const each of contents.folders) {
    await folders.make(each);
  }
}

async function copyPage(path: string, folder: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const page = join(folder, 'index.html');
  await copyFile(path, page, constants.COPYFILE_EXCL);
  await chmod(page, FILE_MODE);
}

/** Makes the folders of a package, each once. */
class Folders {
  readonly #root: string;
  readonly #made = new Set(['']);

  constructor(root: string) {
    this.#root = root;
  }

  async make(path: string): Promise<void> {
    if (!this.#made.has(path)) {
      this.#made.add(path);
      await mkdir(join(this.#root, path), { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
        throw asPackageError(error, path);
      });
    }
  }
}

async function writeFile(
  content: AsyncIterable<Buffer>,
  folder: string,
  file: ArchivedFile,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(content, createWriteStream(join(folder, file.path), { flags: 'wx', mode: FILE_MODE }), { signal });
  } catch (error) {
    throw asPackageError(error, file.path);
  }
}

/** A name that this system's files cannot have is the package's fault; a full disk is not. */
function asPackageError(error: unknown, path: string): unknown {
  return error instanceof Error && 'code' in error && NAME_ERRORS.includes(String(error.code))
    ? new PackageError(`${shown(path)} cannot be unpacked here: its name is taken or not possible. Rename it.`)
    : error;
}

async function removeContent(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
