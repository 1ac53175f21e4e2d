import * as vscode from 'vscode';
import type { ProblemCode, ProblemFix, ConfigProblem } from '../configProblem.ts';
import { diagnosticSeverity } from '../../workbench/diagnosticSeverity.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { isWebPage } from '../../workbench/markdown.ts';
import { localised } from '../../workbench/notifications.ts';
import { paragraph, plainText } from '../../workbench/texts.ts';
import type { Span } from '../xmlDocument.ts';
import type { ReadConfigFolder } from './appFiles.ts';
import { OpenConfig } from './openConfig.ts';

/** The open config.xml files and their problems: checked when they are opened and saved, and after typing. */
export class ConfigFiles extends Disposable {
  readonly #readConfigFolder: ReadConfigFolder;
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection('app-build-config'));
  readonly #open = new Map<vscode.TextDocument, OpenConfig>();

  constructor(readConfigFolder: ReadConfigFolder) {
    super();
    this.#readConfigFolder = readConfigFolder;
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.get(document)?.textChanged();
        }
      }),
    );
    this.register(vscode.workspace.onDidSaveTextDocument((document) => this.get(document)?.check()));
    this.register(
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.get(document)?.dispose();
        if (this.#open.delete(document)) {
          this.#collection.delete(document.uri);
        }
      }),
    );
    // A file may come or go that a config.xml names, or that makes its folder that of an app. VS Code watches the folders of the
    // window anyway.
    const watcher = this.register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const changed = (uri: vscode.Uri) => this.#open.forEach((open) => open.fileChanged(uri));
    this.register(watcher.onDidCreate(changed));
    this.register(watcher.onDidDelete(changed));
    // Elsewhere there are no events, so it is checked when the user comes back to the text.
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) =>
        editors.forEach(({ document }) => this.get(document)?.check()),
      ),
    );
  }

  get(document: vscode.TextDocument): OpenConfig | undefined {
    return this.#open.get(document);
  }

  /** Checks a document from now on, until it is closed. */
  open(document: vscode.TextDocument): void {
    if (document.isClosed || this.#open.has(document)) {
      return;
    }
    const open = new OpenConfig(document, this.#readConfigFolder, (problems) =>
      this.#collection.set(
        document.uri,
        problems.map((problem) => diagnosticOf(document, problem)),
      ),
    );
    this.#open.set(document, open);
    open.check();
  }

  override dispose(): void {
    this.#open.forEach((open) => open.dispose());
    this.#open.clear();
    super.dispose();
  }
}

/** Where something is in a document. */
export function rangeOf(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The quick fixes of a config.xml, for problems that have an obvious one. */
export async function quickFixes(
  files: ConfigFiles,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.CodeAction[]> {
  const problems = (await files.get(document)?.problems()) ?? [];
  return problems
    .filter(({ span }) => rangeOf(document, span).intersection(range) !== undefined)
    .flatMap((problem) =>
      (problem.fixes ?? []).map((fix) => fixAction(document, fix, diagnosticOf(document, problem))),
    );
}

/** A fix as VS Code shows it. The words of the file in it are escaped. */
function fixAction(
  document: vscode.TextDocument,
  { title, changes, isPreferred }: ProblemFix,
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction {
  const action = new vscode.CodeAction(plainText(localised(title)), vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred ?? false;
  action.edit = new vscode.WorkspaceEdit();
  for (const { span, newText } of changes) {
    action.edit.replace(document.uri, rangeOf(document, span), newText);
  }
  return action;
}

/** As in the problems of build logs. */
const SOURCE = 'App Build';

/** Dropped preferences are struck out; elements without effect are faded. */
const TAGS: Readonly<Partial<Record<ProblemCode, vscode.DiagnosticTag>>> = {
  droppedPreference: vscode.DiagnosticTag.Deprecated,
  repeatedElement: vscode.DiagnosticTag.Unnecessary,
  repeatedPreference: vscode.DiagnosticTag.Unnecessary,
  leftOutElement: vscode.DiagnosticTag.Unnecessary,
};

/** A problem as VS Code shows it. The words of the file in it are escaped. */
function diagnosticOf(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const { code, message, next, related, severity, source, span } = problem;
  const text = paragraph([message, ...(next === undefined ? [] : [next])].map(localised));
  const diagnostic = new vscode.Diagnostic(rangeOf(document, span), plainText(text), diagnosticSeverity(severity));
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
