import * as vscode from 'vscode';
import type { ConfigProblem, ProblemCode, ProblemFix, Span } from '../../config-xml/index.ts';
import { diagnosticSeverity } from '../workbench/diagnosticSeverity.ts';
import { Disposable } from '../workbench/disposable.ts';
import { isWebPage } from '../workbench/markdown.ts';
import { localize } from '../workbench/notifications.ts';
import { paragraph, toPlainText } from '../workbench/texts.ts';
import type { ReadConfigFolder } from './configFolder.ts';
import { OpenConfig } from './openConfig.ts';

/** The open config.xml files and their problems. Checks the files when they're opened or saved, and after typing. */
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
    // A created or deleted file may be one that config.xml refers to, or one that makes its folder an app's folder. VS
    // Code watches the workspace folders anyway.
    const watcher = this.register(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const changed = (uri: vscode.Uri) => this.#open.forEach((open) => open.fileChanged(uri));
    this.register(watcher.onDidCreate(changed));
    this.register(watcher.onDidDelete(changed));
    // Files outside the workspace cause no events, so they're checked when their editor becomes visible.
    this.register(
      vscode.window.onDidChangeVisibleTextEditors((editors) =>
        editors.forEach(({ document }) => this.get(document)?.check()),
      ),
    );
  }

  get(document: vscode.TextDocument): OpenConfig | undefined {
    return this.#open.get(document);
  }

  /** Checks a document until it is closed. */
  open(document: vscode.TextDocument): void {
    if (document.isClosed || this.#open.has(document)) {
      return;
    }
    const open = new OpenConfig(document, this.#readConfigFolder, (problems) =>
      this.#collection.set(
        document.uri,
        problems.map((problem) => toDiagnostic(document, problem)),
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

/** Converts a span of a document to a range. */
export function toRange(document: vscode.TextDocument, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Returns the quick fixes for problems that have one. */
export async function quickFixes(
  files: ConfigFiles,
  document: vscode.TextDocument,
  range: vscode.Range,
): Promise<vscode.CodeAction[]> {
  const problems = (await files.get(document)?.problems()) ?? [];
  return problems
    .filter(({ span }) => toRange(document, span).intersection(range) !== undefined)
    .flatMap((problem) =>
      (problem.fixes ?? []).map((fix) => fixAction(document, fix, toDiagnostic(document, problem))),
    );
}

/** Converts a fix to a code action. Escapes text from the file. */
function fixAction(
  document: vscode.TextDocument,
  { title, changes, isPreferred }: ProblemFix,
  diagnostic: vscode.Diagnostic,
): vscode.CodeAction {
  const action = new vscode.CodeAction(toPlainText(localize(title)), vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = isPreferred ?? false;
  action.edit = new vscode.WorkspaceEdit();
  for (const { span, newText } of changes) {
    action.edit.replace(document.uri, toRange(document, span), newText);
  }
  return action;
}

/** Source of the problems, as for problems in build logs. */
const SOURCE = 'App Build';

/** VS Code strikes through deprecated preferences and fades elements without effect. */
const TAGS: Readonly<Partial<Record<ProblemCode, vscode.DiagnosticTag>>> = {
  droppedPreference: vscode.DiagnosticTag.Deprecated,
  repeatedElement: vscode.DiagnosticTag.Unnecessary,
  repeatedPreference: vscode.DiagnosticTag.Unnecessary,
  leftOutElement: vscode.DiagnosticTag.Unnecessary,
};

/** Converts a problem to a diagnostic. Escapes text from the file. */
function toDiagnostic(document: vscode.TextDocument, problem: ConfigProblem): vscode.Diagnostic {
  const { code, message, next, related, severity, source, span } = problem;
  const text = paragraph([message, ...(next === undefined ? [] : [next])].map(localize));
  const diagnostic = new vscode.Diagnostic(toRange(document, span), toPlainText(text), diagnosticSeverity(severity));
  diagnostic.source = SOURCE;
  diagnostic.code =
    source !== undefined && isWebPage(source) ? { value: code, target: vscode.Uri.parse(source) } : code;
  if (related !== undefined) {
    const location = new vscode.Location(document.uri, toRange(document, related.span));
    diagnostic.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(location, toPlainText(localize(related.message))),
    ];
  }
  const tag = TAGS[code];
  if (tag !== undefined) {
    diagnostic.tags = [tag];
  }
  return diagnostic;
}
