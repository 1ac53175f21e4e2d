import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { FolderApps } from '../../apps/folderApps.ts';
import type { Connections } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import type { Notifications } from '../../workbench/notifications.ts';
import { withProgress } from '../../workbench/progress.ts';
import { RowsView } from '../../workbench/rowsView.ts';
import { projectPath } from '../chooseProject.ts';
import { MADE_CONFIG_SCHEME, madeConfigUri } from '../madeConfig.ts';
import type { SecretConsents } from '../packing/secretConsents.ts';
import type { CheckLinkedFolder, FolderCheck } from './checkFolder.ts';
import { VERDICTS } from './finding.ts';
import { checkRows, checkSummary } from './rows/checkRows.ts';
import type { CheckValue, FileOrder } from './rows/fileRows.ts';

const PREFLIGHT_VIEW_ID = 'appBuild.preflight';

interface PreflightViewDependencies {
  readonly check: CheckLinkedFolder;
  readonly consents: SecretConsents;
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly notifications: Notifications;
}

interface Shown {
  readonly check: FolderCheck;
  /** Of the app that the folder is linked to. */
  readonly appTitle: string | undefined;
}

/**
 * The view *Before the Upload*: what a check has found, and the files that would be sent. Hidden until something is shown. It
 * follows the files of the project while it can be seen.
 */
export class PreflightView extends Disposable {
  readonly #dependencies: PreflightViewDependencies;
  /** The rows, as VS Code asks for them. */
  readonly rows: RowsView<CheckValue>;
  /** Fires with the address of a made config.xml that may say something else now. */
  readonly #madeConfigChanged = this.register(new vscode.EventEmitter<vscode.Uri>());
  #order: FileOrder = 'name';
  #shown: Shown | undefined;
  #watch: ProjectWatch | undefined;
  /** Aborts the check that is under way. */
  #controller = new AbortController();
  #refreshing: Promise<void> | undefined;
  #nextRefresh: Promise<void> | undefined;
  /** True when something has changed that is not shown yet. */
  #isStale = false;

  constructor(dependencies: PreflightViewDependencies) {
    super();
    this.#dependencies = dependencies;
    const { consents, connections, folders } = dependencies;
    this.rows = this.register(new RowsView(PREFLIGHT_VIEW_ID));
    this.register(
      vscode.workspace.registerTextDocumentContentProvider(MADE_CONFIG_SCHEME, {
        onDidChange: this.#madeConfigChanged.event,
        provideTextDocumentContent: (uri) => {
          const plan = this.check?.plan;
          const isShown = plan !== undefined && madeConfigUri(plan.project.uri).toString() === uri.toString();
          return isShown ? plan.config?.text : undefined;
        },
      }),
    );
    const follow = () => this.#follow();
    this.register(consents.onDidChange(follow));
    this.register(connections.onDidChange(follow));
    this.register(folders.onDidChange(follow));
    this.register(this.rows.onDidChangeVisibility(() => this.#isStale && this.#follow()));
    this.register(
      vscode.workspace.onDidChangeWorkspaceFolders(({ removed }) => {
        if (removed.some(({ uri }) => uri.toString() === this.check?.folder.uri.toString())) {
          void this.close();
        }
      }),
    );
    this.register({ dispose: () => this.#forget() });
  }

  /** The check that is shown. */
  get check(): FolderCheck | undefined {
    return this.#shown?.check;
  }

  /** Shows a check, and moves the focus to what was found, or to the files. Of several at a time only the last is shown. */
  async show(check: FolderCheck, part: 'findings' | 'files'): Promise<void> {
    this.#forget();
    const { signal } = this.#controller;
    const appTitle = await this.#appTitleOf(check.folder);
    if (signal.aborted) {
      return;
    }
    this.#draw({ check, appTitle });
    this.#watch = new ProjectWatch(check.project.uri);
    this.#watch.onDidChange(() => this.#follow());
    await vscode.commands.executeCommand('setContext', 'appBuild.showsPreflight', true);
    const findings = VERDICTS.find((verdict) => check.findings.some((finding) => finding.verdict === verdict));
    await this.rows.focus(part === 'files' && check.plan !== undefined ? 'files' : findings);
  }

  /** Checks the folder that is shown again. What is asked for while a check is under way is one more check after it. */
  refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      this.#refreshing = this.#checkAgain().finally(() => {
        this.#refreshing = undefined;
      });
      return this.#refreshing;
    }
    const ended = this.#refreshing.catch(() => undefined);
    this.#nextRefresh ??= ended.then(() => {
      this.#nextRefresh = undefined;
      return this.refresh();
    });
    return this.#nextRefresh;
  }

  async sortBy(order: FileOrder): Promise<void> {
    this.#order = order;
    await vscode.commands.executeCommand('setContext', 'appBuild.fileOrder', order);
    if (this.#shown !== undefined) {
      this.#draw(this.#shown);
    }
  }

  async close(): Promise<void> {
    this.#forget();
    this.#shown = undefined;
    this.rows.show({ rows: [], description: '', message: '' });
    await vscode.commands.executeCommand('setContext', 'appBuild.showsPreflight', false);
  }

  /** Ends what is done for the check that is shown. */
  #forget(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
    this.#controller.abort(new CancelledError());
    this.#controller = new AbortController();
    this.#isStale = false;
  }

  /** Checks again, at once or when the view can be seen. */
  #follow(): void {
    if (this.#shown === undefined) {
      return;
    }
    this.#isStale = !this.rows.visible;
    if (!this.#isStale) {
      void this.#dependencies.notifications.run('Checking the folder again', () => this.refresh());
    }
  }

  async #checkAgain(): Promise<void> {
    const before = this.#shown;
    if (before === undefined) {
      return;
    }
    const { folder, project } = before.check;
    const { signal } = this.#controller;
    this.#isStale = false;
    const check = await withProgress({ view: PREFLIGHT_VIEW_ID }, () =>
      this.#dependencies.check(folder, project, signal),
    );
    const appTitle = await this.#appTitleOf(folder);
    // Another check has been shown in the meantime.
    if (!signal.aborted) {
      this.#draw({ check, appTitle });
    }
  }

  #draw(shown: Shown): void {
    this.#shown = shown;
    const { check, appTitle } = shown;
    const { project } = check;
    this.#madeConfigChanged.fire(madeConfigUri(project.uri));
    const folder = projectPath(check.folder, project);
    this.rows.show({
      rows: checkRows(check, {
        order: this.#order,
        answer: (suspect) => this.#dependencies.consents.answer(project, suspect),
      }),
      description: appTitle === undefined ? folder : vscode.l10n.t('{0} as “{1}”', folder, appTitle),
      message: checkSummary(check),
    });
  }

  async #appTitleOf({ uri }: vscode.WorkspaceFolder): Promise<string | undefined> {
    const connection = await this.#dependencies.connections.current();
    return connection.kind === 'signedIn' ? this.#dependencies.folders.of(uri, connection)?.title : undefined;
  }
}

/** Time without a change before the event fires: a save, or a tool that makes the pages, changes several files. */
const QUIET_MS = 500;
/** Time after which it fires though something goes on changing, as while a person types. */
const MAX_DELAY_MS = 5_000;
/** Folders that tools fill, and that are never sent. */
const NEVER_SENT = /(?:^|\/)(?:\.git|\.hg|\.svn|node_modules)(?:\/|$)|^\/(?:platforms|plugins)(?:\/|$)/;

/** Fires when files of a project are created, changed or deleted, and when its config.xml is edited. */
class ProjectWatch extends Disposable {
  readonly #changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds since 1970; undefined when no event is due. */
  #firstChange: number | undefined;

  /** @param project its folder. */
  constructor(project: vscode.Uri) {
    super();
    const config = vscode.Uri.joinPath(project, 'config.xml').toString();
    const watcher = this.register(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(project, '**/*')),
    );
    const follow = ({ path }: vscode.Uri) => {
      if (!NEVER_SENT.test(path.slice(project.path.length))) {
        this.#follow();
      }
    };
    this.register(watcher.onDidCreate(follow));
    this.register(watcher.onDidChange(follow));
    this.register(watcher.onDidDelete(follow));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === config) {
          this.#follow();
        }
      }),
    );
    this.register({ dispose: () => clearTimeout(this.#timer) });
  }

  #follow(): void {
    clearTimeout(this.#timer);
    this.#firstChange ??= Date.now();
    const delay = Math.min(QUIET_MS, this.#firstChange + MAX_DELAY_MS - Date.now());
    this.#timer = setTimeout(() => {
      this.#firstChange = undefined;
      this.#changed.fire();
    }, delay);
  }
}
