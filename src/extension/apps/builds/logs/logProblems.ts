import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../../../workbench/disposable.ts';
import { diagnosticSeverity } from '../../../workbench/diagnosticSeverity.ts';
import { toPlainText } from '../../../workbench/texts.ts';
import { TASK_TYPE } from '../names.ts';
import { type FileProblem, type LogProblemSeverity, pathsInFolder } from '../../../../web-project/index.ts';

/** Must differ from the problem matcher's owner. Otherwise, each clears the other's diagnostics. */
const COLLECTION = 'app-build-log';
/** Source of the problems. Must match the problem matcher's source in package.json. */
const SOURCE = 'App Build';

/** Problems that logs report in a folder's files. As with a task, they stay until the next build starts. */
export class LogProblems extends Disposable {
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection(COLLECTION));
  readonly #found = new Map<string, FoundProblems>();

  constructor() {
    super();
    // When a task has ended, the diagnostics of its problem matcher are complete.
    this.register(vscode.tasks.onDidEndTask(() => this.#publish()));
  }

  /**
   * Replaces the problems of a log. Ignores problems in files that don't exist. Never rejects.
   *
   * @param since when reading the log started, in milliseconds since 1970.
   */
  async set(
    { appUrl, platform }: LogName,
    since: number,
    problems: readonly FileProblem[],
    files: FolderFiles,
  ): Promise<void> {
    const found = await Promise.all(
      problems.map(async ({ reference, severity, message }) => {
        const uri = await files.find(reference.path);
        return uri === undefined ? [] : [{ uri, diagnostic: createDiagnostic(reference, severity, message) }];
      }),
    );
    const key = `${appUrl} ${platform}`;
    const known = this.#found.get(key);
    if (known === undefined || known.since <= since) {
      const isSame = problems.length === 0 && (known === undefined || known.problems.length === 0);
      this.#found.set(key, { appUrl, platform, since, problems: found.flat() });
      if (!isSame) {
        this.#publish();
      }
    }
  }

  /** Removes the problems of earlier builds. @param since when the build started, in milliseconds since 1970. */
  startBuild({ appUrl, platform }: LogName, since: number): void {
    const key = `${appUrl} ${platform}`;
    const known = this.#found.get(key);
    if (known !== undefined && known.since < since) {
      this.#found.set(key, { appUrl, platform, since, problems: [] });
      this.#publish();
    }
  }

  /** Removes all problems. */
  clear(): void {
    this.#found.clear();
    this.#publish();
  }

  #publish(): void {
    this.#collection.clear();
    if (isMatched()) {
      return;
    }
    const all = [...this.#found.values()].flatMap(({ problems }) => problems);
    for (const [file, problems] of Map.groupBy(all, ({ uri }) => uri.toString())) {
      const uri = vscode.Uri.parse(file);
      // Two platforms often report the same problem, and the problem matcher of a task may have shown it already.
      const own = new Map(problems.map(({ diagnostic }) => [getDiagnosticKey(diagnostic), diagnostic]));
      const others = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === SOURCE);
      others.forEach((other) => own.delete(getDiagnosticKey(other)));
      this.#collection.set(uri, [...own.values()]);
    }
  }
}

/** Identifies the log of an app's build. */
export interface LogName {
  readonly appUrl: string;
  readonly platform: string;
}

interface FoundProblems extends LogName {
  readonly since: number;
  readonly problems: readonly { readonly uri: vscode.Uri; readonly diagnostic: vscode.Diagnostic }[];
}

/** Reports whether a task with this extension's problem matcher is running. That task would show the same problems. */
function isMatched(): boolean {
  return vscode.tasks.taskExecutions.some(
    ({ task }) => task.definition.type === TASK_TYPE && task.problemMatchers.length > 0,
  );
}

function getDiagnosticKey({ range, message }: vscode.Diagnostic): string {
  return `${range.start.line}:${message}`;
}

/** Converts a problem for VS Code. @param message untrusted text from a log, which is escaped here. */
function createDiagnostic(
  { line = 1, column }: Pick<FileProblem['reference'], 'line' | 'column'>,
  severity: LogProblemSeverity,
  message: string,
): vscode.Diagnostic {
  const start = new vscode.Position(Math.max(0, line - 1), Math.max(0, (column ?? 1) - 1));
  // Without a column, the range is the whole line. With one, the range is empty, and VS Code underlines the word at the column.
  const end = column === undefined ? new vscode.Position(start.line, Number.MAX_SAFE_INTEGER) : start;
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(start, end),
    toPlainText(message),
    diagnosticSeverity(severity),
  );
  diagnostic.source = SOURCE;
  return diagnostic;
}

/** Searches several folders for the files that a log mentions, and caches the results. */
export class FolderFiles {
  readonly #folders: readonly vscode.Uri[];
  readonly #found = new Map<string, Promise<vscode.Uri | undefined>>();

  /** @param folders folders of this window, most likely first. */
  constructor(folders: readonly vscode.Uri[]) {
    this.#folders = folders;
  }

  get isEmpty(): boolean {
    return this.#folders.length === 0;
  }

  /** Returns the file for a path, or undefined if no folder contains it. Never rejects. @param written the path as written in the log. */
  find(written: string): Promise<vscode.Uri | undefined> {
    const found = this.#found.get(written) ?? this.#lookUp(written);
    this.#found.set(written, found);
    return found;
  }

  async #lookUp(written: string): Promise<vscode.Uri | undefined> {
    for (const folder of this.#folders) {
      const isOnDisk = folder.scheme === 'file';
      const folderPath = isOnDisk ? folder.fsPath.replaceAll('\\', '/') : undefined;
      for (const relative of pathsInFolder(written, folderPath)) {
        const uri = vscode.Uri.joinPath(folder, relative);
        if ((await isFile(uri)) && (!isOnDisk || (await isInside(uri.fsPath, folder.fsPath)))) {
          return uri;
        }
      }
    }
    return undefined;
  }
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Reports whether a file is in the folder after symbolic links are resolved. */
async function isInside(file: string, folder: string): Promise<boolean> {
  try {
    const relative = path.relative(await realpath(folder), await realpath(file));
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  } catch {
    return false;
  }
}
