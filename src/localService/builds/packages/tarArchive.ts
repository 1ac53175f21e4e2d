import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Header, Parser, type ReadEntry } from 'tar';

import { ArchiveContents, shown, type ArchivedFile } from './archiveContents.ts';
import { PackageError } from './packageInfo.ts';

/** Types of entry, as the parser names them. */
const PLAIN_FILES: readonly string[] = ['File', 'OldFile', 'ContiguousFile'];

const BLOCK_BYTES = 512;
const CHUNK_BYTES = 64 * 1024;
/** Bytes of one extended header, which holds the path of a file. */
const MAX_EXTENDED_HEADER_BYTES = 64 * 1024;
/** Bytes of the archive, unzipped, that belong to no file: headers, and the padding at its end. */
const MAX_OTHER_BYTES = 64 * 1024 ** 2;

/** Receives the content of a file piece by piece. The first piece of each file is empty. */
export type PieceReceiver = (file: ArchivedFile, bytes: Buffer) => Promise<void> | void;

/**
 * Reads a tar.gz archive from its beginning to its end, once.
 *
 * @param onPiece is called for one piece at a time
 * @throws PackageError when the archive is broken, or holds what an app may not hold; what `onPiece` throws
 */
export async function readTarArchive(path: string, onPiece: PieceReceiver): Promise<ArchiveContents> {
  const contents = new ArchiveContents();
  const tar = createParser(contents);
  // `pipeline` destroys both when one fails or the loop ends early; the error comes out of the loop.
  const unzipped = pipeline(createReadStream(path), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  let head = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      if (head.length < BLOCK_BYTES) {
        head = Buffer.concat([head, chunk]);
        if (head.length >= BLOCK_BYTES && !isTarHeader(head)) {
          throw noTar();
        }
      }
      for (const { file, bytes } of tar.parse(chunk)) {
        await onPiece(file, bytes);
      }
      size += chunk.length;
      if (size > contents.size + MAX_OTHER_BYTES) {
        throw brokenTar('more than 64 MiB of it belong to no file');
      }
    }
    if (head.length < BLOCK_BYTES) {
      throw noTar();
    }
    tar.end();
  } catch (error) {
    throw asPackageError(error);
  }
  return contents;
}

interface Piece {
  readonly file: ArchivedFile;
  readonly bytes: Buffer;
}

interface TarParser {
  /** @returns what the chunk has of files */
  readonly parse: (chunk: Buffer) => readonly Piece[];
  readonly end: () => void;
}

/** A parser that adds what is in the archive to `contents`, and throws at what may not be there. */
function createParser(contents: ArchiveContents): TarParser {
  let pieces: Piece[] = [];
  let hasEnded = false;
  const parser = new Parser({
    strict: true,
    brotli: false,
    zstd: false,
    maxMetaEntrySize: MAX_EXTENDED_HEADER_BYTES,
  });
  parser.on('entry', (entry: ReadEntry) => {
    if (entry.type === 'Directory') {
      contents.addFolder(entry.path);
      entry.resume();
      return;
    }
    if (!PLAIN_FILES.includes(entry.type)) {
      throw notPlain(entry);
    }
    const file = contents.addFile(entry.path, entry.size);
    pieces.push({ file, bytes: Buffer.alloc(0) });
    entry.on('data', (bytes) => pieces.push({ file, bytes }));
  });
  parser.on('ignoredEntry', (entry: ReadEntry) => {
    throw entry.meta ? brokenTar('a header is too large') : notPlain(entry);
  });
  // What follows the end of an archive is padding: the parser would collect it.
  parser.on('eof', () => (hasEnded = true));
  return {
    parse: (chunk) => {
      pieces = [];
      if (!hasEnded) {
        parsing(() => parser.write(chunk));
      }
      return pieces;
    },
    end: () => parsing(() => parser.end()),
  };
}

/** Errors of the parser have a `tarCode`, save where a header confuses it. */
function parsing(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw error instanceof PackageError || (error instanceof Error && 'tarCode' in error)
      ? error
      : brokenTar('a header makes no sense');
  }
}

function isTarHeader(bytes: Buffer): boolean {
  try {
    const header = new Header(bytes);
    // An archive without entries begins with empty blocks.
    return header.cksumValid || header.nullBlock;
  } catch {
    // A number in it is none.
    return false;
  }
}

function noTar(): PackageError {
  return new PackageError(
    'The file is compressed by gzip, but holds no tar archive. Upload a zip archive, a tar.gz archive or a single HTML page.',
  );
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

function brokenTar(reason: string): PackageError {
  return new PackageError(`The tar.gz archive is broken: ${reason}. Pack the files again.`);
}

/** Errors of the archive become a PackageError; those of the file system (`EIO`) and of a receiver remain what they are. */
function asPackageError(error: unknown): unknown {
  if (!(error instanceof Error) || !('tarCode' in error || ('code' in error && String(error.code).startsWith('Z_')))) {
    return error;
  }
  return brokenTar(shown(error.message.replace(/^TAR_\w+: /, '')).slice(1, -1));
}
