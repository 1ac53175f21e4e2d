import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../../../service-client/index.ts';
import { Disposable } from '../../../workbench/disposable.ts';
import { describeFailure } from '../../../workbench/notifications.ts';
import { numberText } from '../../../workbench/texts.ts';
import type { App } from '../../model/app.ts';
import { FolderFiles, type LogName, type LogProblems } from './logProblems.ts';
import { logUpdates } from './followLog.ts';
import { LogText } from './logText.ts';
import { findLog, getLogFolders, type BuildLog, type LogDependencies } from './buildLog.ts';

interface OpenLogDependencies extends LogDependencies {
  readonly problems: LogProblems;
}

/** Content of a document: a notice about missing lines, the log, and a last line with its state. */
interface LogLayout {
  readonly text: LogText;
  /** Line numbers in the whole log. */
  readonly first: number;
  readonly end: number;
  readonly state: string;
}

/**
 * A log in an editor. Reads the log and updates its document. Inserts only the added text. After a content provider event, VS Code would
 * replace a document of more than 100,000 characters completely. That would lose the selection and scroll position, and would take seconds
 * for 5 MB.
 */
export class OpenLog extends Disposable {
  readonly uri: vscode.Uri;
  readonly #dependencies: OpenLogDependencies;
  readonly #woken = this.register(new vscode.EventEmitter<void>());
  #reading = new AbortController();
  /** Resolves when the first part has been read or has failed. */
  ready: Promise<void> = Promise.resolve();
  failure: Error | undefined;
  files = new FolderFiles([]);
  name: LogName | undefined;
  /** The client that last read the log. Undefined before the first read. */
  client: BuildServiceClient | undefined;
  /** When reading started, in milliseconds since 1970. 0 before the first read. */
  startedAt = 0;
  /** True until the log is complete or can't be read. */
  isReading = false;
  /** Text of the log. Replaced when the log starts over. */
  text = new LogText();
  /** Last line of the document, with the state of the log. Can be empty. */
  #state = '';
  /** Content of the document. Undefined if unknown. */
  #shown: LogLayout | undefined;
  #update: Promise<void> = Promise.resolve();

  /** Creates the log without reading it. {@link start} starts reading. */
  constructor(uri: vscode.Uri, dependencies: OpenLogDependencies) {
    super();
    this.uri = uri;
    this.#dependencies = dependencies;
  }

  /** Reads the log from the start and discards the previous text. @param app the app, if it has just been loaded. */
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

  /** Checks immediately whether the log has grown. */
  wake(): void {
    this.#woken.fire();
  }

  override dispose(): void {
    this.#reading.abort();
    this.isReading = false;
    super.dispose();
  }

  /** Returns the content for a document that VS Code opens. */
  open(): string {
    this.#shown = this.#layout();
    return getLayoutText(this.#shown);
  }

  /** Updates the document if it's open. Never rejects. */
  show(): Promise<void> {
    this.#update = this.#update.then(() => this.#apply()).catch(() => undefined);
    return this.#update;
  }

  /** Returns the document line that shows a line of the log, or undefined if it isn't shown. */
  documentLine(line: number): number | undefined {
    const shown = this.#current;
    return shown === undefined || line < shown.first || line >= shown.end
      ? undefined
      : line - shown.first + noticeLines(shown);
  }

  async #read(known: App | undefined, signal: AbortSignal, onFirst: () => void): Promise<void> {
    try {
      const log = await findLog(this.#dependencies, this.uri, known, signal);
      const { title } = log.app;
      this.#begin(log);
      let isFirst = true;
      for await (const { text, startsOver } of logUpdates(log, { signal, onDidChange: this.#woken.event })) {
        if (isFirst || startsOver) {
          this.text = new LogText();
        }
        isFirst = false;
        this.text.append(text);
        this.#state =
          this.text.end === 0
            ? vscode.l10n.t('The log of “{0}” is empty so far. It grows while the build runs.', title)
            : '';
        onFirst();
        await this.#showAll();
      }
      if (!signal.aborted && this.text.end === 0) {
        this.#state = vscode.l10n.t('The log of “{0}” is empty.', title);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.failure = error instanceof Error ? error : new Error(String(error));
        this.#state = vscode.l10n.t('The log can’t be read. {0}', describeFailure(error));
      }
    }
    if (!signal.aborted) {
      this.isReading = false;
      await this.#showAll();
    }
  }

  #begin({ connection, app, platform }: BuildLog): void {
    this.name = { appUrl: app.url, platform };
    this.client = connection.client;
    this.files = new FolderFiles(getLogFolders(this.#dependencies.folders, app.url, connection));
  }

  async #showAll(): Promise<void> {
    const { name, startedAt, files } = this;
    await this.show();
    if (name !== undefined && !files.isEmpty) {
      await this.#dependencies.problems.set(name, startedAt, this.text.problems, files);
    }
  }

  /** The content of the document, if it belongs to the current log. */
  get #current(): LogLayout | undefined {
    return this.#shown?.text === this.text ? this.#shown : undefined;
  }

  #layout(): LogLayout {
    const { first, end } = this.text;
    return { text: this.text, first, end, state: this.#state };
  }

  async #apply(): Promise<void> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === this.uri.toString());
    if (document === undefined) {
      return;
    }
    const next = this.#layout();
    // Lines are dropped rarely, but many at a time, so replace the whole text in that case.
    const shown = this.#current?.first === next.first ? this.#current : undefined;
    if (shown?.end === next.end && shown.state === next.state) {
      return;
    }
    const start = new vscode.Position(shown === undefined ? 0 : shown.end - shown.first + noticeLines(shown), 0);
    const range = new vscode.Range(start, document.lineAt(document.lineCount - 1).range.end);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      this.uri,
      range,
      shown === undefined ? getLayoutText(next) : next.text.textFrom(shown.end) + next.state,
    );
    // Check this before the text grows, because the end won't be visible afterward.
    const atEnd = vscode.window.visibleTextEditors.filter((editor) => editor.document === document && showsEnd(editor));
    // VS Code calls providers as soon as the document changes.
    this.#shown = next;
    if (!(await vscode.workspace.applyEdit(edit))) {
      this.#shown = undefined;
      return;
    }
    const last = document.lineCount - 1;
    atEnd.forEach((editor) => editor.revealRange(new vscode.Range(last, 0, last, 0)));
  }
}

function getLayoutText(layout: LogLayout): string {
  const { first, text, state } = layout;
  const notice =
    first === 0 ? '' : vscode.l10n.t('{0} earlier lines aren’t shown because the log is too long.', numberText(first));
  return `${notice}${'\n'.repeat(noticeLines(layout))}${text.textFrom(first)}${state}`;
}

function noticeLines({ first }: LogLayout): number {
  return first === 0 ? 0 : 1;
}

function showsEnd({ visibleRanges, document }: vscode.TextEditor): boolean {
  // The last line is empty and may be partly hidden.
  return (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2;
}
