import * as vscode from 'vscode';
import { MAX_CONFIG_LENGTH } from '../limits.ts';
import { parseXml, type XmlDocument } from '../xmlDocument.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { isWidget } from '../widget.ts';

/** The language of a document does not matter: people choose XML, and others. */
export const CONFIG_FILES: vscode.DocumentSelector = { pattern: '**/config.xml' };

/** What is known of the folder of a config.xml. Nothing of it rejects. */
export interface ConfigFolder {
  /** The folder of the pages below it; undefined where no project is. */
  readonly pages: string | undefined;
  /** What a person runs to build the pages; undefined where nothing says it. */
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

/** The open config.xml files, read. */
export class ConfigFiles extends Disposable {
  readonly #read = new Map<vscode.TextDocument, { readonly version: number; readonly xml: XmlDocument }>();
  readonly #folders = new Map<vscode.TextDocument, Promise<boolean>>();
  readonly #readConfigFolder: ReadConfigFolder;

  constructor(readConfigFolder: ReadConfigFolder) {
    super();
    this.#readConfigFolder = readConfigFolder;
    this.register(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document)));
  }

  /** What an open document says now; undefined unless it is the config.xml of a Cordova app. Never rejects. */
  async read(document: vscode.TextDocument): Promise<XmlDocument | undefined> {
    const isInFolder = this.#folders.get(document) ?? this.lookAgain(document);
    if (!(await isInFolder) || document.isClosed) {
      return undefined;
    }
    const xml = this.#parse(document);
    return isWidget(xml) ? xml : undefined;
  }

  /** Looks whether the folder is a Cordova app's, which it may have become. */
  lookAgain(document: vscode.TextDocument): Promise<boolean> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    const isInFolder = isInCordovaFolder(document.uri, folder, this.#readConfigFolder);
    this.#folders.set(document, isInFolder);
    return isInFolder;
  }

  /** What is known of the folder of a config.xml. Never rejects. */
  appFolderOf(config: vscode.Uri): Promise<ConfigFolder | undefined> {
    return this.#readConfigFolder(vscode.Uri.joinPath(config, '..'), vscode.workspace.getWorkspaceFolder(config)?.uri);
  }

  override dispose(): void {
    super.dispose();
    this.#read.clear();
    this.#folders.clear();
  }

  #parse(document: vscode.TextDocument): XmlDocument {
    const known = this.#read.get(document);
    if (known?.version === document.version) {
      return known.xml;
    }
    const xml = parseXml(document.getText());
    this.#read.set(document, { version: document.version, xml });
    return xml;
  }

  #forget(document: vscode.TextDocument): void {
    this.#read.delete(document);
    this.#folders.delete(document);
  }
}

/** Where something is in a document. */
export function rangeOf(
  document: vscode.TextDocument,
  { start, end }: { readonly start: number; readonly end: number },
) {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** What tools have made: packages, and what Cordova and Capacitor write into the projects of platforms. */
const GENERATED =
  /\/(?:node_modules|platforms|plugins)\/|\/(?:ios\/App\/App|android\/app\/src\/main\/res\/xml)\/config\.xml$/;

/**
 * Whether a config.xml is that of a Cordova app, by what is beside it: the app's pages, or a package.json that Cordova writes in.
 * False for what tools have made, for one that does not exist, and for one of another time, as in a comparison with Git's.
 * Never rejects.
 *
 * @param folder of the window that the config.xml is in; undefined for one that was opened from elsewhere.
 */
async function isInCordovaFolder(
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

/** False for what is not there. Follows links. Never rejects. */
export async function isType(uri: vscode.Uri, type: vscode.FileType): Promise<boolean> {
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
