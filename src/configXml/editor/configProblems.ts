import * as vscode from 'vscode';
import { filesNamedIn } from '../checks/files.ts';
import { checkConfig } from '../checkConfig.ts';
import type { ConfigProblem, ProblemCode, ProblemSeverity } from '../configProblem.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { isWebPage } from '../../workbench/markdown.ts';
import { localised } from '../../workbench/notifications.ts';
import { plainText } from '../../workbench/plainText.ts';
import { type ConfigFiles, rangeOf } from './configFiles.ts';
import { missingFiles } from './missingFiles.ts';
import type { RedHatXml } from './redHatXml.ts';

const COLLECTION = 'app-build-config';
/** As the problems of build logs say, too. */
const SOURCE = 'App Build';
/** How long nobody types before the text is checked. */
const TYPING_PAUSE_MS = 200;
/** What decides whether a folder is a Cordova app's. */
const FOLDER_SIGNS = ['config.xml', 'www', 'index.html', 'package.json'];

/** What an XML extension says, too. */
const MALFORMED: ReadonlySet<ProblemCode> = new Set([
  'notClosed',
  'endTagMismatch',
  'quoteMissing',
  'malformed',
  'duplicateAttribute',
  'undeclaredPrefix',
  'undeclaredEntity',
]);

/** What does not work any more is struck out; what has no effect is faded. */
const TAGS: Readonly<Partial<Record<ProblemCode, vscode.DiagnosticTag>>> = {
  droppedPreference: vscode.DiagnosticTag.Deprecated,
  repeatedElement: vscode.DiagnosticTag.Unnecessary,
  repeatedPreference: vscode.DiagnosticTag.Unnecessary,
  leftOutElement: vscode.DiagnosticTag.Unnecessary,
};

export interface ConfigProblemsDependencies {
  readonly files: ConfigFiles;
  readonly redHat: RedHatXml;
}

/** The problems of the open config.xml files: checked when they are opened and saved, and when nobody types. */
export class ConfigProblems extends Disposable {
  readonly #files: ConfigFiles;
  readonly #redHat: RedHatXml;
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection(COLLECTION));
  readonly #checks = new Map<vscode.TextDocument, Check>();

  constructor({ files, redHat }: ConfigProblemsDependencies) {
    super();
    this.#files = files;
    this.#redHat = redHat;
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#checks.get(document)?.soon();
        }
      }),
    );
    this.register(vscode.workspace.onDidSaveTextDocument((document) => this.#checks.get(document)?.again()));
    this.register(vscode.workspace.onDidCloseTextDocument((document) => this.#close(document)));
    this.#watchFiles();
  }

  /** Checks a document from now on, until it is closed. */
  open(document: vscode.TextDocument): void {
    if (!this.#checks.has(document)) {
      this.#checks.set(
        document,
        new Check(
          (isStale) => this.#check(document, isStale),
          () => void this.#files.lookAgain(document),
        ),
      );
    }
    this.#checks.get(document)?.again();
  }

  /** What is wrong with a document as it is now. Never rejects. */
  async problemsOf(document: vscode.TextDocument): Promise<readonly ConfigProblem[]> {
    const xml = await this.#files.read(document);
    const check = this.#checks.get(document);
    if (xml === undefined || check === undefined) {
      return [];
    }
    const problems = checkConfig(xml, check.missing);
    return check.hasXmlExtension ? problems.filter(isOurs) : problems;
  }

  override dispose(): void {
    this.#checks.forEach((check) => check.dispose());
    this.#checks.clear();
    super.dispose();
  }

  async #check(document: vscode.TextDocument, isStale: () => boolean): Promise<void> {
    const xml = await this.#files.read(document);
    const check = this.#checks.get(document);
    if (check === undefined || isStale()) {
      return;
    }
    if (xml === undefined) {
      this.#collection.delete(document.uri);
      return;
    }
    const named = filesNamedIn(xml);
    const folder = vscode.Uri.joinPath(document.uri, '..');
    check.watched = [...FOLDER_SIGNS, ...named.flatMap(({ candidates }) => candidates)];
    const [missing, hasXmlExtension] = await Promise.all([
      missingFiles(folder, named),
      this.#redHat.handOver(document),
    ]);
    if (isStale()) {
      return;
    }
    check.missing = missing;
    check.hasXmlExtension = hasXmlExtension;
    const problems = checkConfig(xml, missing);
    this.#collection.set(
      document.uri,
      (hasXmlExtension ? problems.filter(isOurs) : problems).map((problem) => diagnosticOf(document, problem)),
    );
  }

  #close(document: vscode.TextDocument): void {
    this.#checks.get(document)?.dispose();
    if (this.#checks.delete(document)) {
      this.#collection.delete(document.uri);
    }
  }

  /** Checks again when a file comes or goes that a config.xml names, or that makes a folder that of an app. */
  #watchFiles(): void {
    // Of the folders of the window, which VS Code watches anyway.
    const watcher = this.register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const changed = (uri: vscode.Uri): void => {
      for (const [document, check] of this.#checks) {
        const folder = vscode.Uri.joinPath(document.uri, '..');
        const name = relativePath(folder, uri);
        if (name !== undefined && check.watched.some((each) => each === name || each.startsWith(`${name}/`))) {
          check.again();
        }
      }
    };
    this.register(watcher.onDidCreate(changed));
    this.register(watcher.onDidDelete(changed));
    // Those outside of the window's folders, and what no file system tells.
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) =>
        editors.forEach(({ document }) => this.#checks.get(document)?.again()),
      ),
    );
  }
}

/** Checks one document, one check at a time. */
class Check {
  readonly #run: (isStale: () => boolean) => Promise<void>;
  readonly #lookAgain: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Counts what asked for a check: what a check has found for an earlier one is dropped. */
  #wanted = 0;
  #isRunning = false;
  #isDisposed = false;
  missing: ReadonlySet<string> | undefined;
  /** True when an XML extension knows the schema. */
  hasXmlExtension = false;
  /** Paths below the folder. */
  watched: readonly string[] = FOLDER_SIGNS;

  constructor(run: (isStale: () => boolean) => Promise<void>, lookAgain: () => void) {
    this.#run = run;
    this.#lookAgain = lookAgain;
  }

  /** The text has changed. */
  soon(): void {
    this.#wanted++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#start();
    }, TYPING_PAUSE_MS);
  }

  /** Something else may have: checks at once. */
  again(): void {
    this.#wanted++;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lookAgain();
    void this.#start();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #start(): Promise<void> {
    if (this.#isRunning) {
      return;
    }
    this.#isRunning = true;
    let checked: number;
    do {
      checked = this.#wanted;
      await this.#run(() => this.#isDisposed || checked !== this.#wanted);
    } while (!this.#isDisposed && checked !== this.#wanted && this.#timer === undefined);
    this.#isRunning = false;
  }
}

function isOurs({ code, isInSchema }: ConfigProblem): boolean {
  return isInSchema !== true && !MALFORMED.has(code);
}

/** The path below a folder; undefined for what is elsewhere. */
function relativePath(folder: vscode.Uri, { scheme, authority, path }: vscode.Uri): string | undefined {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return scheme === folder.scheme && authority === folder.authority && path.startsWith(start)
    ? path.slice(start.length)
    : undefined;
}

/** A problem as VS Code shows it. The words of the file in it are escaped. */
export function diagnosticOf(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const { code, message, next, related, severity, source, span } = problem;
  const text = [message, ...(next === undefined ? [] : [next])].map(localised).join(' ');
  const diagnostic = new vscode.Diagnostic(rangeOf(document, span), plainText(text), severityOf(severity));
  diagnostic.source = SOURCE;
  diagnostic.code =
    source !== undefined && isWebPage(source) ? { value: code, target: vscode.Uri.parse(source) } : code;
  if (related !== undefined) {
    const location = new vscode.Location(document.uri, rangeOf(document, related.span));
    diagnostic.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(location, plainText(localised(related.message))),
    ];
  }
  const tag = TAGS[code];
  if (tag !== undefined) {
    diagnostic.tags = [tag];
  }
  return diagnostic;
}

function severityOf(severity: ProblemSeverity): vscode.DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'information':
      return vscode.DiagnosticSeverity.Information;
  }
}
