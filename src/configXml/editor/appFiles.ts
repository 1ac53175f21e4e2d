import * as vscode from 'vscode';
import { MAX_CONFIG_LENGTH } from '../limits.ts';
import { type Absence, type Absences, absenceOf, type SearchedFolder, type NamedFile } from '../namedFiles.ts';

/** Facts about the folder of a config.xml. None of its promises rejects. */
export interface ConfigFolder {
  /** The folder of the pages below it; undefined where no project is. */
  readonly pages: string | undefined;
  /** The command that builds the pages; undefined if no file names one. */
  buildCommand(): Promise<string | undefined>;
  /** Whether Git leaves a file below it out. */
  isIgnored(path: string): Promise<boolean>;
}

/**
 * Reads the folder of a config.xml; undefined for one that is on no disk. Never rejects.
 *
 * @param top the folder of the window that it is in; undefined where it is in none
 */
export type ReadConfigFolder = (folder: vscode.Uri, top?: vscode.Uri) => Promise<ConfigFolder | undefined>;

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
      .map(([name, type]) => ({ name, isFolder: (type & vscode.FileType.Directory) !== 0 }));
  } catch {
    return [];
  }
}

/**
 * Which of the files that a config.xml names are not there, and why. Never rejects.
 *
 * @param folder of the config.xml, on disk or virtual.
 * @param app what is known of it.
 */
export async function absentFiles(
  folder: vscode.Uri,
  named: readonly NamedFile[],
  app: ConfigFolder | undefined,
): Promise<Absences> {
  const absent = new Map<string, Absence>();
  const searched: SearchedFolder = {
    names: rememberingLists(folder),
    isIgnored: (path) => app?.isIgnored(path) ?? Promise.resolve(false),
  };
  const looking = named.map(async (file) => {
    const absence = await absenceOf(file, searched);
    if (absence !== undefined) {
      const command = absence.isMade ? await app?.buildCommand() : undefined;
      absent.set(file.path, { ...absence, command });
    }
  });
  await Promise.all(looking);
  return absent;
}

/** Lists each folder below one once. */
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

/** What tools have made: packages, and what Cordova and Capacitor write into the projects of platforms. */
const GENERATED =
  /\/(?:node_modules|platforms|plugins)\/|\/(?:ios\/App\/App|android\/app\/src\/main\/res\/xml)\/config\.xml$/;

/**
 * Whether a config.xml is that of a Cordova app, by the files beside it: the app's pages, or a package.json that Cordova writes to.
 * False for what tools have made, for one that does not exist, and for one of another time, as in a comparison with Git's.
 * Never rejects.
 *
 * @param folder of the window that the config.xml is in; undefined for one that was opened from elsewhere.
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

/** False if there's nothing. Follows links. Never rejects. */
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
