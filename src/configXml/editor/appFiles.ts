import * as vscode from 'vscode';
import { type Absence, type Absences, absenceOf, type SearchedFolder, type NamedFile } from '../namedFiles.ts';
import { type ConfigFolder, isType } from './configFiles.ts';

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
