import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract, Parser, ReadEntry } from 'tar';

import { FILE_MODE } from '../../store/dataFiles.ts';
import { ArchiveContents, FOLDER_MODE, PackageError, shown, type ArchivedFile } from './archiveContents.ts';

/** Types of entry, as tar names them. */
const PLAIN_FILES: readonly string[] = ['File', 'OldFile', 'ContiguousFile'];

const GZIP_START = Buffer.from([0x1f, 0x8b]);
const CHUNK_BYTES = 64 * 1024;
/** Bytes of one extended header, which holds the path of a file. */
const MAX_EXTENDED_HEADER_BYTES = 64 * 1024;
/** Bytes of the archive, unzipped, that belong to no file: headers, and the padding at its end. */
const MAX_OTHER_BYTES = 64 * 1024 ** 2;

/**
 * Reads and checks a whole tar.gz archive. Nothing is unpacked.
 *
 * @param onContent receives the content of the files piece by piece
 * @throws PackageError when the archive is broken, or holds what an app may not hold
 */
export async function readTarArchive(
  file: string,
  onContent?: (file: ArchivedFile, bytes: Buffer) => void,
): Promise<ArchiveContents> {
  const contents = new ArchiveContents();
  const parser = new Parser({
    strict: true,
    zstd: false,
    maxMetaEntrySize: MAX_EXTENDED_HEADER_BYTES,
    onReadEntry: (entry) => {
      const added = addEntry(contents, entry);
      if (added !== undefined) {
        entry.on('data', (bytes) => onContent?.(added, bytes));
      }
      entry.resume();
    },
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    throw entry.meta ? brokenTar('a header is too large') : notPlain(entry);
  });
  try {
    await feed(parser, file, () => contents.size + MAX_OTHER_BYTES);
  } catch (error) {
    throw asPackageError(error, contents);
  }
  return contents;
}

/**
 * Unpacks a tar.gz archive into an empty folder: plain files and folders for their owner alone. Nothing is written of an
 * archive that is broken somewhere.
 *
 * @throws PackageError as {@link readTarArchive} does; the signal's reason when it is aborted
 */
export async function unpackTarArchive(file: string, folder: string, signal: AbortSignal): Promise<void> {
  const { folders, size } = await readTarArchive(file);
  for (const each of folders) {
    await mkdir(path.join(folder, each), { recursive: true, mode: FOLDER_MODE });
  }
  const contents = new ArchiveContents();
  const unpack = extract({
    cwd: folder,
    strict: true,
    zstd: false,
    preserveOwner: false,
    noMtime: true,
    filter: (_name, entry) => {
      if (signal.aborted || !(entry instanceof ReadEntry)) {
        return false;
      }
      const added = addEntry(contents, entry);
      if (added === undefined) {
        return false;
      }
      entry.path = added.path;
      entry.mode = FILE_MODE;
      return true;
    },
  });
  const faults: unknown[] = [];
  unpack.on('error', (error: unknown) => faults.push(error));
  const closed = once(unpack, 'close');
  await feed(unpack, file, () => size + MAX_OTHER_BYTES);
  await closed;
  signal.throwIfAborted();
  if (faults.length > 0) {
    throw faults[0];
  }
}

/** Hands an archive, unzipped, over to one of tar's readers. @param maxBytes asked after each piece */
async function feed(reader: Parser, file: string, maxBytes: () => number): Promise<void> {
  let write = (chunk: Buffer): boolean => reader.write(chunk);
  // Only padding follows the end of an archive: the reader would collect it.
  reader.on('eof', () => (write = () => true));
  // `pipeline` destroys both when one fails or the loop ends early; the error comes out of the loop.
  const unzipped = pipeline(createReadStream(file), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  let size = 0;
  for await (const chunk of unzipped as AsyncIterable<Buffer>) {
    if (size === 0 && chunk.indexOf(GZIP_START) === 0) {
      // The reader would unzip it once more, without a limit.
      throw noTar();
    }
    if (!write(chunk)) {
      await once(reader, 'drain');
    }
    size += chunk.length;
    if (size > maxBytes()) {
      throw brokenTar('more than 64 MiB of it belong to no file');
    }
  }
  reader.end();
}

/** @returns undefined for a folder @throws PackageError for what an app may not hold */
function addEntry(contents: ArchiveContents, entry: ReadEntry): ArchivedFile | undefined {
  if (entry.type === 'Directory') {
    contents.addFolder(entry.path);
    return undefined;
  }
  if (!PLAIN_FILES.includes(entry.type)) {
    throw notPlain(entry);
  }
  return contents.addFile(entry.path, entry.size);
}

function notPlain(entry: ReadEntry): PackageError {
  const name = shown(entry.path);
  if (entry.type === 'SymbolicLink') {
    return new PackageError(`${name} is a symbolic link. Pack the file that it leads to in its place.`);
  }
  if (entry.type === 'Link') {
    return new PackageError(`${name} is a hard link. Pack the file in its place (tar --hard-dereference).`);
  }
  return new PackageError(`${name} is neither a plain file nor a folder. Leave it out.`);
}

function noTar(): PackageError {
  return new PackageError(
    'The file is compressed by gzip, but holds no tar archive. Upload a zip archive, a tar.gz archive or a single HTML page.',
  );
}

function brokenTar(reason: string): PackageError {
  return new PackageError(`The tar.gz archive is broken: ${reason}. Pack the files again.`);
}

/** Errors of the archive become a PackageError; those of the file system (`EIO`) remain what they are. */
function asPackageError(error: unknown, { files, folders }: ArchiveContents): unknown {
  if (!(error instanceof Error) || error instanceof PackageError || 'syscall' in error) {
    return error;
  }
  if ('code' in error && String(error.code).startsWith('Z_')) {
    return brokenTar(shown(error.message).slice(1, -1));
  }
  if (files.length + folders.length === 0) {
    return noTar();
  }
  // Errors of tar have a `tarCode`, save where a header confuses it.
  const reason = 'tarCode' in error ? error.message.replace(/^TAR_\w+: /, '') : 'a header makes no sense';
  return brokenTar(shown(reason).slice(1, -1));
}
