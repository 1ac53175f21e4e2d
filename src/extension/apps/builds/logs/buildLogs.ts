import * as vscode from 'vscode';
import { Disposable } from '../../../workbench/disposable.ts';
import type { Log } from '../../../workbench/log.ts';
import { AppCalls } from '../../calls/appCalls.ts';
import type { App } from '../../model/app.ts';
import type { BuildProgress, WatchEnd } from '../watching/buildProgress.ts';
import type { BuildWatcher } from '../watching/buildWatcher.ts';
import { FolderFiles, LogProblems, type LogName } from './logProblems.ts';
import type { LogFileReference } from '../../../../web-project/index.ts';
import { readLog } from './followLog.ts';
import { getLogFolders, createBuildLog, logUri, type LogDependencies } from './buildLog.ts';
import { LOG_SCHEME } from '../names.ts';
import { OpenLog } from './openLog.ts';

interface BuildLogsDependencies extends LogDependencies {
  readonly watcher: BuildWatcher;
  readonly log: Log;
}

/** Provides build logs as read-only documents that grow during the build. */
export class BuildLogs extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #dependencies: BuildLogsDependencies;
  readonly #logs = new Map<string, OpenLog>();
  /** Keys of logs whose tabs are being opened. */
  readonly #opening = new Set<string>();
  readonly #problems = this.register(new LogProblems());
  readonly #disposed = new AbortController();

  constructor(dependencies: BuildLogsDependencies) {
    super();
    this.#dependencies = dependencies;
    const { connections, watcher } = dependencies;
    this.register(
      vscode.languages.registerDocumentLinkProvider(
        { scheme: LOG_SCHEME },
        {
          provideDocumentLinks: ({ uri }) => {
            const log = this.#logs.get(uri.toString());
            return log && linksInLog(log);
          },
        },
      ),
    );
    this.register(vscode.window.tabGroups.onDidChangeTabs((event) => this.#onTabs(event)));
    this.register(vscode.workspace.onDidOpenTextDocument(({ uri }) => void this.#logs.get(uri.toString())?.show()));
    this.register(connections.onDidChange(() => void this.#onConnection()));
    this.register(watcher.onDidChange((progress) => this.#onProgress(progress)));
    this.register(watcher.onDidEnd(({ appUrl, end }) => this.#onEnd(appUrl, end)));
  }

  /** Opens the log of an app's build. @throws BuildServiceError if the log can't be read. In that case, no document is opened. */
  async open(app: App, platform: string): Promise<vscode.TextEditor> {
    const uri = logUri(app, platform, await this.#dependencies.connections.requireSignedIn());
    const key = uri.toString();
    const isShown = hasTab(key);
    this.#opening.add(key);
    try {
      const log = this.#logs.get(key) ?? this.#create(uri);
      if (!log.isReading) {
        log.start(app);
      }
      await log.ready;
      if (log.failure !== undefined && !isShown) {
        throw log.failure;
      }
      return await this.#show(log, isShown);
    } finally {
      this.#opening.delete(key);
      this.#closeUnlessShown(key);
    }
  }

  /** Returns the text of a log document to VS Code, including for tabs from before a reload. Never rejects. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const log = this.#logs.get(key) ?? this.#create(uri);
    if (log.startedAt === 0) {
      log.start();
    }
    await log.ready;
    const text = log.open();
    // A document without a tab receives the current text, but no updates.
    this.#closeUnlessShown(key);
    return text;
  }

  /** Reads a log again from the start. Without an argument, rereads all logs that couldn't be read. */
  async refresh(only?: vscode.Uri): Promise<void> {
    const logs = [...this.#logs.values()].filter(({ uri, failure }) =>
      only === undefined ? failure !== undefined : uri.toString() === only.toString(),
    );
    await Promise.all(
      logs.map((log) => {
        log.start();
        return log.ready;
      }),
    );
  }

  override dispose(): void {
    this.#disposed.abort();
    for (const log of this.#logs.values()) {
      log.dispose();
    }
    super.dispose();
  }

  #create(uri: vscode.Uri): OpenLog {
    const log = new OpenLog(uri, { ...this.#dependencies, problems: this.#problems });
    this.#logs.set(uri.toString(), log);
    return log;
  }

  async #show(log: OpenLog, isShown: boolean): Promise<vscode.TextEditor> {
    const document = await vscode.workspace.openTextDocument(log.uri);
    await log.show();
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (!isShown) {
      const [firstError] = log.text.errors;
      const line = log.isReading ? document.lineCount - 1 : (log.documentLine(firstError?.line ?? -1) ?? 0);
      editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    return editor;
  }

  #onTabs({ opened, closed }: vscode.TabChangeEvent): void {
    for (const uri of closed.flatMap(getTabLogs)) {
      this.#closeUnlessShown(uri.toString());
    }
    for (const uri of opened.flatMap(getTabLogs)) {
      // VS Code keeps a document for a while after its tab is closed. If the tab is reopened by then, VS Code doesn't request the text
      // again.
      const isStillNeeded = vscode.workspace.textDocuments.some(
        (document) => document.uri.toString() === uri.toString(),
      );
      if (isStillNeeded && !this.#logs.has(uri.toString())) {
        this.#create(uri).start();
      }
    }
  }

  /** Stops reading a log that has no tab. The log's problems stay visible, like those of a task. */
  #closeUnlessShown(key: string): void {
    if (!this.#opening.has(key) && !hasTab(key)) {
      this.#logs.get(key)?.dispose();
      this.#logs.delete(key);
    }
  }

  /** Reads the logs again after a sign-in or sign-out. */
  async #onConnection(): Promise<void> {
    const connection = await this.#dependencies.connections.current();
    const client = connection.kind === 'signedIn' ? connection.client : undefined;
    if (client === undefined) {
      this.#problems.clear();
    }
    for (const log of this.#logs.values()) {
      if (log.client !== client) {
        log.start();
      }
    }
  }

  #onProgress({ appUrl, startedAt, endedAt, builds }: BuildProgress): void {
    for (const { platform } of endedAt === undefined ? builds : []) {
      this.#problems.startBuild({ appUrl, platform }, startedAt);
    }
    for (const log of this.#getLogs(appUrl)) {
      const isBuilt = builds.some(({ platform }) => platform === log.name?.platform);
      if (isBuilt && startedAt > log.startedAt) {
        log.start();
      } else {
        log.wake();
      }
    }
  }

  /** Finds problems in the logs of failed builds if those logs aren't open. An open log reports its own problems. */
  #onEnd(appUrl: string, end: WatchEnd): void {
    if (end.kind !== 'ended') {
      return;
    }
    const open = new Set(this.#getLogs(appUrl).map(({ name }) => name?.platform));
    for (const { platform, state } of end.progress.builds) {
      if (state === 'failed' && !open.has(platform)) {
        this.#findProblems({ appUrl, platform }).catch((error: unknown) =>
          this.#dependencies.log.error('Looking for problems in a log', error),
        );
      }
    }
  }

  async #findProblems(name: LogName): Promise<void> {
    const { connections, folders, redactor } = this.#dependencies;
    const connection = await connections.requireSignedIn();
    const files = new FolderFiles(getLogFolders(folders, name.appUrl, connection));
    if (files.isEmpty) {
      return;
    }
    const { signal } = this.#disposed;
    const since = Date.now();
    const app = await new AppCalls(connection.client).get(name.appUrl, { signal });
    const { log } = await readLog(createBuildLog(app, name.platform, connection, redactor, signal));
    await this.#problems.set(name, since, log.problems, files);
  }

  #getLogs(appUrl: string): readonly OpenLog[] {
    return [...this.#logs.values()].filter(({ name }) => name?.appUrl === appUrl);
  }
}

/** Returns links to the files that a log mentions. VS Code itself creates links for web addresses. */
async function linksInLog(log: OpenLog): Promise<vscode.DocumentLink[]> {
  const links: vscode.DocumentLink[] = [];
  for (const { line, reference } of log.files.isEmpty ? [] : log.text.references) {
    const target = await log.files.find(reference.path);
    // Lines may have moved in the meantime.
    const shownLine = log.documentLine(line);
    if (target !== undefined && shownLine !== undefined) {
      const range = new vscode.Range(shownLine, reference.start, shownLine, reference.end);
      links.push(new vscode.DocumentLink(range, withPosition(target, reference)));
    }
  }
  return links;
}

/** Adds the line and column as a fragment, so that VS Code scrolls to them. */
function withPosition(target: vscode.Uri, { line, column }: LogFileReference): vscode.Uri {
  return line === undefined ? target : target.with({ fragment: `L${line}${column === undefined ? '' : `,${column}`}` });
}

function getTabLogs({ input }: vscode.Tab): readonly vscode.Uri[] {
  return input instanceof vscode.TabInputText && input.uri.scheme === LOG_SCHEME ? [input.uri] : [];
}

function hasTab(key: string): boolean {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs.flatMap(getTabLogs))
    .some((uri) => uri.toString() === key);
}
