import type * as vscode from 'vscode';

import { cancellable } from './cancellation.ts';
import { DiskTree, type TreeEntry } from './diskTree.ts';
import { PackingError } from './packingError.ts';
import { baseName, join, uriBelow } from './paths.ts';
import { isWidget, projectName } from './projectName.ts';

/** A folder that can be built: it holds `config.xml` and `www/`, or an `index.html`. */
export interface WebProject {
  readonly uri: vscode.Uri;
  /** Path below the folder that was searched, with `/`; empty when it is that folder. */
  readonly path: string;
  /** `<name>` of config.xml; undefined when it has none that can be read. */
  readonly name: string | undefined;
}

/** Levels below the folder that are searched. */
const MAX_DEPTH = 4;
/** Folders that are read. */
const MAX_FOLDERS = 1_000;

const MAX_CONFIG_BYTES = 256 * 1024;

/** Folders of tools: a template or a test page in there is no project of the person. */
const FOREIGN_FOLDER = /^(?:node_modules|bower_components|platforms|plugins|Pods|__MACOSX|\..*)$/i;

/** A folder that holds an app, and in which of its folders the pages are. */
interface Found {
  readonly path: string;
  readonly name: string | undefined;
  /** Only a page, which may be the documentation of what lies deeper. */
  readonly isPlainPage: boolean;
}

/**
 * Finds the web projects in a folder on a disk, as {@link searchProjects} does. Never waits on a search of VS Code.
 *
 * @throws PackingError when the folder is on no disk of this computer, or cannot be read; CancelledError
 */
export async function findWebProjects(folder: vscode.Uri, signal?: AbortSignal): Promise<readonly WebProject[]> {
  if (folder.scheme !== 'file') {
    throw PackingError.notOnDisk(baseName(folder));
  }
  return searchProjects(new DiskTree(folder.fsPath), folder, signal);
}

/**
 * Finds the web projects in a folder and below it, the closest first; among equally close ones those with a config.xml. In a
 * project no other is looked for; below a plain page, only those with a config.xml.
 *
 * @param uri of the tree's folder
 * @throws PackingError when the folder itself cannot be read; CancelledError
 */
export async function searchProjects(
  tree: DiskTree,
  uri: vscode.Uri,
  signal?: AbortSignal,
  maxFolders = MAX_FOLDERS,
): Promise<readonly WebProject[]> {
  const found: Found[] = [];
  let level: readonly { readonly path: string; readonly isBelowPage: boolean }[] = [{ path: '', isBelowPage: false }];
  let folders = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const foundHere: Found[] = [];
    const next: { path: string; isBelowPage: boolean }[] = [];
    for (const { path, isBelowPage } of level) {
      folders += 1;
      if (folders > maxFolders) {
        break;
      }
      const entries = await listed(tree, path, uri, signal);
      const project = await projectIn(tree, path, entries, signal);
      if (project !== undefined && !(isBelowPage && project.isPlainPage)) {
        foundHere.push(project);
      }
      if (project === undefined || project.isPlainPage) {
        const below = entries.filter(({ name, kind }) => kind === 'folder' && !FOREIGN_FOLDER.test(name));
        next.push(
          ...below
            .map(({ name }) => ({ path: join(path, name), isBelowPage: isBelowPage || project !== undefined }))
            .sort((a, b) => (a.path < b.path ? -1 : 1)),
        );
      }
    }
    found.push(...foundHere.sort((a, b) => Number(a.isPlainPage) - Number(b.isPlainPage)));
    level = next;
  }
  return found.map(({ path, name }) => ({ uri: uriBelow(uri, path), path, name }));
}

async function listed(
  tree: DiskTree,
  path: string,
  uri: vscode.Uri,
  signal: AbortSignal | undefined,
): Promise<readonly TreeEntry[]> {
  const list = tree.list(path).catch((error: unknown) => {
    if (path === '') {
      throw PackingError.ofFolder(baseName(uri), error);
    }
    return [];
  });
  return cancellable(list, signal);
}

async function projectIn(
  tree: DiskTree,
  path: string,
  entries: readonly TreeEntry[],
  signal: AbortSignal | undefined,
): Promise<Found | undefined> {
  const holds = (name: string): boolean => entries.some((entry) => entry.name === name && isReadable(entry));
  const config = holds('config.xml') ? await readConfig(tree, join(path, 'config.xml'), signal) : undefined;
  const name = config === undefined ? undefined : projectName(config);
  if (config !== undefined && (holds('www') || holds('index.html'))) {
    return { path, name, isPlainPage: false };
  }
  if (holds('www') && (await isFile(tree, join(path, 'www/index.html'), signal))) {
    // PhoneGap kept it beside the page.
    const inner = await readConfig(tree, join(path, 'www/config.xml'), signal);
    return { path, name: inner === undefined ? undefined : projectName(inner), isPlainPage: false };
  }
  return holds('index.html') ? { path, name: undefined, isPlainPage: true } : undefined;
}

function isReadable({ kind }: TreeEntry): boolean {
  return kind !== 'special';
}

async function isFile(tree: DiskTree, path: string, signal: AbortSignal | undefined): Promise<boolean> {
  const details = await cancellable(
    tree.details(path).catch(() => undefined),
    signal,
  );
  return details?.kind === 'file';
}

/**
 * The first {@link MAX_CONFIG_BYTES} of a config.xml.
 *
 * @returns undefined when it cannot be read, or is not that of an app
 */
export async function readConfig(tree: DiskTree, path: string, signal?: AbortSignal): Promise<string | undefined> {
  if (!(await isFile(tree, path, signal))) {
    return undefined;
  }
  const bytes = await cancellable(
    tree.head(path, MAX_CONFIG_BYTES).catch(() => undefined),
    signal,
  );
  const text = bytes === undefined ? '' : new TextDecoder(encodingOf(bytes)).decode(bytes);
  return isWidget(text) ? text : undefined;
}

/** By the byte order mark, as XML says (appendix F). */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
