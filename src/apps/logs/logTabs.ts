import * as vscode from 'vscode';
import { Disposable } from '../../workbench/disposable.ts';
import type { Log } from '../../workbench/log.ts';
import { OPEN_LOGS_KEY } from './openLogsKey.ts';
import { LOG_SCHEME } from './logScheme.ts';

interface LogTab {
  readonly uri: string;
  /** Of the editors, beginning with 1. */
  readonly column: vscode.ViewColumn;
  /** True when it is in front of the other tabs of its column. */
  readonly isActive: boolean;
}

export interface LogTabsDependencies {
  readonly workspaceState: vscode.Memento;
  readonly log: Pick<Log, 'error'>;
}

/** Shows the logs again that a window showed before it was closed: VS Code forgets tabs of texts that an extension provides. */
export class LogTabs extends Disposable {
  readonly #dependencies: LogTabsDependencies;

  constructor(dependencies: LogTabsDependencies) {
    super();
    this.#dependencies = dependencies;
    const before = readTabs(dependencies.workspaceState.get(OPEN_LOGS_KEY));
    this.#restore(before)
      .catch((error: unknown) => dependencies.log.error('Showing logs again', error))
      .finally(() => {
        this.register(vscode.window.tabGroups.onDidChangeTabs(() => this.#remember()));
        this.#remember();
      });
  }

  async #restore(tabs: readonly LogTab[]): Promise<void> {
    const inFront = vscode.window.activeTextEditor;
    const shown = new Set(currentTabs().map(({ uri }) => uri));
    const missing = tabs.filter(({ uri }) => !shown.has(uri));
    // The last one comes to the front.
    for (const { uri, column } of missing.toSorted((left, right) => Number(left.isActive) - Number(right.isActive))) {
      await vscode.window.showTextDocument(vscode.Uri.parse(uri), {
        viewColumn: column,
        preview: false,
        preserveFocus: true,
      });
    }
    if (inFront !== undefined && missing.length > 0 && !missing.some(({ isActive }) => isActive)) {
      const { document, viewColumn = vscode.ViewColumn.Active } = inFront;
      await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true });
    }
  }

  #remember(): void {
    const { workspaceState, log } = this.#dependencies;
    const tabs = currentTabs();
    if (JSON.stringify(tabs) !== JSON.stringify(readTabs(workspaceState.get(OPEN_LOGS_KEY)))) {
      workspaceState
        .update(OPEN_LOGS_KEY, tabs.length === 0 ? undefined : tabs)
        .then(undefined, (error: unknown) => log.error('Remembering logs', error));
    }
  }
}

function currentTabs(): readonly LogTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) =>
    tabs.flatMap(({ input, isActive }) =>
      input instanceof vscode.TabInputText && input.uri.scheme === LOG_SCHEME
        ? [{ uri: input.uri.toString(), column: viewColumn, isActive }]
        : [],
    ),
  );
}

/** Whatever else is stored is of another version. */
function readTabs(stored: unknown): readonly LogTab[] {
  return Array.isArray(stored) ? stored.filter(isLogTab) : [];
}

function isLogTab(value: unknown): value is LogTab {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { uri, column, isActive } = value as Readonly<Record<string, unknown>>;
  return (
    typeof uri === 'string' &&
    uri.startsWith(`${LOG_SCHEME}:`) &&
    typeof column === 'number' &&
    typeof isActive === 'boolean'
  );
}
