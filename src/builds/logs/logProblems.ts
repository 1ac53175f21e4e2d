import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import { diagnosticSeverity } from '../../workbench/diagnosticSeverity.ts';
import { plainText } from '../../workbench/texts.ts';
import { TASK_TYPE } from '../names.ts';
import { type FileProblem, type ProblemSeverity, pathsInFolder } from './fileReferences.ts';

/** Not the name that the problem matcher has: each would remove the problems of the other. */
const COLLECTION = 'app-build-log';
/** As the problem matcher of package.json says, too. */
const SOURCE = 'App Build';

/** Problems that logs report in files of the folder: until the next build starts, as VS Code keeps those of a task. */
export class LogProblems extends Disposable {
  readonly #collection = this.register(vscode.languages.createDiagnosticCollection(COLLECTION));
  readonly #found = new Map<string, FoundProblems>();

  constructor() {
    super();
    // The problems of a task’s matcher are complete when the task has ended.
    this.register(vscode.tasks.onDidEndTask(() => this.#publish()));
  }

  /**
   * Shows the problems of a log in place of those that it had. Files that are not there have none. Never rejects.
   *
   * @param since when the log began to be read, milliseconds since 1970.
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
        return uri === undefined ? [] : [{ uri, diagnostic: diagnosticOf(reference, severity, message) }];
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

  /** Removes the problems of the builds before the one that has started. @param since milliseconds since 1970. */
  startBuild({ appUrl, platform }: LogName, since: number): void {
    const key = `${appUrl} ${platform}`;
    const known = this.#found.get(key);
    if (known !== undefined && known.since < since) {
      this.#found.set(key, { appUrl, platform, since, problems: [] });
      this.#publish();
    }
  }

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
      // Two platforms often have the same problem, and the matcher of a task may have shown it.
      const own = new Map(problems.map(({ diagnostic }) => [keyOfDiagnostic(diagnostic), diagnostic]));
      const others = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === SOURCE);
      others.forEach((other) => own.delete(keyOfDiagnostic(other)));
      this.#collection.set(uri, [...own.values()]);
    }
  }
}

/** The build that a log is of. */
export interface LogName {
  readonly appUrl: string;
  readonly platform: string;
}

interface FoundProblems extends LogName {
  readonly since: number;
  readonly problems: readonly { readonly uri: vscode.Uri; readonly diagnostic: vscode.Diagnostic }[];
}

/** True while the problem matcher of a task of ours is at work: it would show the same problems once more. */
function isMatched(): boolean {
  return vscode.tasks.taskExecutions.some(
    ({ task }) => task.definition.type === TASK_TYPE && task.problemMatchers.length > 0,
  );
}

function keyOfDiagnostic({ range, message }: vscode.Diagnostic): string {
  return `${range.start.line}:${message}`;
}

/** A problem as VS Code shows it. @param message of a log, which is escaped. */
export function diagnosticOf(
  { line = 1, column }: Pick<FileProblem['reference'], 'line' | 'column'>,
  severity: ProblemSeverity,
  message: string,
): vscode.Diagnostic {
  const start = new vscode.Position(Math.max(0, line - 1), Math.max(0, (column ?? 1) - 1));
  // Without a column it is about the line; with one, VS Code marks the word there.
  const end = column === undefined ? new vscode.Position(start.line, Number.MAX_SAFE_INTEGER) : start;
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(start, end),
    plainText(message),
    diagnosticSeverity(severity),
  );
  diagnostic.source = SOURCE;
  return diagnostic;
}

/** Finds the files of some folders that a log names. Results are kept. */
export class FolderFiles {
  readonly #folders: readonly vscode.Uri[];
  readonly #found = new Map<string, Promise<vscode.Uri | undefined>>();

  /** @param folders of this window, the likeliest first. */
  constructor(folders: readonly vscode.Uri[]) {
    this.#folders = folders;
  }

  get isEmpty(): boolean {
    return this.#folders.length === 0;
  }

  /** A file of the folders; undefined when there is none of that name. Never rejects. @param written as a log names it. */
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

/** False for what a symbolic link brings in from elsewhere. */
async function isInside(file: string, folder: string): Promise<boolean> {
  try {
    const relative = path.relative(await realpath(folder), await realpath(file));
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  } catch {
    return false;
  }
}
