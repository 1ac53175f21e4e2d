import * as vscode from 'vscode';
import {
  checkConfig,
  type ConfigProblem,
  filesNamedIn,
  isWidget,
  type MissingFiles,
  NOT_WELL_FORMED,
  parseXml,
  type ProblemCode,
  type XmlDocument,
} from '../../config-xml/index.ts';
import { absentFiles, isInCordovaFolder, type ReadConfigFolder } from './configFolder.ts';
import type { ConfigFolder } from '../../web-project/index.ts';
import { CHANGE_PAUSE_MS } from '../workbench/limits.ts';

/** Entries next to a config.xml that decide whether it belongs to a Cordova app. */
const FOLDER_SIGNS = ['config.xml', 'www', 'index.html', 'package.json'];

/** Problems that an XML extension reports as well. */
const MALFORMED: ReadonlySet<ProblemCode> = new Set(NOT_WELL_FORMED);

/** An open config.xml, which is read and checked until it is closed. */
export class OpenConfig {
  readonly #document: vscode.TextDocument;
  readonly #readConfigFolder: ReadConfigFolder;
  readonly #publish: (problems: readonly ConfigProblem[]) => void;
  readonly #folder: vscode.Uri;
  /** The workspace folder that contains the file. Undefined for a file from elsewhere. */
  readonly #top: vscode.Uri | undefined;
  #parsed: { readonly version: number; readonly xml: XmlDocument } | undefined;
  #isInCordovaFolder: Promise<boolean> | undefined;
  /** Paths to watch, relative to the folder. */
  #watched: readonly string[] = FOLDER_SIGNS;
  #absent: MissingFiles | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Identifies the last check. Results of earlier checks are discarded. */
  #lastCheck = {};
  /** Whether the next check must determine again if the folder belongs to a Cordova app. */
  #looksAgain = false;

  /** @param publish receives the problems. Empty if the file isn't a Cordova config.xml */
  constructor(
    document: vscode.TextDocument,
    readConfigFolder: ReadConfigFolder,
    publish: (problems: readonly ConfigProblem[]) => void,
  ) {
    this.#document = document;
    this.#readConfigFolder = readConfigFolder;
    this.#publish = publish;
    this.#folder = vscode.Uri.joinPath(document.uri, '..');
    this.#top = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
  }

  /** Returns the current document, or undefined if it isn't a Cordova config.xml. Never rejects. */
  async read(): Promise<XmlDocument | undefined> {
    const document = this.#document;
    this.#isInCordovaFolder ??= isInCordovaFolder(document.uri, this.#top, this.#readConfigFolder);
    if (!(await this.#isInCordovaFolder) || document.isClosed) {
      return undefined;
    }
    if (this.#parsed?.version !== document.version) {
      this.#parsed = { version: document.version, xml: parseXml(document.getText()) };
    }
    const { xml } = this.#parsed;
    return isWidget(xml) ? xml : undefined;
  }

  /** Returns facts about the document's folder. Never rejects. */
  appFolder(): Promise<ConfigFolder | undefined> {
    return this.#readConfigFolder(this.#folder, this.#top);
  }

  /** Checks the document after a pause in typing. */
  textChanged(): void {
    clearTimeout(this.#timer);
    this.#lastCheck = {};
    this.#timer = setTimeout(() => void this.#run(), CHANGE_PAUSE_MS);
  }

  /** Checks the document and its folder immediately. */
  check(): void {
    this.#looksAgain = true;
    clearTimeout(this.#timer);
    void this.#run();
  }

  /**
   * Checks the document after a pause if it's affected by a created or deleted file, or by any file in a created or
   * deleted folder. VS Code doesn't always report the files that are added to a new folder.
   */
  fileChanged(uri: vscode.Uri): void {
    const name = getRelativePath(this.#folder, uri);
    if (name !== undefined && this.#watched.some((each) => each === name || each.startsWith(`${name}/`))) {
      this.#looksAgain = true;
      this.textChanged();
    }
  }

  /** Returns the problems of the current text. Never rejects. */
  async problems(): Promise<readonly ConfigProblem[]> {
    const xml = await this.read();
    return xml === undefined ? [] : this.#ours(checkConfig(xml, this.#absent));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#lastCheck = {};
  }

  /** Runs a check. Never rejects. */
  async #run(): Promise<void> {
    const check = {};
    this.#lastCheck = check;
    const isStale = (): boolean => this.#lastCheck !== check;
    if (this.#looksAgain) {
      this.#looksAgain = false;
      this.#isInCordovaFolder = undefined;
    }
    const xml = await this.read();
    if (isStale()) {
      return;
    }
    if (xml === undefined) {
      this.#publish([]);
      return;
    }
    const app = await this.appFolder();
    const named = filesNamedIn(xml, app?.pages, this.#folder.path.endsWith('/www'));
    this.#watched = [...FOLDER_SIGNS, ...named.flatMap(({ candidates }) => candidates)];
    const absent = await absentFiles(this.#folder, named, app);
    if (!isStale()) {
      this.#absent = absent;
      this.#publish(this.#ours(checkConfig(xml, absent)));
    }
  }

  /** Removes the problems that an XML extension reports for the same document. */
  #ours(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
    return hasXmlExtension(this.#document) ? problems.filter(({ code }) => !MALFORMED.has(code)) : problems;
  }
}

/** Reports whether Red Hat's XML extension reads a document and its validation is enabled. */
function hasXmlExtension(document: vscode.TextDocument): boolean {
  const isRead = document.languageId === 'xml' && document.uri.scheme === 'file';
  const isOn = vscode.workspace.getConfiguration('xml.validation', document).get('enabled') !== false;
  return isRead && isOn && vscode.extensions.getExtension('redhat.vscode-xml') !== undefined;
}

/** Returns the path of a file in a folder, or undefined if it isn't in the folder. */
function getRelativePath(folder: vscode.Uri, { scheme, authority, path }: vscode.Uri): string | undefined {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return scheme === folder.scheme && authority === folder.authority && path.startsWith(start)
    ? path.slice(start.length)
    : undefined;
}
