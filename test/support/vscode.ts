/**
 * The part of VS Code's API that consists of plain values, for unit tests of modules that import `vscode`: rows, ranges, addresses,
 * strings, and events. `vscodeInNode.ts` makes Node load it as `vscode`. It has no editors and no settings, and its window draws nothing. A
 * test that needs more belongs in `test/integration/`.
 */
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

// Enumerations have the same numbers as in VS Code's API.
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;
export const DiagnosticTag = { Unnecessary: 1, Deprecated: 2 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ViewColumn = { Active: -1, Beside: -2, One: 1, Two: 2, Three: 3 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;

export class Disposable {
  readonly #dispose: () => unknown;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  dispose(): unknown {
    return this.#dispose();
  }

  static from(...disposables: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => disposables.forEach((disposable) => disposable.dispose()));
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(value: T): void {
    [...this.#listeners].forEach((listener) => listener(value));
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #emitter = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#emitter.fire();
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class TreeItem {
  readonly label: string | vscode.TreeItemLabel | undefined;
  readonly resourceUri: vscode.Uri | undefined;
  readonly collapsibleState: number;

  constructor(
    of: string | vscode.TreeItemLabel | vscode.Uri,
    collapsibleState: number = TreeItemCollapsibleState.None,
  ) {
    this.label = typeof of === 'string' || 'label' in of ? of : undefined;
    this.resourceUri = typeof of === 'string' || 'label' in of ? undefined : of;
    this.collapsibleState = collapsibleState;
  }
}

export class MarkdownString {
  value: string;
  readonly supportThemeIcons: boolean;

  constructor(value = '', supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }

  appendText(text: string): this {
    this.value += text.replaceAll(/[\\`*_{}[\]()#+\-.!~]/g, String.raw`\$&`);
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly unknown[];

  constructor(content: readonly unknown[]) {
    this.content = content;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }

  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }

  isEqual(other: Position): boolean {
    return this.line === other.line && this.character === other.character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(
    ...[start, end, endLine, endCharacter]: readonly [Position, Position] | readonly [number, number, number, number]
  ) {
    this.start = typeof start === 'number' ? new Position(start, Number(end)) : start;
    this.end = typeof end === 'number' ? new Position(Number(endLine), Number(endCharacter)) : end;
  }

  contains(position: Position): boolean {
    return !position.isBefore(this.start) && !this.end.isBefore(position);
  }
}

export class Location {
  readonly uri: vscode.Uri;
  readonly range: Range;

  constructor(uri: vscode.Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;

  constructor(range: Range, message: string, severity: number = DiagnosticSeverity.Error) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

/** Items in the status bar, the latest one last. */
export const statusBarItems: object[] = [];

const windowState = new EventEmitter<vscode.WindowState>();

/** A window that has the focus until a test changes its state. It draws nothing, so tests query the tree. */
export const window = {
  state: { focused: true, active: true } as vscode.WindowState,
  onDidChangeWindowState: windowState.event,
  createTreeView: () => ({
    onDidCollapseElement: new EventEmitter<unknown>().event,
    onDidExpandElement: new EventEmitter<unknown>().event,
    dispose: () => undefined,
  }),
  createStatusBarItem: () => {
    const item = { show: () => undefined, hide: () => undefined, dispose: () => undefined };
    statusBarItems.push(item);
    return item;
  },
  withProgress: <T>(_options: unknown, task: () => T): T => task(),
  setStatusBarMessage: () => new Disposable(() => undefined),
};

export function setWindowState(state: vscode.WindowState): void {
  window.state = state;
  windowState.fire(state);
}

/** VS Code's English localization: replaces `{0}` and `{name}`. */
export const l10n = {
  t(message: string, ...values: readonly unknown[]): string {
    const named = typeof values[0] === 'object' && values[0] !== null ? (values[0] as Record<string, unknown>) : values;
    return message.replaceAll(/\{(\w+)\}/g, (whole, key: string) => String(Reflect.get(named, key) ?? whole));
  },
};

let copied = '';
const clipboard = {
  readText: () => Promise.resolve(copied),
  writeText: (text: string) => Promise.resolve(void (copied = text)),
};

export const env = { language: 'en', appName: 'Node', clipboard };
export const version = '1.105.0';

/** Commands that nothing waits for, such as `setContext`. */
export const commands = {
  executeCommand: () => Promise.resolve(),
  registerCommand: () => new Disposable(() => undefined),
};

export class RelativePattern {
  readonly pattern: string;

  constructor(_base: unknown, pattern: string) {
    this.pattern = pattern;
  }
}

/** A window without a folder, in which no file changes. */
export const workspace = {
  workspaceFolders: undefined,
  onDidChangeWorkspaceFolders: new EventEmitter<void>().event,
  onDidChangeTextDocument: new EventEmitter<void>().event,
  onDidSaveTextDocument: new EventEmitter<void>().event,
  getWorkspaceFolder: () => undefined,
  createFileSystemWatcher: () => ({
    onDidCreate: new EventEmitter<void>().event,
    onDidChange: new EventEmitter<void>().event,
    onDidDelete: new EventEmitter<void>().event,
    dispose: () => undefined,
  }),
};
