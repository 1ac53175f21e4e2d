import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import type { SignedInConnection } from '../../auth/connection.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { describe } from '../../workbench/notifications.ts';
import type { FolderApps } from '../../apps/folderApps.ts';
import type { App } from '../../apps/model/app.ts';
import { FolderFiles, type LogName, type LogProblems } from './logProblems.ts';
import { LogDocument } from './logDocument.ts';
import { logUpdates } from './followLog.ts';
import { LogText } from './logText.ts';
import { findLog, logAddress, type LogSource, type LogSourceDependencies } from './logSource.ts';
import { NotAnAppError } from '../../apps/appErrors.ts';

export interface OpenLogDependencies extends LogSourceDependencies {
  readonly folders: FolderApps;
  readonly problems: LogProblems;
}

/** A log that is shown: reads it while there is something to read, and brings its document up to date. */
export class OpenLog extends Disposable {
  readonly document: LogDocument;
  readonly #dependencies: OpenLogDependencies;
  readonly #woken = this.register(new vscode.EventEmitter<void>());
  #reading = new AbortController();
  /** Resolves when the first part has been read, or has failed. */
  ready: Promise<void> = Promise.resolve();
  failure: Error | undefined;
  files = new FolderFiles([]);
  name: LogName | undefined;
  /** The client that read the log last; undefined before. */
  client: BuildServiceClient | undefined;
  /** When reading began, milliseconds since 1970; 0 before. */
  startedAt = 0;
  /** True until the log is complete or cannot be read. */
  isReading = false;

  /** Reads nothing before {@link start}. */
  constructor(uri: vscode.Uri, dependencies: OpenLogDependencies) {
    super();
    this.document = new LogDocument(uri);
    this.#dependencies = dependencies;
  }

  /** Reads the log from its start; what was read before goes. @param app when it has just been loaded. */
  start(app?: App): void {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    this.startedAt = Date.now();
    this.failure = undefined;
    this.isReading = true;
    this.ready = new Promise((resolve) => {
      void this.#read(app, reading.signal, resolve).finally(resolve);
    });
  }

  /** Looks at once whether the log has grown. */
  wake(): void {
    this.#woken.fire();
  }

  override dispose(): void {
    this.#reading.abort();
    this.isReading = false;
    super.dispose();
  }

  async #read(known: App | undefined, signal: AbortSignal, onFirst: () => void): Promise<void> {
    const { document } = this;
    try {
      const { app, read, hideSecrets } = await this.#open(known, signal);
      const updates = logUpdates(read, { signal, hideSecrets, onDidChange: this.#woken.event });
      let isFirst = true;
      for await (const { text, startsOver } of updates) {
        if (isFirst || startsOver) {
          document.text = new LogText();
        }
        isFirst = false;
        document.text.append(text);
        document.state =
          document.text.end === 0
            ? vscode.l10n.t('The log of “{0}” is empty so far. It grows while the build runs.', app.title)
            : '';
        onFirst();
        await this.#show();
      }
      if (!signal.aborted && document.text.end === 0) {
        document.state = vscode.l10n.t('The log of “{0}” is empty.', app.title);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.failure = error instanceof Error ? error : new Error(String(error));
        document.state = vscode.l10n.t('The log cannot be read. {0}', describe(error));
      }
    }
    if (!signal.aborted) {
      this.isReading = false;
      await this.#show();
    }
  }

  async #open(known: App | undefined, signal: AbortSignal): Promise<LogSource> {
    const { uri } = this.document;
    const address = logAddress(uri);
    if (address === undefined) {
      throw new NotAnAppError(uri.path);
    }
    const source = await findLog(this.#dependencies, address, known, signal);
    this.name = { appUrl: source.app.url, platform: address.platform };
    this.client = source.connection.client;
    this.files = new FolderFiles(foldersOf(this.#dependencies.folders, source.app.url, source.connection));
    return source;
  }

  async #show(): Promise<void> {
    const { document, name, startedAt, files } = this;
    await document.show();
    if (name !== undefined && !files.isEmpty) {
      await this.#dependencies.problems.set(name, startedAt, document.text.problems, files);
    }
  }
}

/** The folders of this window that are built as an app: their projects first. */
export function foldersOf(
  folders: FolderApps,
  appUrl: string,
  connection: Pick<SignedInConnection, 'service'>,
): readonly vscode.Uri[] {
  const linked = folders.all(connection).filter(({ app }) => app.url === appUrl);
  const projects = linked.map(({ folder, app }) => vscode.Uri.joinPath(folder.uri, app.project));
  return [...projects, ...linked.filter(({ app }) => app.project !== '').map(({ folder }) => folder.uri)];
}
