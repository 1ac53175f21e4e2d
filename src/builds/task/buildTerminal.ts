import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Redactor } from '../../api/redaction.ts';
import type { Connections } from '../../auth/connection.ts';
import type { Input } from '../../workbench/input.ts';
import type { Log } from '../../workbench/log.ts';
import { describe, type Notifications } from '../../workbench/notifications.ts';
import { listText } from '../../workbench/texts.ts';
import type { BuildFolder } from '../buildFolder.ts';
import type { StartedBuild } from '../startBuild.ts';
import { chooseFolder } from '../../projects/chooseProject.ts';
import type { Bytes } from '../joinedBuild.ts';
import { cleanLine } from '../logs/logLine.ts';
import { logUpdates } from '../logs/followLog.ts';
import { addressOfLog, findLog } from '../logs/logSource.ts';
import type { App } from '../../apps/model/app.ts';
import type { WatchEnd } from '../watching/buildProgress.ts';
import type { BuildWatcher } from '../watching/buildWatcher.ts';
import { readDefinition, type TaskProblem } from './tasksJson.ts';

export interface BuildTerminalDependencies {
  readonly connections: Connections;
  readonly buildFolder: BuildFolder;
  readonly watcher: BuildWatcher;
  readonly input: Input;
  readonly notifications: Notifications;
  readonly log: Log;
  readonly redactor: Redactor;
}

/** Takes back what was written to the line: bytes that are counted stay on one. */
const CLEAR_LINE = '\r\u001b[K';
const BOLD = '\u001b[1m';
const RED = '\u001b[31m';
const GREEN = '\u001b[32m';
const RESET = '\u001b[0m';

/** The terminal of a task: prints the steps, then the log. Ends with 0 when everything was built, else with 1. */
export class BuildTerminal implements vscode.Pseudoterminal {
  readonly #definition: vscode.TaskDefinition;
  readonly #folder: vscode.WorkspaceFolder | undefined | Promise<vscode.WorkspaceFolder | undefined>;
  readonly #dependencies: BuildTerminalDependencies;
  readonly #onEnd: () => void;
  readonly #written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#written.event;
  readonly #closed = new vscode.EventEmitter<number>();
  readonly onDidClose = this.#closed.event;
  readonly #controller = new AbortController();
  #started: StartedBuild | undefined;
  /** The text of the last line, while bytes are counted on it. */
  #counting: string | undefined;

  constructor(
    definition: vscode.TaskDefinition,
    folder: vscode.WorkspaceFolder | undefined | Promise<vscode.WorkspaceFolder | undefined>,
    dependencies: BuildTerminalDependencies,
    onEnd: () => void,
  ) {
    this.#definition = definition;
    this.#folder = folder;
    this.#dependencies = dependencies;
    this.#onEnd = onEnd;
  }

  /** VS Code loses output from before this call. */
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
        'The task has stopped watching “{0}”. The service goes on building it.',
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
        this.#print(describe(error), RED);
      } else if (!this.#controller.signal.aborted) {
        this.#print(vscode.l10n.t('Cancelled.'));
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
      this.#print(textOfProblem(task), RED);
      return 1;
    }
    const { signal } = this.#controller;
    const folder = (await this.#folder) ?? (await chooseFolder(input, vscode.l10n.t('Build This Folder')));
    const started = await buildFolder(folder, {
      ...task,
      signal,
      report: (text, bytes) => this.#report(text, bytes),
    });
    this.#started = started;
    const { app, platforms } = started;
    const ended = watcher.whenEnded(app.url, signal);
    const reading = new AbortController();
    // The log of a build that ended is read to its end. When the watch ended for another reason, there's no more to read.
    ended.then(
      ({ kind }) => kind !== 'ended' && reading.abort(),
      () => undefined,
    );
    this.#print(vscode.l10n.t('“{0}” is being built for {1}.', app.title, listText(platforms)), BOLD);
    for (const { platform, logUrl } of app.builds) {
      if (platforms.includes(platform) && logUrl !== undefined) {
        await this.#printLog(app, platform, AbortSignal.any([signal, reading.signal]));
      }
    }
    return this.#printEnd(await ended);
  }

  /** Prints the log of a platform until it is complete, or the signal aborts. */
  async #printLog(app: App, platform: string, signal: AbortSignal): Promise<void> {
    const { connections, watcher, log } = this.#dependencies;
    this.#print(`── ${platform} ──`, BOLD);
    try {
      const { service } = await connections.requireSignedIn();
      const { read, hideSecrets } = await findLog(
        this.#dependencies,
        addressOfLog(app, platform, service),
        app,
        signal,
      );
      const updates = logUpdates(read, { signal, hideSecrets, onDidChange: watcher.onDidChangeAll });
      for await (const { text } of updates) {
        if (text !== '') {
          this.#write(text.replace(/\n$/, ''));
        }
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      // The build goes on without its log.
      log.error('The log of a build task', error);
      this.#print(vscode.l10n.t('The log cannot be read: {0}', describe(error)));
    }
  }

  #printEnd(end: WatchEnd): number {
    switch (end.kind) {
      case 'gone':
        this.#print(vscode.l10n.t('“{0}” is no longer at the service.', end.progress.title), RED);
        return 1;
      case 'signedOut':
        this.#print(vscode.l10n.t('You are signed out, so the build is not watched any more.'), RED);
        return 1;
      case 'stopped':
        this.#print(vscode.l10n.t('The build is not watched any more. The service goes on with it.'));
        return 1;
      case 'ended': {
        const { builds } = end.progress;
        for (const { platform, state, status, error } of builds) {
          if (state === 'complete') {
            this.#print(vscode.l10n.t('{0}: the build is complete.', platform), GREEN);
          } else if (state === 'failed') {
            this.#print(vscode.l10n.t('{0}: the build failed. {1}', platform, error ?? ''), RED);
          } else {
            this.#print(vscode.l10n.t('{0}: {1}', platform, status ?? vscode.l10n.t('not built')));
          }
        }
        return builds.some(({ state }) => state === 'failed') ? 1 : 0;
      }
    }
  }

  /** A step of the upload; bytes are counted on one line. */
  #report(text: string, bytes: Bytes | undefined): void {
    if (bytes === undefined) {
      this.#print(text);
    } else if (text !== this.#counting) {
      this.#counting = text;
      this.#written.fire(`${CLEAR_LINE}${cleanLine(text)}`);
    }
  }

  /** Prints a line of ours, with words of the service in it. */
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

function textOfProblem(problem: TaskProblem): string {
  return problem.kind === 'empty'
    ? vscode.l10n.t('“{0}” of this task in tasks.json is empty. Give it a value, or remove it.', problem.property)
    : vscode.l10n.t('“{0}” of this task in tasks.json is not of the right type.', problem.property);
}
