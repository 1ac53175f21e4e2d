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

/** Receives a file of the archive. It reads the content, or returns `undefined` to pass it over. */
export type FileReceiver = (file: ArchivedFile, content: AsyncIterable<Buffer>) => Promise<void> | undefined;

/**
 * Reads a tar.gz archive from its beginning to its end, once.
 *
 * @param onFile is called for one file at a time
 * @throws PackageError when the archive is broken, or holds what an app may not hold; what `onFile` throws; the signal's reason
 */
export async function readTarArchive(
  path: string,
  onFile: FileReceiver,
  signal?: AbortSignal,
): Promise<ArchiveContents> {
  const contents = new ArchiveContents();
  const parser = new TarParser(contents, onFile);
  // `pipeline` destroys both when one fails or ends early; the error comes out of the loop.
  const unzipped = pipeline(createReadStream(path), createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  let size = 0;
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      size += chunk.length;
      await parser.write(chunk);
      if (size > contents.size + MAX_OTHER_BYTES) {
        throw brokenTar('more than 64 MiB of it belong to no file');
      }
    }
    await parser.end();
  } catch (error) {
    throw asPackageError(error);
  } finally {
    unzipped.destroy();
    await parser.close();
  }
  return contents;
}

/** Parses what a tar archive holds, piece by piece. */
class TarParser {
  readonly #contents: ArchiveContents;
  readonly #onFile: FileReceiver;
  readonly #parser: Parser;
  /** The first bytes, until there is a whole block. */
  #head: Buffer | undefined = Buffer.alloc(0);
  #hasEnded = false;
  #failure: { readonly error: unknown } | undefined;
  /** The latest file that is received. */
  #entry: ReadEntry | undefined;
  /** Resolves when the receiver of that file has settled. */
  #received: Promise<void> = Promise.resolve();
  /** Continues a `write` that waits. */
  #wake: () => void = () => undefined;

  constructor(contents: ArchiveContents, onFile: FileReceiver) {
    this.#contents = contents;
    this.#onFile = onFile;
    this.#parser = new Parser({
      strict: true,
      brotli: false,
      zstd: false,
      maxMetaEntrySize: MAX_EXTENDED_HEADER_BYTES,
    });
    this.#parser.on('entry', (entry: ReadEntry) => {
      try {
        this.#take(entry);
      } catch (error) {
        this.#fail(error, entry);
      }
    });
    this.#parser.on('ignoredEntry', (entry: ReadEntry) => {
      this.#fail(entry.meta ? brokenTar('a header is too large') : notPlain(entry));
    });
    this.#parser.on('error', (error: unknown) => this.#fail(error));
    this.#parser.on('drain', () => this.#wake());
    // What follows the end of an archive is padding: the parser would collect it.
    this.#parser.on('eof', () => {
      this.#hasEnded = true;
    });
  }

  async write(chunk: Buffer): Promise<void> {
    let bytes = chunk;
    if (this.#head !== undefined) {
      bytes = Buffer.concat([this.#head, chunk]);
      this.#head = bytes.length < BLOCK_BYTES ? bytes : undefined;
      if (this.#head !== undefined) {
        return;
      }
      if (!isTarHeader(bytes)) {
        throw noTar();
      }
    }
    if (this.#hasEnded) {
      return;
    }
    const drained = new Promise<void>((resolve) => (this.#wake = resolve));
    this.#parse(() => {
      if (this.#parser.write(bytes)) {
        this.#wake();
      }
    });
    await drained;
    this.#throwFailure();
  }

  async end(): Promise<void> {
    if (this.#head !== undefined) {
      throw noTar();
    }
    const ended = new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#parser.on('end', resolve);
    });
    this.#parse(() => this.#parser.end());
    await ended;
    await this.#received;
    this.#throwFailure();
  }

  /** Ends what is being received. Nobody writes afterwards. */
  async close(): Promise<void> {
    this.#entry?.destroy();
    await this.#received;
  }

  #take(entry: ReadEntry): void {
    if (entry.type === 'Directory') {
      this.#contents.addFolder(entry.path);
      entry.resume();
      return;
    }
    if (!PLAIN_FILES.includes(entry.type)) {
      throw notPlain(entry);
    }
    const received = this.#onFile(this.#contents.addFile(entry.path, entry.size), entry);
    if (received === undefined) {
      entry.resume();
    } else {
      const previous = this.#received;
      this.#entry = entry;
      this.#received = received.then(() => previous).catch((error: unknown) => this.#fail(error, entry));
    }
  }

  /** The parser throws at some headers, and emits errors at others. */
  #parse(action: () => void): void {
    try {
      action();
    } catch {
      this.#fail(brokenTar('a header makes no sense'));
    }
  }

  #fail(error: unknown, entry?: ReadEntry): void {
    this.#failure ??= { error };
    this.#hasEnded = true;
    entry?.resume();
    this.#wake();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
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
