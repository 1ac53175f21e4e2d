import * as vscode from 'vscode';
import type { ConfigProblem, ProblemCode, ProblemFix } from '../configProblem.ts';
import { diagnosticSeverity } from '../../workbench/diagnosticSeverity.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { isWebPage } from '../../workbench/markdown.ts';
import { localised } from '../../workbench/notifications.ts';
import { paragraph, plainText } from '../../workbench/texts.ts';
import { type ConfigFiles, rangeOf } from './configFiles.ts';
import { OpenConfig } from './openConfig.ts';

/** The problems of the open config.xml files: checked when they are opened and saved, and after typing. */
export class ConfigProblems extends Disposable {
  readonly #files: ConfigFiles;
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection('app-build-config'));
  readonly #open = new Map<vscode.TextDocument, OpenConfig>();

  constructor(files: ConfigFiles) {
    super();
    this.#files = files;
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#open.get(document)?.textChanged();
        }
      }),
    );
    this.register(vscode.workspace.onDidSaveTextDocument((document) => this.#open.get(document)?.check()));
    this.register(
      vscode.workspace.onDidCloseTextDocument((document) => {
        this.#open.get(document)?.dispose();
        if (this.#open.delete(document)) {
          this.#collection.delete(document.uri);
        }
      }),
    );
    this.#watchFiles();
  }

  /** Checks a document from now on, until it is closed. */
  open(document: vscode.TextDocument): void {
    if (document.isClosed || this.#open.has(document)) {
      return;
    }
    const open = new OpenConfig(document, this.#files, (problems) =>
      this.#collection.set(
        document.uri,
        problems.map((problem) => diagnosticOf(document, problem)),
      ),
    );
    this.#open.set(document, open);
    open.check();
  }

  /** What is wrong with a document as it is now. Never rejects. */
  async problemsOf(document: vscode.TextDocument): Promise<readonly ConfigProblem[]> {
    return (await this.#open.get(document)?.problems()) ?? [];
  }

  override dispose(): void {
    this.#open.forEach((open) => open.dispose());
    this.#open.clear();
    super.dispose();
  }

  /** A file may come or go that a config.xml names, or that makes its folder that of an app. */
  #watchFiles(): void {
    // In the folders of the window, which VS Code watches anyway.
    const watcher = this.register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const changed = (uri: vscode.Uri) => this.#open.forEach((open) => open.fileChanged(uri));
    this.register(watcher.onDidCreate(changed));
    this.register(watcher.onDidDelete(changed));
    // Elsewhere there are no events, so it is checked when the person comes back to the text.
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) =>
        editors.forEach(({ document }) => this.#open.get(document)?.check()),
      ),
    );
  }
}

/** The quick fixes of a config.xml, for problems that have an obvious one. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly kinds: vscode.CodeActionProviderMetadata = {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
  };
  readonly #problems: ConfigProblems;

  constructor(problems: ConfigProblems) {
    this.#problems = problems;
  }

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const problems = await this.#problems.problemsOf(document);
    return problems
      .filter(({ span }) => rangeOf(document, span).intersection(range) !== undefined)
      .flatMap((problem) =>
        (problem.fixes ?? []).map((fix) => fixAction(document, fix, diagnosticOf(document, problem))),
      );
  }
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

/** As the problems of build logs say, too. */
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
