import * as vscode from 'vscode';
import { checkConfig } from '../checkConfig.ts';
import { CHANGE_PAUSE_MS } from '../limits.ts';
import { type Absences, filesNamedIn } from '../namedFiles.ts';
import { type ConfigProblem, NOT_WELL_FORMED, type ProblemCode } from '../configProblem.ts';
import { isWidget } from '../widget.ts';
import { parseXml, type XmlDocument } from '../xmlDocument.ts';
import { absentFiles, type ConfigFolder, isInCordovaFolder, type ReadConfigFolder } from './appFiles.ts';

/** Beside a config.xml they decide whether it is that of a Cordova app. */
const FOLDER_SIGNS = ['config.xml', 'www', 'index.html', 'package.json'];

/** Mistakes that an XML extension reports, where there is one. */
const MALFORMED: ReadonlySet<ProblemCode> = new Set(NOT_WELL_FORMED);

/** One open config.xml, which is read and checked until it is closed. */
export class OpenConfig {
  readonly #document: vscode.TextDocument;
  readonly #readConfigFolder: ReadConfigFolder;
  readonly #publish: (problems: readonly ConfigProblem[]) => void;
  readonly #folder: vscode.Uri;
  /** Of the window; undefined for a file that was opened from elsewhere. */
  readonly #top: vscode.Uri | undefined;
  #parsed: { readonly version: number; readonly xml: XmlDocument } | undefined;
  #isInCordovaFolder: Promise<boolean> | undefined;
  /** Paths below the folder. */
  #watched: readonly string[] = FOLDER_SIGNS;
  #absent: Absences | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The last check that was asked for: the result of an earlier one is dropped. */
  #lastCheck = {};
  /** True when the folder may have become that of an app, or may no longer be. */
  #looksAgain = false;

  /** @param publish gets the problems; none for a file that is no config.xml of a Cordova app */
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

  /** The document as it is now; undefined unless it's the config.xml of a Cordova app. Never rejects. */
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

  /** Facts about its folder. Never rejects. */
  appFolder(): Promise<ConfigFolder | undefined> {
    return this.#readConfigFolder(this.#folder, this.#top);
  }

  /** Checks after a pause in typing. */
  textChanged(): void {
    clearTimeout(this.#timer);
    this.#lastCheck = {};
    this.#timer = setTimeout(() => void this.#run(), CHANGE_PAUSE_MS);
  }

  /** Checks at once: the folder may have changed, too. */
  check(): void {
    this.#looksAgain = true;
    clearTimeout(this.#timer);
    void this.#run();
  }

  /**
   * Checks in a moment when a file that has come or gone, or one below it, matters to this config.xml. A folder that comes is
   * filled after it, and VS Code does not always report the files in it.
   */
  fileChanged(uri: vscode.Uri): void {
    const name = pathBelow(this.#folder, uri);
    if (name !== undefined && this.#watched.some((each) => each === name || each.startsWith(`${name}/`))) {
      this.#looksAgain = true;
      this.textChanged();
    }
  }

  /** What is wrong with the text as it is now. Never rejects. */
  async problems(): Promise<readonly ConfigProblem[]> {
    const xml = await this.read();
    return xml === undefined ? [] : this.#ours(checkConfig(xml, this.#absent));
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#lastCheck = {};
  }

  /** Never rejects. */
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

  /** Without the mistakes that an XML extension reports in the same text. */
  #ours(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
    return hasXmlExtension(this.#document) ? problems.filter(({ code }) => !MALFORMED.has(code)) : problems;
  }
}

/** True where Red Hat's XML extension reads a document, and its validation is not switched off. */
function hasXmlExtension(document: vscode.TextDocument): boolean {
  const isRead = document.languageId === 'xml' && document.uri.scheme === 'file';
  const isOn = vscode.workspace.getConfiguration('xml.validation', document).get('enabled') !== false;
  return isRead && isOn && vscode.extensions.getExtension('redhat.vscode-xml') !== undefined;
}

/** The path of a file in a folder; undefined for what is elsewhere. */
function pathBelow(folder: vscode.Uri, { scheme, authority, path }: vscode.Uri): string | undefined {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return scheme === folder.scheme && authority === folder.authority && path.startsWith(start)
    ? path.slice(start.length)
    : undefined;
}
