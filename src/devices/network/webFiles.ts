import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import * as z from 'zod/mini';
import { Failure } from '../../api/errors/buildServiceError.ts';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { sentence, type Sentence } from '../../api/errors/sentence.ts';
import { MAX_RESOURCE_BYTES } from '../../api/limits.ts';
import { MAX_UNPACKED_BYTES } from '../limits.ts';
import { read } from '../../workbench/readStored.ts';

/** The pages of an app as they were built, in a folder that only this account may read, until they are disposed. */
export interface WebFiles {
  readonly folder: string;
  /** Where the app begins, below its origin: `/`, `/pages/start.html#home`. */
  readonly start: string;
  /** The page that answers what names no file; undefined: none does. */
  readonly fallback: string | undefined;
  /** Whether the package brings a `cordova.js` that runs in a browser. */
  readonly hasStandIn: boolean;
  dispose(): Promise<void>;
}

/** The package has no pages that could be shown. */
function unreadable(what: Sentence, cause?: unknown): Failure {
  return new Failure('unreadablePackage', {
    what,
    next: sentence('Build the app again, or install the build.'),
    cause,
  });
}

/** Where Cordova and the local service's own builder put the pages. */
const WEB_ROOT = 'assets/www/';
/** What the shell of the built-in builder reads. Packages of other builders have none. */
const SHELL_SETTINGS = 'assets/shell.json';
const SETTINGS = z.object({ start: z.optional(z.string()), fallback: z.optional(z.string()) });

/** Bytes on a disk that the smallest file takes, also an empty one. */
const BLOCK_BYTES = 4096;

/** Types of file in a Unix mode, which archivers put into the upper half of an entry's attributes. */
const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;

/**
 * Unpacks the pages of an Android package into a temporary folder. A failure leaves nothing behind.
 *
 * @param file path of the package.
 * @throws Failure; CancelledError when the signal aborts.
 */
export async function unpackWebFiles(file: string, signal: AbortSignal): Promise<WebFiles> {
  // mkdtemp gives the folder to its owner only (0700).
  const folder = await mkdtemp(path.join(tmpdir(), 'app-build-'));
  const dispose = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const { count, settings } = await unpack(file, folder, signal);
    if (count === 0) {
      throw unreadable(sentence('There are no web pages in the package that could be shown.'));
    }
    const hasStandIn = settings !== undefined;
    return { folder, ...pagesOf(settings), hasStandIn, dispose };
  } catch (error) {
    await dispose();
    if (error instanceof Failure || error instanceof CancelledError) {
      throw error;
    }
    throw unreadable(sentence('The package cannot be unpacked.'), error);
  }
}

async function unpack(
  file: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly settings: string | undefined }> {
  // yauzl refuses names that lead out of a folder, and content that is larger than the directory says.
  const zip = await openPromise(file, { strictFileNames: true, autoClose: false });
  try {
    const pages: ZipEntry[] = [];
    let settings: string | undefined;
    let left = MAX_UNPACKED_BYTES;
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName === SHELL_SETTINGS && entry.uncompressedSize <= MAX_RESOURCE_BYTES) {
        settings = await text(await zip.openReadStreamPromise(entry));
      } else if (isPage(entry)) {
        pages.push(entry);
        left -= Math.max(entry.uncompressedSize, BLOCK_BYTES);
      }
      if (left < 0) {
        throw unreadable(sentence('The package is too large to be shown here.'));
      }
    }
    for (const page of pages) {
      if (signal.aborted) {
        throw new CancelledError();
      }
      await write(zip, page, path.join(folder, page.fileName.slice(WEB_ROOT.length)));
    }
    return { count: pages.length, settings };
  } finally {
    zip.close();
  }
}

/** True for a file of the app: no folder, no link, nothing hidden, no name that means more than a name on some system. */
function isPage({ fileName, externalFileAttributes }: ZipEntry): boolean {
  const type = (externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  return (
    fileName.startsWith(WEB_ROOT) &&
    (type === 0 || type === REGULAR_FILE) &&
    fileName
      .slice(WEB_ROOT.length)
      .split('/')
      .every((part) => part !== '' && !part.startsWith('.') && !/[\\:\p{Cc}]/u.test(part))
  );
}

async function write(zip: ZipFile, entry: ZipEntry, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  // Never over a file that is there: two names may be one to the file system.
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}

/** Where the app begins, as the shell of the built-in builder does it; an app of Cordova begins at `index.html`. */
function pagesOf(settings: string | undefined): Pick<WebFiles, 'start' | 'fallback'> {
  if (settings === undefined) {
    return { start: '/index.html', fallback: undefined };
  }
  const { start, fallback } = read(SETTINGS, JSON.parse(settings)) ?? {};
  return {
    start: start === undefined ? '/' : startPath(start),
    fallback: fallback ? `/${fallback}` : undefined,
  };
}

/** A start page below the app's own origin. One of another website is not what is shown here. */
function startPath(start: string): string {
  const base = 'https://app.invalid';
  const url = URL.parse(start, `${base}/`);
  // It goes into a header, where two leading slashes would start a host name.
  return url?.origin === base && !url.pathname.startsWith('//') ? url.href.slice(base.length) : '/';
}
