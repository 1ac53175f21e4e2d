import * as vscode from 'vscode';
import { CancelledError } from '../../errors/index.ts';
import type { Connections } from '../auth/connection.ts';
import type { PluginSupport } from '../config-editor/plugins.ts';
import { diagnosticSeverity } from '../workbench/diagnosticSeverity.ts';
import { Disposable } from '../workbench/disposable.ts';
import { CHANGE_PAUSE_MS } from '../workbench/limits.ts';
import type { Log } from '../workbench/log.ts';
import { localize } from '../workbench/notifications.ts';
import { paragraph, toPlainText } from '../workbench/texts.ts';
import type { ProjectAnswers } from './projectAnswers.ts';
import {
  type FindingRemedy,
  findWebProjects,
  getBuilder,
  getProjectKey,
  isConfigProblem,
  type WebProject,
} from '../../web-project/index.ts';
import type { CheckLinkedFolder, FolderCheck } from './checkFolder.ts';
import { pluginRemovals, remedyTitle } from './remedies.ts';
import type { Finding } from './finding.ts';

/** Source of all problems of this extension. */
const SOURCE = 'App Build';

interface FindingProblemsDependencies {
  readonly answers: ProjectAnswers;
  readonly connections: Pick<Connections, 'onDidChange'>;
  readonly log: Log;
  /** Checks a folder. {@link FindingProblems.show} receives the result. */
  readonly check: CheckLinkedFolder;
}

interface ShownFinding {
  readonly diagnostic: vscode.Diagnostic;
  readonly finding: Finding;
}

/**
 * Shows the findings of each project's latest check in the *Problems* view, with quick fixes. Checks a project when its
 * config.xml is opened, and again when one of its files is saved.
 */
export class FindingProblems extends Disposable {
  readonly #dependencies: FindingProblemsDependencies;
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection('app-build-check'));
  readonly #checks = new Map<string, FolderCheck>();
  /** Projects that the user has checked. The problems of their config.xml are shown even if it isn't open. */
  readonly #asked = new Set<string>();
  /** Number of running checks that were triggered by a change. */
  #following = 0;
  #shown: ReadonlyMap<string, readonly ShownFinding[]> = new Map();
  /** Changed files whose projects will be checked. */
  readonly #changed = new Map<string, vscode.Uri>();
  #timer: NodeJS.Timeout | undefined;
  #controller = new AbortController();

  constructor(dependencies: FindingProblemsDependencies) {
    super();
    this.#dependencies = dependencies;
    this.register(
      vscode.languages.registerCodeActionsProvider(
        { scheme: 'file' },
        { provideCodeActions: (document, _range, { diagnostics }) => this.#quickFixes(document, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.register(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#follow(uri)));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // VS Code has reloaded the file from disk.
        if (contentChanges.length > 0 && !document.isDirty && isConfig(document.uri)) {
          this.#follow(document.uri);
        }
      }),
    );
    this.register(vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => this.#follow(uri))));
    this.register(vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.#follow(uri))));
    this.register(vscode.workspace.onDidOpenTextDocument((document) => this.open(document)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => isConfig(uri) && this.#publish()));
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#publish()));
    this.register(
      dependencies.connections.onDidChange(() => this.#checks.forEach(({ project }) => this.#follow(project.uri))),
    );
    this.register({
      dispose: () => {
        clearTimeout(this.#timer);
        this.#controller.abort(new CancelledError());
      },
    });
  }

  /** Replaces the findings of the check's project. */
  show(check: FolderCheck): void {
    const key = getProblemsKey(check.project);
    this.#checks.set(key, check);
    if (this.#following === 0) {
      this.#asked.add(key);
    }
    this.#publish();
  }

  /** Returns the support information from the latest check of a file's project. */
  supportFor(file: vscode.Uri): PluginSupport | undefined {
    const checks = [...this.#checks.values()];
    const project = findEnclosingProject(
      checks.map((check) => check.project),
      file,
    );
    const support = checks.find((check) => check.project === project)?.support;
    return support && { builder: getBuilder(support, 'android'), plugins: support.plugins };
  }

  /** Checks the project of a config.xml that was opened. */
  open({ uri }: vscode.TextDocument): void {
    if (isConfig(uri)) {
      this.#publish();
      this.#later(uri);
    }
  }

  #follow(uri: vscode.Uri): void {
    if (isConfig(uri) || [...this.#checks.values()].some(({ project }) => isIn(project, uri))) {
      this.#later(uri);
    }
  }

  #later(uri: vscode.Uri): void {
    if (uri.scheme === 'file') {
      this.#changed.set(uri.toString(), uri);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#checkChanged(), CHANGE_PAUSE_MS);
    }
  }

  /** Checks the projects of the changed files. Never rejects. */
  async #checkChanged(): Promise<void> {
    const { answers, check, log } = this.#dependencies;
    this.#controller.abort(new CancelledError());
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    try {
      for (const [key, uri] of this.#changed) {
        const folder = vscode.workspace.getWorkspaceFolder(uri);
        const projects = folder === undefined ? [] : await findWebProjects(folder.uri, signal, answers.pages);
        const project = findEnclosingProject(projects, uri);
        if (folder !== undefined && project !== undefined) {
          this.#following += 1;
          await check(folder, project, signal).finally(() => {
            this.#following -= 1;
          });
        }
        this.#changed.delete(key);
      }
    } catch (error) {
      if (!(error instanceof CancelledError) && !signal.aborted) {
        this.#changed.clear();
        log.error('Checking the folder', error);
      }
    }
  }

  #publish(): void {
    const shown = new Map<string, { readonly uri: vscode.Uri; readonly found: ShownFinding[] }>();
    for (const [key, { folder, findings }] of this.#checks) {
      if (vscode.workspace.getWorkspaceFolder(folder.uri) === undefined) {
        this.#checks.delete(key);
        continue;
      }
      for (const finding of findings) {
        const uri = finding.location?.uri;
        // The config.xml editor already shows the file's own problems.
        const isElsewhere = isConfigProblem(finding.code) && (!this.#asked.has(key) || (uri && isOpen(uri)));
        if (finding.verdict !== 'fine' && uri?.scheme === 'file' && !isElsewhere) {
          const of = shown.get(uri.toString()) ?? { uri, found: [] };
          of.found.push({ diagnostic: toDiagnostic(finding), finding });
          shown.set(uri.toString(), of);
        }
      }
    }
    this.#shown = new Map(Array.from(shown, ([key, { found }]) => [key, found]));
    this.#collection.clear();
    this.#collection.set(
      Array.from(shown.values(), ({ uri, found }) => [uri, found.map(({ diagnostic }) => diagnostic)]),
    );
  }

  /** Returns the quick fixes for diagnostics. @param marked the diagnostics in the document, whose ranges move with edits */
  #quickFixes(document: vscode.TextDocument, marked: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
    const shown = this.#shown.get(document.uri.toString()) ?? [];
    return marked.flatMap((diagnostic) => {
      const finding = shown.find((each) => isSame(each.diagnostic, diagnostic))?.finding;
      return (finding?.remedies ?? []).flatMap((remedy) => {
        const action = finding && toCodeAction(remedy, finding, document);
        return action === undefined ? [] : [Object.assign(action, { diagnostics: [diagnostic] })];
      });
    });
  }
}

function isConfig({ path }: vscode.Uri): boolean {
  return path.endsWith('/config.xml');
}

function isOpen(file: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === file.toString());
}

/** Returns the innermost project that contains a file. */
export function findEnclosingProject<Project extends WebProject>(
  projects: readonly Project[],
  file: vscode.Uri,
): Project | undefined {
  return projects
    .filter((each) => isIn(each, file))
    .toSorted((one, other) => other.uri.path.length - one.uri.path.length)[0];
}

function isIn({ uri: { path } }: WebProject, file: vscode.Uri): boolean {
  return file.path === path || file.path.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function getProblemsKey(project: WebProject): string {
  return `${project.uri.toString()} ${getProjectKey(project)}`;
}

function isSame(one: vscode.Diagnostic, other: vscode.Diagnostic): boolean {
  return one.source === other.source && one.code === other.code && one.message === other.message;
}

/** Returns the diagnostic for a finding: an error if a build would fail, or a warning if it might. */
function toDiagnostic({ code, verdict, message, next, location }: Finding): vscode.Diagnostic {
  const { start, end } = location?.range ?? new vscode.Range(0, 0, 0, 0);
  // A finding about a line marks the whole line.
  const range = new vscode.Range(start, start.isEqual(end) ? end.with(undefined, Number.MAX_SAFE_INTEGER) : end);
  const text = paragraph([message, ...(next === undefined ? [] : [next])].map(localize));
  const severity = diagnosticSeverity(verdict === 'fails' ? 'error' : 'warning');
  const diagnostic = new vscode.Diagnostic(range, toPlainText(text), severity);
  diagnostic.source = SOURCE;
  diagnostic.code = code;
  return diagnostic;
}

function toCodeAction(
  remedy: FindingRemedy,
  { about, location }: Finding,
  document: vscode.TextDocument,
): vscode.CodeAction | undefined {
  const title = remedyTitle(remedy);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  if (remedy === 'removePlugin') {
    const changes = typeof about === 'string' ? pluginRemovals(document.getText(), about) : [];
    const edits = changes.map(({ span: { start, end }, newText }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), newText),
    );
    action.edit = new vscode.WorkspaceEdit();
    action.edit.set(document.uri, edits);
    return edits.length === 0 ? undefined : action;
  }
  // Commands about keys expect a key as their argument, not a file.
  action.command = { command: COMMANDS[remedy], title, arguments: remedy === 'choosePages' ? [location?.uri] : [] };
  return action;
}

const COMMANDS: Readonly<Record<Exclude<FindingRemedy, 'removePlugin'>, string>> = {
  installEngine: 'appBuild.installBuildEngine',
  choosePages: 'appBuild.choosePages',
  addKey: 'appBuild.addKey',
  unlockKey: 'appBuild.unlockKey',
};
