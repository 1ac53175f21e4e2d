import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import * as z from 'zod/mini';
import { createTemporaryFolder } from '../../../android-package/index.ts';
import { CancelledError, Failure, sentence, type Sentence } from '../../../errors/index.ts';
import { localPath } from '../../../page-design/index.ts';
import { MAX_RESOURCE_BYTES } from '../../../service-client/index.ts';
import { DEFAULT_START_PAGE, findAttribute, MAX_CONFIG_LENGTH, parseXml } from '../../../config-xml/index.ts';
import {
  CONFIG_FILE,
  FALLBACK_PAGE,
  getPackagePath,
  type PackagePlan,
  type PlannedFile,
  readPlanned,
} from '../../../web-project/index.ts';
import { MAX_UNPACKED_BYTES } from '../limits.ts';
import { read } from '../../workbench/readStored.ts';

/** The pages of a built app in a folder that only this account can read. Disposing deletes them. */
export interface WebFiles {
  readonly folder: string;
  /** First page of the app, relative to its origin: `/`, `/pages/start.html#home`. */
  readonly start: string;
  /** Page to serve for paths without a file. If undefined, such requests fail. */
  readonly fallback: string | undefined;
  /** True if the package contains a `cordova.js` that works in a browser. */
  readonly hasStandIn: boolean;
  dispose(): Promise<void>;
}

/** Creates the error for a package without pages to show. */
function unreadable(what: Sentence, cause?: unknown): Failure {
  return new Failure('unreadablePackage', {
    what,
    next: sentence('Build the app again, or install the build.'),
    cause,
  });
}

/** Folder of the pages in packages of Cordova and the built-in builder. */
const WEB_ROOT = 'assets/www/';
/** Settings of the built-in builder's shell. Packages of other builders don't have this file. */
const SHELL_SETTINGS = 'assets/shell.json';
const SETTINGS = z.object({ start: z.optional(z.string()), fallback: z.optional(z.string()) });

/** Minimum size of a file on disk, in bytes, including an empty file. */
const BLOCK_BYTES = 4096;

/**
 * Bits of a Unix mode that contain the file type. Archivers put the mode into the upper half of an entry's attributes.
 */
const FILE_TYPE_MASK = 0o170000;
const REGULAR_FILE = 0o100000;

/**
 * Unpacks the pages of an Android package into a temporary folder. A failure leaves nothing behind.
 * @param file path of the package
 * @throws Failure; CancelledError if the signal aborts
 */
export async function unpackWebFiles(file: string, signal: AbortSignal): Promise<WebFiles> {
  const { folder, dispose } = await temporaryFolder();
  try {
    const { count, settings } = await unpack(file, folder, signal);
    if (count === 0) {
      throw unreadable(sentence('The package has no web pages to show.'));
    }
    const hasStandIn = settings !== undefined;
    return { folder, ...parseShellPages(settings), hasStandIn, dispose };
  } catch (error) {
    await dispose();
    if (error instanceof Failure || error instanceof CancelledError) {
      throw error;
    }
    throw unreadable(sentence('The package can’t be unpacked.'), error);
  }
}

async function temporaryFolder(): Promise<Pick<WebFiles, 'folder' | 'dispose'>> {
  const folder = await createTemporaryFolder();
  return { folder, dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

async function unpack(
  file: string,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly settings: string | undefined }> {
  // yauzl rejects names that lead out of the folder, and content that is larger than the directory declares.
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
        throw unreadable(sentence('The package is too large to show here.'));
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

/** Reports whether an entry is a page of the app, and not a folder or a link. */
function isPage({ fileName, externalFileAttributes }: ZipEntry): boolean {
  const type = (externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  return (
    fileName.startsWith(WEB_ROOT) &&
    (type === 0 || type === REGULAR_FILE) &&
    isPagePath(fileName.slice(WEB_ROOT.length))
  );
}

/** Reports whether a path has no hidden parts and no characters that some systems treat as separators or streams. */
function isPagePath(below: string): boolean {
  return below.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\:\p{Cc}]/u.test(part));
}

async function write(zip: ZipFile, entry: ZipEntry, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  // Never overwrites: a file system may treat two different names as equal.
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}

/**
 * Returns the first page and the fallback, as the built-in builder's shell computes them. An app built by Cordova
 * starts at `index.html`.
 */
function parseShellPages(settings: string | undefined): Pick<WebFiles, 'start' | 'fallback'> {
  if (settings === undefined) {
    return { start: '/index.html', fallback: undefined };
  }
  const { start, fallback } = read(SETTINGS, JSON.parse(settings)) ?? {};
  return {
    start: start === undefined ? '/' : localPath(start, '/'),
    fallback: fallback ? `/${fallback}` : undefined,
  };
}

/** Copies of the pages that a project's package would contain. */
export interface CopiedFiles extends WebFiles {
  /** Fingerprint of the files. Equal files have equal fingerprints. */
  readonly fingerprint: string;
  /** Planned files by their paths relative to the pages. */
  readonly planned: ReadonlyMap<string, PlannedFile>;
}

/**
 * Copies a project's pages into a temporary folder. Copies exactly the files that the plan contains, in the state in which they were
 * planned.
 * @param before copies from an earlier plan. Unchanged files are hard links to these copies, so nothing writes to a copy.
 * @returns `before` if nothing has changed
 * @throws Failure if the files are too large; PackingError if a file changes during the copy; CancelledError
 */
export async function copyWebFiles(plan: PackagePlan, signal: AbortSignal, before?: CopiedFiles): Promise<CopiedFiles> {
  if (plan.totalBytes > MAX_UNPACKED_BYTES) {
    throw new Failure('unreadablePackage', {
      what: sentence('The package is too large to show here.'),
      next: sentence('In .appbuildignore, list the files that the app doesn’t need.'),
    });
  }
  // If config.xml and the pages are both at the top level, the package keeps them there.
  const root = plan.layout.pages === '' && plan.layout.config === CONFIG_FILE ? '' : 'www/';
  const toWebPath = (inPackage: string): string | undefined => {
    const below = inPackage.slice(root.length);
    return inPackage.startsWith(root) && below !== CONFIG_FILE && isPagePath(below) ? below : undefined;
  };
  const planned = new Map<string, PlannedFile>();
  const made = new Map<string, Uint8Array>();
  plan.files.forEach((file) => addTo(planned, toWebPath(getPackagePath(plan.layout, file.path)), file));
  plan.made.forEach(({ path: name, bytes }) => addTo(made, toWebPath(name), bytes));
  const config = await readConfig(plan);
  const fingerprint = computeFingerprint(planned, [
    ...[...made].flatMap(([name, bytes]) => [Buffer.from(name), bytes]),
    Buffer.from(config),
  ]);
  if (before?.fingerprint === fingerprint) {
    return before;
  }
  const { folder, dispose } = await temporaryFolder();
  try {
    for (const [below, file] of planned) {
      if (signal.aborted) {
        throw new CancelledError();
      }
      const target = path.join(folder, below);
      await mkdir(path.dirname(target), { recursive: true });
      if (!(await linkUnchanged(below, file, target, before))) {
        await pipeline(readPlanned(file), createWriteStream(target, { flags: 'wx', mode: 0o600 }));
      }
    }
    for (const [below, bytes] of made) {
      const target = path.join(folder, below);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, bytes, { flag: 'wx', mode: 0o600 });
    }
    const has = (below: string): boolean => planned.has(below) || made.has(below);
    return { folder, ...parseConfigPages(config, has), hasStandIn: false, fingerprint, planned, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function addTo<T>(files: Map<string, T>, below: string | undefined, file: T): void {
  if (below !== undefined) {
    files.set(below, file);
  }
}

/** Returns the text of config.xml in the package. */
async function readConfig({ config, files, layout }: PackagePlan): Promise<string> {
  const file = files.find(({ path: each }) => each === layout.config);
  if (config !== undefined || file === undefined) {
    return config?.text ?? '';
  }
  return file.withPlugins === undefined
    ? await text(Readable.from(readPlanned(file, MAX_CONFIG_LENGTH), { objectMode: false }))
    : Buffer.from(file.withPlugins.bytes).toString();
}

function computeFingerprint(planned: ReadonlyMap<string, PlannedFile>, texts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  planned.forEach(({ inode, sizeBytes, modifiedMs }, below) =>
    hash.update(JSON.stringify([below, inode, sizeBytes, modifiedMs])),
  );
  texts.forEach((bytes) => hash.update(`${bytes.length}\n`).update(bytes));
  return hash.digest('hex');
}

/**
 * Hard-links a file to its copy from an earlier plan.
 *
 * @returns false if the file has changed since then, or the file system doesn't support links
 */
async function linkUnchanged(
  below: string,
  { inode, sizeBytes, modifiedMs }: PlannedFile,
  target: string,
  before: CopiedFiles | undefined,
): Promise<boolean> {
  const file = before?.planned.get(below);
  if (before === undefined || file?.inode !== inode || file.sizeBytes !== sizeBytes || file.modifiedMs !== modifiedMs) {
    return false;
  }
  return link(path.join(before.folder, below), target).then(
    () => true,
    () => false,
  );
}

/** Returns the first page of an app with this config.xml. @param has reports whether the package contains a page */
function parseConfigPages(config: string, has: (below: string) => boolean): Pick<WebFiles, 'start' | 'fallback'> {
  const elements = parseXml(config).root?.children ?? [];
  const content = elements.find(({ name }) => name === 'content');
  const start = (content && findAttribute(content, 'src')?.value) ?? '';
  const preference = elements.find(
    (each) => each.name === 'preference' && findAttribute(each, 'name')?.value === FALLBACK_PAGE,
  );
  const fallback = (preference && findAttribute(preference, 'value')?.value) ?? '';
  return {
    start: start === DEFAULT_START_PAGE ? '/' : localPath(start, '/'),
    fallback: has(fallback) ? `/${fallback}` : undefined,
  };
}
