import * as vscode from 'vscode';
import {
  findAbsence,
  MAX_CONFIG_LENGTH,
  type MissingFile,
  type MissingFiles,
  type NamedFile,
  type SearchedFolder,
} from '../../config-xml/index.ts';
import { type ConfigFolder, createAppFolder, findLayouts, projectFolder } from '../../web-project/index.ts';

/**
 * Reads the folder of a config.xml. Returns undefined if it isn't on disk. Never rejects.
 *
 * @param top the workspace folder that contains it. Undefined if there is none.
 */
export type ReadConfigFolder = (folder: vscode.Uri, top?: vscode.Uri) => Promise<ConfigFolder | undefined>;

/** Matches tools' files and folders next to a config.xml, which aren't suggested. */
const NOT_OFFERED = /^(\..*|node_modules|platforms|plugins|config\.xml|package(-lock)?\.json)$/;

/** A file or folder that can complete a value. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * Returns the files that can complete a value of config.xml. Never rejects.
 *
 * @param of `page` searches the pages folder, if it exists. `file` searches the folder of config.xml
 * @param typed the text of the value so far. The folder is the part before the last slash.
 * @param pagesFolder the pages folder, relative to that of config.xml
 */
export async function filesBelow(
  config: vscode.Uri,
  of: 'page' | 'file',
  typed: string,
  pagesFolder = 'www',
): Promise<readonly FolderEntry[]> {
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
      .map(([name, type]) => ({ name, isFolder: (type & vscode.FileType.Directory) !== 0 }));
  } catch {
    return [];
  }
}

/**
 * Finds out which files that a config.xml refers to are missing, and why. Never rejects.
 *
 * @param folder the folder of config.xml, on disk or virtual
 * @param app the facts about the folder
 */
export async function absentFiles(
  folder: vscode.Uri,
  named: readonly NamedFile[],
  app: ConfigFolder | undefined,
): Promise<MissingFiles> {
  const absent = new Map<string, MissingFile>();
  const searched: SearchedFolder = {
    names: rememberingLists(folder),
    isIgnored: (path) => app?.isIgnored(path) ?? Promise.resolve(false),
  };
  const looking = named.map(async (file) => {
    const absence = await findAbsence(file, searched);
    if (absence !== undefined) {
      const command = absence.isMade ? await app?.buildCommand() : undefined;
      absent.set(file.path, { ...absence, command });
    }
  });
  await Promise.all(looking);
  return absent;
}

/** Returns a function that lists folders and caches the results. */
function rememberingLists(root: vscode.Uri): SearchedFolder['names'] {
  const lists = new Map<string, ReturnType<SearchedFolder['names']>>();
  return (path) => {
    const list = lists.get(path) ?? namesIn(vscode.Uri.joinPath(root, path));
    lists.set(path, list);
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

/**
 * Matches generated files: packages, and the copies of config.xml that Cordova and Capacitor write into platform
 * projects.
 */
const GENERATED =
  /\/(?:node_modules|platforms|plugins)\/|\/(?:ios\/App\/App|android\/app\/src\/main\/res\/xml)\/config\.xml$/;

/**
 * Reports whether a config.xml belongs to a Cordova app, based on the files next to it: the app's pages, or a
 * package.json that Cordova writes to. Returns false for a generated or missing file, and for an earlier version of the
 * file, such as in a comparison with Git. Never rejects.
 *
 * @param folder the workspace folder that contains config.xml. Undefined for a file from elsewhere.
 */
export async function isInCordovaFolder(
  config: vscode.Uri,
  folder: vscode.Uri | undefined,
  readConfigFolder: ReadConfigFolder,
): Promise<boolean> {
  if (folder === undefined && config.scheme !== 'file') {
    return false;
  }
  const path = folder === undefined ? config.path : config.path.slice(folder.path.length);
  if (GENERATED.test(path)) {
    return false;
  }
  const beside = (name: string) => vscode.Uri.joinPath(config, '..', name);
  const [isThere, ...signs] = await Promise.all([
    isType(config, vscode.FileType.File),
    isType(beside('www'), vscode.FileType.Directory),
    isType(beside('index.html'), vscode.FileType.File),
    hasCordovaKey(beside('package.json')),
    readConfigFolder(vscode.Uri.joinPath(config, '..')).then((app) => app?.pages !== undefined),
  ]);
  return isThere && signs.includes(true);
}

/** Reports whether an entry exists and has this type. Follows links. Never rejects. */
async function isType(uri: vscode.Uri, type: vscode.FileType): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & type) !== 0;
  } catch {
    return false;
  }
}

async function hasCordovaKey(uri: vscode.Uri): Promise<boolean> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > MAX_CONFIG_LENGTH) {
      return false;
    }
    const value: unknown = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
    return typeof value === 'object' && value !== null && 'cordova' in value;
  } catch {
    return false;
  }
}

/**
 * Returns facts about the folder of a config.xml, or undefined if the folder isn't on disk. Never rejects.
 *
 * @param top the workspace folder that contains it, if any. Its ignore files are used as well.
 */
export async function readAppFolder(folder: vscode.Uri, top = folder): Promise<ConfigFolder | undefined> {
  if (folder.scheme !== 'file') {
    return undefined;
  }
  const below = projectFolder({ uri: folder, path: folder.path.slice(top.path.length).replace(/^\//, '') });
  const [layout] = await findLayouts(below);
  return createAppFolder(below, layout);
}
