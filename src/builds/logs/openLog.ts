import * as vscode from 'vscode';
import type { BuildServiceClient } from '../../api/client.ts';
import { Disposable } from '../../workbench/disposable.ts';
import { describe } from '../../workbench/notifications.ts';
import { numberText } from '../../workbench/texts.ts';
import type { App } from '../../apps/model/app.ts';
import { FolderFiles, type LogName, type LogProblems } from './logProblems.ts';
import { logUpdates } from './followLog.ts';
import { LogText } from './logText.ts';
import { findLog, foldersOf, type BuildLog, type LogDependencies } from './buildLog.ts';

interface OpenLogDependencies extends LogDependencies {
  readonly problems: LogProblems;
}

/** The content of a document: a line about the missing beginning, lines of the log, and a last line about its state. */
interface LogLayout {
  readonly text: LogText;
  /** Lines of the whole log. */
  readonly first: number;
  readonly end: number;
  readonly state: string;
}

/**
 * A log in an editor: reads it while there is something to read, and brings its document up to date. Only the added text goes to
 * VS Code: an event of the content provider replaces a text of more than 100,000 characters as a whole, which loses selection and
 * place, and takes seconds for 5 MB.
 */
export class OpenLog extends Disposable {
  readonly uri: vscode.Uri;
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
  /** Another one when the log starts over. */
  text = new LogText();
  /** A last line with the state of the log. Empty if there is none. */
  #state = '';
  /** The content of the document. Undefined when that is not known. */
  #shown: LogLayout | undefined;
  #update: Promise<void> = Promise.resolve();

  /** Reads nothing before {@link start}. */
  constructor(uri: vscode.Uri, dependencies: OpenLogDependencies) {
    super();
    this.uri = uri;
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

  /** The content for a document that opens. */
  open(): string {
    this.#shown = this.#layout();
    return textOfLayout(this.#shown);
  }

  /** Brings the document up to date, if it is open. Never rejects. */
  show(): Promise<void> {
    this.#update = this.#update.then(() => this.#apply()).catch(() => undefined);
    return this.#update;
  }

  /** The line of the document that shows a line of the log. */
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
        this.#state = vscode.l10n.t('The log cannot be read. {0}', describe(error));
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
    this.files = new FolderFiles(foldersOf(this.#dependencies.folders, app.url, connection));
  }

  /** Shows text and problems. */
  async #showAll(): Promise<void> {
    const { name, startedAt, files } = this;
    await this.show();
    if (name !== undefined && !files.isEmpty) {
      await this.#dependencies.problems.set(name, startedAt, this.text.problems, files);
    }
  }

  /** The content, if it is of the current log. */
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
    // The first lines go seldom, and many at a time: then the text is replaced as a whole.
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
      shown === undefined ? textOfLayout(next) : next.text.textFrom(shown.end) + next.state,
    );
    // Asked before the text grows: after that, the end isn't in view.
    const atEnd = vscode.window.visibleTextEditors.filter((editor) => editor.document === document && showsEnd(editor));
    // Providers are asked as soon as the document has changed.
    this.#shown = next;
    if (!(await vscode.workspace.applyEdit(edit))) {
      this.#shown = undefined;
      return;
    }
    const last = document.lineCount - 1;
    atEnd.forEach((editor) => editor.revealRange(new vscode.Range(last, 0, last, 0)));
  }
}

function textOfLayout(layout: LogLayout): string {
  const { first, text, state } = layout;
  const notice =
    first === 0 ? '' : vscode.l10n.t('{0} earlier lines are not shown: the log is too long.', numberText(first));
  return `${notice}${'\n'.repeat(noticeLines(layout))}${text.textFrom(first)}${state}`;
}

function noticeLines({ first }: LogLayout): number {
  return first === 0 ? 0 : 1;
}

function showsEnd({ visibleRanges, document }: vscode.TextEditor): boolean {
  // The last line is empty, and may be half hidden.
  return (visibleRanges.at(-1)?.end.line ?? 0) >= document.lineCount - 2;
}
