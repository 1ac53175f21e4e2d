import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { NamedFile } from '../checks/files.ts';
import { isType } from './configFiles.ts';

/** Entries of a folder that are offered. */
const MAX_OFFERED = 500;

/** Tools' own, beside a config.xml. */
const NOT_OFFERED = /^(\..*|node_modules|platforms|plugins|config\.xml|package(-lock)?\.json)$/;

export interface FoundFile {
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * The files that a value of a config.xml may go on with. Never rejects.
 *
 * @param of `page`: below the folder of the pages, where there is one; `file`: below the folder of the config.xml.
 * @param typed what is written of the value: the folder is what is before its last slash.
 * @param pagesFolder folder of the pages below that of the config.xml.
 */
export async function filesBelow(
  config: vscode.Uri,
  of: 'page' | 'file',
  typed: string,
  pagesFolder = 'www',
): Promise<readonly FoundFile[]> {
  const folder = vscode.Uri.joinPath(config, '..');
  const pages = vscode.Uri.joinPath(folder, pagesFolder);
  const root = of === 'page' && (await isType(pages, vscode.FileType.Directory)) ? pages : folder;
  const below = vscode.Uri.joinPath(root, typed.slice(0, typed.lastIndexOf('/') + 1));
  if (!`${below.path}/`.startsWith(`${root.path.replace(/\/$/, '')}/`)) {
    return [];
  }
  try {
    const entries = await vscode.workspace.fs.readDirectory(below);
    return entries
      .filter(([name]) => !NOT_OFFERED.test(name))
      .slice(0, MAX_OFFERED)
      .map(([name, type]) => ({ name, isFolder: (type & vscode.FileType.Directory) !== 0 }));
  } catch {
    return [];
  }
}

/** Files that are looked for; a config.xml that names more is not checked for the rest. */
const MAX_LOOKED_FOR = 300;
/** A slow file system has no say after that. */
const LOOK_TIMEOUT_MS = 3_000;

/** The names in a folder; none where there is no such folder, undefined when it cannot be read. */
type ListNames = (folder: vscode.Uri) => Promise<ReadonlySet<string> | undefined>;

/**
 * Which of the files that a config.xml names are not there. Names are compared letter by letter, as a device does, whatever this
 * machine takes for the same. A file that is still looked for after {@link LOOK_TIMEOUT_MS} is not among them. Reads nothing but the names
 * in folders. Never rejects.
 *
 * @param folder of the config.xml, on disk or virtual.
 * @returns their paths, as they are written.
 */
export async function missingFiles(folder: vscode.Uri, named: readonly NamedFile[]): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  const listNames = rememberingLists();
  const looking = named.slice(0, MAX_LOOKED_FOR).map(async ({ path, candidates }) => {
    const areMissing = await Promise.all(candidates.map((candidate) => isAbsent(folder, candidate, listNames)));
    if (areMissing.every(Boolean)) {
      missing.add(path);
    }
  });
  await Promise.race([Promise.all(looking), setTimeout(LOOK_TIMEOUT_MS, undefined, { ref: false })]);
  return new Set(missing);
}

async function isAbsent(root: vscode.Uri, path: string, listNames: ListNames): Promise<boolean> {
  let folder = root;
  for (const name of path.split('/')) {
    const names = await listNames(folder);
    if (names?.has(name) !== true) {
      return names !== undefined;
    }
    folder = vscode.Uri.joinPath(folder, name);
  }
  return false;
}

/** Lists each folder once. */
function rememberingLists(): ListNames {
  const lists = new Map<string, ReturnType<ListNames>>();
  return (folder) => {
    const list = lists.get(folder.path) ?? namesIn(folder);
    lists.set(folder.path, list);
    return list;
  };
}

async function namesIn(folder: vscode.Uri): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name));
  } catch (error) {
    const isThere = !(error instanceof vscode.FileSystemError && /^FileNot(Found|ADirectory)$/.test(error.code));
    return isThere ? undefined : new Set();
  }
}
