import * as vscode from 'vscode';
import { CancelledError } from '../../errors/index.ts';
import type { FolderApps } from '../apps/folderApps.ts';
import type { Connections } from '../auth/connection.ts';
import { fileFailure } from '../resources/downloads/fileError.ts';
import { writeIntoFolder } from '../resources/downloads/writeIntoFolder.ts';
import { Disposable } from '../workbench/disposable.ts';
import type { Input } from '../workbench/input.ts';
import { CHANGE_PAUSE_MS } from '../workbench/limits.ts';
import { localize, type Notifications } from '../workbench/notifications.ts';
import { withProgress } from '../workbench/progress.ts';
import { RowsView } from '../workbench/rowsView.ts';
import { projectPath } from './chooseProject.ts';
import {
  getSuspicionSentence,
  type IgnoredPath,
  type SuspectFile,
  type WebProject,
  withLine,
  withoutLine,
} from '../../web-project/index.ts';
import type { SecretConsents } from './secretConsents.ts';
import { watchProject } from './watchProject.ts';
import type { CheckLinkedFolder, FolderCheck } from './checkFolder.ts';
import { checkRows, checkSummary } from './checkRows.ts';
import { VERDICTS } from './finding.ts';
import { type CheckedItem, type CheckValue, MADE_CONFIG_SCHEME, madeConfigUri } from './packageRows.ts';

const PREFLIGHT_VIEW_ID = 'appBuild.preflight';

interface PreflightViewDependencies {
  readonly check: CheckLinkedFolder;
  readonly consents: SecretConsents;
  readonly connections: Connections;
  readonly folders: FolderApps;
  readonly notifications: Notifications;
  readonly input: Input;
}

/**
 * The *Check* view, which shows the findings of a check and the files that would be sent. The view is hidden until it has something to
 * show. While it's visible, it follows changes to the project's files.
 */
export class PreflightView extends Disposable {
  readonly #dependencies: PreflightViewDependencies;
  /** Tree data provider with the view's rows. */
  readonly rows: RowsView<CheckValue>;
  /** Fires with the URI of a generated config.xml that may have changed. */
  readonly #madeConfigChanged = this.register(new vscode.EventEmitter<vscode.Uri>());
  #check: FolderCheck | undefined;
  #watch: vscode.Disposable | undefined;
  /** Aborts the running check. */
  #controller = new AbortController();
  #refreshing: Promise<void> | undefined;
  #nextRefresh: Promise<void> | undefined;
  /** Whether the view doesn't show a change yet. */
  #isStale = false;

  constructor(dependencies: PreflightViewDependencies) {
    super();
    this.#dependencies = dependencies;
    const { consents, connections, folders, notifications } = dependencies;
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
    this.register(
      this.rows.onDidChangeCheckbox(({ value, isChecked }) => {
        if (value.kind !== 'finding') {
          void notifications.run('Changing what is sent', () => this.#change(value, isChecked));
        }
      }),
    );
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

  /** The check that the view shows. */
  get check(): FolderCheck | undefined {
    return this.#check;
  }

  /** Shows a check and focuses its findings or its files. If several calls overlap, only the last check is shown. */
  async show(check: FolderCheck, part: 'findings' | 'files'): Promise<void> {
    this.#forget();
    const { signal } = this.#controller;
    await this.#draw(check, signal);
    if (signal.aborted) {
      return;
    }
    this.#watch = watchProject(check.project.uri, CHANGE_PAUSE_MS, () => this.#follow());
    await vscode.commands.executeCommand('setContext', 'appBuild.showsPreflight', true);
    const findings = VERDICTS.find((verdict) => check.findings.some((finding) => finding.verdict === verdict));
    await this.rows.focus(part === 'files' && check.plan !== undefined ? 'files' : findings);
  }

  /** Repeats the check. Calls during a running check share one further check afterward. */
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

  async close(): Promise<void> {
    this.#forget();
    this.#check = undefined;
    this.rows.show({ rows: [], description: '', message: '' });
    await vscode.commands.executeCommand('setContext', 'appBuild.showsPreflight', false);
  }

  /** Stops watching and checking. */
  #forget(): void {
    this.#watch?.dispose();
    this.#watch = undefined;
    this.#controller.abort(new CancelledError());
    this.#controller = new AbortController();
    this.#isStale = false;
  }

  /** Checks again, either immediately or when the view becomes visible. */
  #follow(): void {
    if (this.#check === undefined) {
      return;
    }
    this.#isStale = !this.rows.visible;
    if (!this.#isStale) {
      void this.#dependencies.notifications.run('Checking the folder again', () => this.refresh());
    }
  }

  async #checkAgain(): Promise<void> {
    if (this.#check === undefined) {
      return;
    }
    const { folder, project } = this.#check;
    const { signal } = this.#controller;
    this.#isStale = false;
    const check = await withProgress({ view: PREFLIGHT_VIEW_ID }, () =>
      this.#dependencies.check(folder, project, signal),
    );
    await this.#draw(check, signal);
  }

  /** Includes or leaves out a file or folder. @throws CancelledError if the user declines, FileError */
  async #change(value: CheckedItem, isChecked: boolean): Promise<void> {
    const shown = this.#check;
    if (shown === undefined) {
      return;
    }
    const { project } = shown;
    try {
      if (value.kind !== 'suspect') {
        await sendOrLeaveOut(project.uri, { path: value.path, isFolder: value.kind === 'folder' }, isChecked);
      } else if (isChecked) {
        await this.#allow(project, value.suspect);
      } else {
        await this.#dependencies.consents.setAnswer(project, value.suspect, 'leaveOut');
      }
    } catch (error) {
      // Resets the checkbox.
      await this.#draw(shown, this.#controller.signal);
      throw error;
    }
    await this.refresh();
  }

  /** Asks the user whether to send a file that may contain a secret and remembers the consent for this file. */
  async #allow(project: WebProject, suspect: SuspectFile): Promise<void> {
    const { consents, input } = this.#dependencies;
    await input.confirmOrCancel(
      vscode.l10n.t('Send {0} although it may contain a secret?', suspect.file.path),
      [
        vscode.l10n.t('Found: {0}.', localize(getSuspicionSentence(suspect))),
        vscode.l10n.t('The service gets the file, and users of the app may be able to read it.'),
      ].join('\n\n'),
      vscode.l10n.t('Send This File'),
    );
    await consents.setAnswer(project, suspect, 'send');
  }

  /** Shows a check, unless another one has been shown in the meantime. */
  async #draw(check: FolderCheck, signal: AbortSignal): Promise<void> {
    const { connections, folders, consents } = this.#dependencies;
    const connection = await connections.current();
    if (signal.aborted) {
      return;
    }
    this.#check = check;
    const { folder, project } = check;
    const path = projectPath(folder, project);
    const app = connection.kind === 'signedIn' ? folders.get(folder.uri, connection) : undefined;
    this.#madeConfigChanged.fire(madeConfigUri(project.uri));
    this.rows.show({
      rows: checkRows(check, (suspect) => consents.getAnswer(project, suspect)),
      description: app === undefined ? path : vscode.l10n.t('{0} as “{1}”', path, app.title),
      message: checkSummary(check),
    });
  }
}

const IGNORE_FILE = '.appbuildignore';

/**
 * Adds a line to `.appbuildignore` that excludes a path, or removes that line. The edit can be undone in the file's editor. Deletes the
 * file when its last line is removed.
 *
 * @param project the URI of the project folder
 * @throws FileError
 */
async function sendOrLeaveOut(project: vscode.Uri, path: IgnoredPath, isSent: boolean): Promise<void> {
  const rest = await writeIntoFolder(project, IGNORE_FILE, (text) =>
    isSent ? withoutLine(text, path) : withLine(text, path),
  );
  if (isSent && rest.trim() === '') {
    try {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(project, IGNORE_FILE));
    } catch (error) {
      throw fileFailure(error, IGNORE_FILE);
    }
  }
}
