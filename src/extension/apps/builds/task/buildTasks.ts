import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { CancelledError } from '../../../../errors/index.ts';
import { label, type Redactor } from '../../../../service-client/index.ts';
import type { Connections } from '../../../auth/connection.ts';
import type { ServiceSelection } from '../../../auth/serviceSelection.ts';
import type { Input } from '../../../workbench/input.ts';
import type { Log } from '../../../workbench/log.ts';
import { describeFailure, type Notifications } from '../../../workbench/notifications.ts';
import { listText, toPlainText } from '../../../workbench/texts.ts';
import type { FolderApps } from '../../folderApps.ts';
import type { App } from '../../model/app.ts';
import { chooseFolder } from '../../../preflight/chooseProject.ts';
import type { BuildFolder } from '../buildFolder.ts';
import type { ByteCount } from '../../../workbench/progress.ts';
import { createBuildLog } from '../logs/buildLog.ts';
import { logUpdates } from '../logs/followLog.ts';
import { cleanLine } from '../logs/logText.ts';
import { PROBLEM_MATCHER, TASK_TYPE } from '../names.ts';
import type { StartedBuild } from '../startBuild.ts';
import type { WatchEnd } from '../watching/buildProgress.ts';
import type { BuildWatcher } from '../watching/buildWatcher.ts';
import { readDefinition } from './tasksJson.ts';
import { platformName } from '../../../../web-project/index.ts';

interface BuildTasksDependencies {
  readonly connections: Connections;
  readonly selection: ServiceSelection;
  readonly folders: FolderApps;
  readonly buildFolder: BuildFolder;
  readonly watcher: BuildWatcher;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly redactor: Redactor;
}

/** The folder of a task. If undefined, the task asks the user. */
type TaskFolder = vscode.WorkspaceFolder | undefined | Promise<vscode.WorkspaceFolder | undefined>;

/** Provides the tasks that build folders. */
export class BuildTasks implements vscode.TaskProvider {
  readonly #dependencies: BuildTasksDependencies;
  /** Definitions of the running tasks in a workspace with several folders. */
  readonly #running = new Set<vscode.TaskDefinition>();

  constructor(dependencies: BuildTasksDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a task for each linked folder. Doesn't make requests, because VS Code calls this several times per keystroke. */
  provideTasks(): vscode.Task[] {
    const { selection, folders } = this.#dependencies;
    const service = getService(selection);
    if (service === undefined) {
      return [];
    }
    return folders.all({ service }).map(({ folder, app }) => {
      const name = toPlainText(vscode.l10n.t('build {0}', label(app.title)));
      const task = this.#toTask({ type: TASK_TYPE }, folder, name, vscode.l10n.t('App Build'));
      task.group = vscode.TaskGroup.Build;
      return task;
    });
  }

  /**
   * Adds the execution to a task from tasks.json. VS Code silently ignores the result unless it's a different object with the
   * same definition object.
   */
  resolveTask({ definition, scope, name, source }: vscode.Task): vscode.Task {
    return this.#toTask(definition, scope ?? vscode.TaskScope.Workspace, name, source);
  }

  /**
   * Creates the terminal of a task.
   *
   * @param folder folder of the task. If undefined, the task asks the user.
   * @param onEnd called when the task is over.
   */
  terminal(
    definition: vscode.TaskDefinition,
    folder: TaskFolder,
    onEnd: () => void = () => undefined,
  ): vscode.Pseudoterminal {
    return new BuildTerminal(definition, folder, this.#dependencies, onEnd);
  }

  #toTask(
    definition: vscode.TaskDefinition,
    scope: vscode.WorkspaceFolder | vscode.TaskScope,
    name: string,
    source: string,
  ): vscode.Task {
    const execution = new vscode.CustomExecution((resolved) =>
      // If the callback rejected, the task would run forever without a message. The terminal shows the problem instead.
      Promise.resolve(this.#start(definition, resolved)),
    );
    return new vscode.Task(definition, scope, name, source, execution, PROBLEM_MATCHER);
  }

  /** @param resolved `definition` with its variables substituted. */
  #start(definition: vscode.TaskDefinition, resolved: vscode.TaskDefinition): vscode.Pseudoterminal {
    const [only, ...others] = vscode.workspace.workspaceFolders ?? [];
    if (others.length === 0) {
      return this.terminal(resolved, only);
    }
    const isKnown = ![...this.#running].some((each) => isDeepStrictEqual(each, definition));
    this.#running.add(definition);
    return this.terminal(resolved, isKnown ? findStartedFolder(definition) : undefined, () =>
      this.#running.delete(definition),
    );
  }
}

/**
 * Returns the folder of the task that is starting. VS Code treats tasks with equal definitions as one task, even in different folders. VS
 * Code calls the execution that it received last, but the next start event contains the task with its folder. If an equal task is already
 * running, the event has that task instead.
 */
function findStartedFolder(definition: vscode.TaskDefinition): Promise<vscode.WorkspaceFolder | undefined> {
  return new Promise((resolve) => {
    const listener = vscode.tasks.onDidStartTask(({ execution: { task } }) => {
      if (isDeepStrictEqual(task.definition, definition)) {
        listener.dispose();
        resolve(typeof task.scope === 'object' ? task.scope : undefined);
      }
    });
  });
}

/** Returns the current service without starting it, or undefined if the setting isn't a valid URL. */
function getService(selection: ServiceSelection) {
  try {
    return selection.current;
  } catch {
    return undefined;
  }
}

/** Clears the line, so that the byte count stays on one line. */
const CLEAR_LINE = '\r\u001b[K';
const BOLD = '\u001b[1m';
const RED = '\u001b[31m';
const GREEN = '\u001b[32m';
const RESET = '\u001b[0m';

/** The terminal of a task. Prints the steps and then the log. The exit code is 0 if everything was built, and 1 otherwise. */
class BuildTerminal implements vscode.Pseudoterminal {
  readonly #definition: vscode.TaskDefinition;
  readonly #folder: TaskFolder;
  readonly #dependencies: BuildTasksDependencies;
  readonly #onEnd: () => void;
  readonly #written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#written.event;
  readonly #closed = new vscode.EventEmitter<number>();
  readonly onDidClose = this.#closed.event;
  readonly #controller = new AbortController();
  #started: StartedBuild | undefined;
  /** Text of the line with the byte count. Undefined if the last line doesn't show a byte count. */
  #counting: string | undefined;

  constructor(
    definition: vscode.TaskDefinition,
    folder: TaskFolder,
    dependencies: BuildTasksDependencies,
    onEnd: () => void,
  ) {
    this.#definition = definition;
    this.#folder = folder;
    this.#dependencies = dependencies;
    this.#onEnd = onEnd;
  }

  /** VS Code loses output that's written before this call. */
  open(): void {
    void this.#run();
  }

  close(): void {
    if (this.#controller.signal.aborted) {
      return;
    }
    this.#controller.abort();
    const { watcher, notifications } = this.#dependencies;
    if (this.#started !== undefined) {
      watcher.stopUnlessWindowCloses(this.#started.app.url);
      const text = vscode.l10n.t(
        'The task has stopped watching “{0}”. The service continues building it.',
        this.#started.app.title,
      );
      this.#print(text);
      notifications.done(text);
    }
  }

  async #run(): Promise<void> {
    const code = await this.#build().catch((error: unknown) => {
      if (!(error instanceof CancelledError)) {
        this.#dependencies.log.error('A build task', error);
        this.#print(describeFailure(error), RED);
      } else if (!this.#controller.signal.aborted) {
        this.#print(vscode.l10n.t('Canceled.'));
      }
      return 1;
    });
    if (!this.#controller.signal.aborted) {
      this.#controller.abort();
      this.#closed.fire(code);
    }
    this.#closed.dispose();
    this.#written.dispose();
    this.#onEnd();
  }

  async #build(): Promise<number> {
    const { buildFolder, input, watcher } = this.#dependencies;
    const task = readDefinition(this.#definition);
    if ('kind' in task) {
      this.#print(
        task.kind === 'empty'
          ? vscode.l10n.t('“{0}” is empty for this task in tasks.json. Enter a value, or remove it.', task.property)
          : vscode.l10n.t('“{0}” has the wrong type for this task in tasks.json.', task.property),
        RED,
      );
      return 1;
    }
    const { signal } = this.#controller;
    const folder = (await this.#folder) ?? (await chooseFolder(input, vscode.l10n.t('Build App')));
    const started = await buildFolder(folder, {
      app: task.app,
      project: task.folder,
      platforms: task.platforms,
      signal,
      report: (text, bytes) => this.#report(text, bytes),
    });
    this.#started = started;
    const { app, platforms } = started;
    const ended = watcher.waitForEnd(app.url, signal);
    const reading = new AbortController();
    // If the build ends, read its log to the end. If watching ends for another reason, stop reading.
    ended.then(
      ({ kind }) => kind !== 'ended' && reading.abort(),
      () => undefined,
    );
    this.#print(vscode.l10n.t('Building “{0}” for {1}.', app.title, listText(platforms.map(platformName))), BOLD);
    for (const { platform, logUrl } of app.builds) {
      if (platforms.includes(platform) && logUrl !== undefined) {
        await this.#printLog(app, platform, AbortSignal.any([signal, reading.signal]));
      }
    }
    return this.#printEnd(await ended);
  }

  /** Prints the log of a platform until it's complete or the signal aborts. */
  async #printLog(app: App, platform: string, signal: AbortSignal): Promise<void> {
    const { connections, redactor, watcher, log } = this.#dependencies;
    this.#print(`── ${platformName(platform)} ──`, BOLD);
    try {
      const unread = createBuildLog(app, platform, await connections.requireSignedIn(), redactor, signal);
      for await (const { text } of logUpdates(unread, { signal, onDidChange: watcher.onDidChangeAll })) {
        if (text !== '') {
          this.#write(text.replace(/\n$/, ''));
        }
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      // The build continues without its log.
      log.error('The log of a build task', error);
      this.#print(vscode.l10n.t('The log can’t be read: {0}', describeFailure(error)));
    }
  }

  #printEnd(end: WatchEnd): number {
    switch (end.kind) {
      case 'gone':
        this.#print(vscode.l10n.t('“{0}” no longer exists at the service.', end.progress.title), RED);
        return 1;
      case 'signedOut':
        this.#print(vscode.l10n.t('You’re signed out, so the build is no longer watched.'), RED);
        return 1;
      case 'stopped':
        this.#print(vscode.l10n.t('The build is no longer watched. The service continues building.'));
        return 1;
      case 'ended': {
        const { builds } = end.progress;
        for (const { platform, state, status, error } of builds) {
          const name = platformName(platform);
          if (state === 'complete') {
            this.#print(vscode.l10n.t('{0}: the build is complete.', name), GREEN);
          } else if (state === 'failed') {
            this.#print(vscode.l10n.t('{0}: the build failed. {1}', name, error ?? ''), RED);
          } else {
            this.#print(vscode.l10n.t('{0}: {1}', name, status ?? vscode.l10n.t('not built')));
          }
        }
        return builds.some(({ state }) => state === 'failed') ? 1 : 0;
      }
    }
  }

  /** Prints a step of the upload. Byte counts overwrite one another on a single line. */
  #report(text: string, bytes: ByteCount | undefined): void {
    if (bytes === undefined) {
      this.#print(text);
    } else if (text !== this.#counting) {
      this.#counting = text;
      this.#written.fire(`${CLEAR_LINE}${cleanLine(text)}`);
    }
  }

  /** Prints a line from this extension, which may contain text from the service. */
  #print(text: string, style = ''): void {
    this.#write(this.#dependencies.redactor.redact(text), style);
  }

  #write(text: string, style = ''): void {
    const end = this.#counting === undefined ? '' : '\r\n';
    this.#counting = undefined;
    const lines = text.split('\n').map((line) => `${style}${cleanLine(line)}${style === '' ? '' : RESET}\r\n`);
    this.#written.fire(`${end}${lines.join('')}`);
  }
}
