import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { textsIn } from './secretSearch.ts';

/** Text that accepts the suggestion in a box. */
export const AS_PROPOSED = '\n';

/** The user's answers. */
export interface Answers {
  /** Text to type into each input box, in turn. Further boxes are closed. */
  typed: string[];
  /** True to type the next text if one is rejected. Otherwise the box is closed. */
  retype?: boolean | undefined;
  /** Chooses from a list. Defaults to the first entry or, in a multi-select list, the preselected entries. */
  pick?: ((item: vscode.QuickPickItem) => boolean) | undefined;
  /** Labels to choose in each list, in turn, instead of `pick`. Further lists are closed. */
  lists?: (readonly string[])[] | undefined;
  /** Chooses a button. Defaults to the first button of a modal question, and no button otherwise. */
  press?: ((text: string, buttons: readonly string[]) => string | undefined) | undefined;
  /** Files to choose, one per dialog, in turn. Further dialogs are closed. */
  files?: (string | vscode.Uri)[] | undefined;
  /** Runs while a notification or a question is visible. */
  before?: (() => Promise<unknown>) | undefined;
  /** Opens a page in the browser. */
  browse?: ((page: string) => unknown) | undefined;
}

/** Replaces the user during each test of a suite. */
export function useRecordingUser(): RecordingUser {
  const user = new RecordingUser();
  user.dispose();
  beforeEach(() => user.start());
  afterEach(() => user.dispose());
  return user;
}

/** Replaces the user: answers immediately, and records all visible text. */
export class RecordingUser implements vscode.Disposable {
  readonly notifications: string[] = [];
  readonly questions: string[] = [];
  readonly progress: string[] = [];
  readonly pages: string[] = [];
  readonly copied: string[] = [];
  readonly documents: string[] = [];
  readonly context: string[] = [];
  readonly savedTo: string[] = [];
  /** Temporary messages in the status bar. */
  readonly done: string[] = [];
  answers: Answers = { typed: [] };
  readonly #seen = new EventEmitter<{ progress: []; context: [] }>();
  readonly #restore: (() => void)[] = [];
  #cancellation: vscode.CancellationTokenSource | undefined;

  /** Cancels the progress that was shown last. */
  cancelProgress(): void {
    this.#cancellation?.cancel();
  }

  /** Resolves when progress with this title or message is visible. */
  async untilProgress(title: string): Promise<void> {
    while (!this.progress.some((shown) => shown.includes(title))) {
      await once(this.#seen, 'progress');
    }
  }

  /** Resolves when a context key has been set by a call that contains all these strings. */
  async untilContext(...texts: readonly string[]): Promise<void> {
    while (!this.context.some((set) => texts.every((text) => set.includes(text)))) {
      await once(this.#seen, 'context');
    }
  }

  constructor() {
    this.start();
  }

  /** Starts replacing the user, and clears the records. */
  start(): void {
    this.answers = { typed: [] };
    for (const list of [
      ...[this.notifications, this.questions, this.progress, this.pages],
      ...[this.copied, this.documents, this.context, this.savedTo, this.done],
    ]) {
      list.length = 0;
    }
    const { window, env, commands, workspace } = vscode;
    for (const name of ['showErrorMessage', 'showWarningMessage', 'showInformationMessage'] as const) {
      this.#replace(window, name, async (text: string, ...rest: unknown[]) => {
        const answer = this.#told(text, rest);
        await this.answers.before?.();
        return answer;
      });
    }
    this.#replace(window, 'setStatusBarMessage', (text: string) => void this.done.push(text));
    this.#replace(window, 'createInputBox', () => this.#box());
    this.#replace(window, 'createQuickPick', () => this.#list());
    const withProgress = window.withProgress.bind(window);
    this.#replace(
      window,
      'withProgress',
      (options: vscode.ProgressOptions, task: Parameters<typeof withProgress>[1]) => {
        this.progress.push(options.title ?? '');
        this.#seen.emit('progress');
        return withProgress(options, (progress, token) => {
          const report = (value: { message?: string }) => {
            this.progress.push(value.message ?? '');
            this.#seen.emit('progress');
            progress.report(value);
          };
          this.#cancellation = new vscode.CancellationTokenSource();
          token.onCancellationRequested(() => this.cancelProgress());
          return task({ report }, this.#cancellation.token);
        });
      },
    );
    this.#replace(window, 'showSaveDialog', (options: unknown) => {
      this.questions.push(textsIn(options));
      const file = path.join(tmpdir(), `app-build-${randomUUID()}`);
      this.savedTo.push(file);
      return Promise.resolve(vscode.Uri.file(file));
    });
    this.#replace(window, 'showOpenDialog', (options: unknown) => {
      this.questions.push(textsIn(options));
      const file = this.answers.files?.shift();
      const chosen = typeof file === 'string' ? vscode.Uri.file(file) : file;
      return Promise.resolve(chosen && [chosen]);
    });
    this.#replace(env, 'openExternal', async (uri: vscode.Uri) => {
      this.pages.push(uri.toString(true));
      await this.answers.browse?.(uri.toString(true));
      return true;
    });
    this.#replace(env, 'clipboard', {
      readText: () => Promise.resolve(this.copied.at(-1) ?? ''),
      writeText: (text: string) => Promise.resolve(void this.copied.push(text)),
    });
    const executeCommand = commands.executeCommand.bind(commands);
    this.#replace(commands, 'executeCommand', (id: string, ...args: unknown[]) => {
      if (id === 'setContext' || id.startsWith('vscode.')) {
        this.context.push(`${textsIn(args)}\n${String(args[1])}`);
        this.#seen.emit('context');
      }
      // Opening a folder would close the window.
      return id === 'vscode.openFolder' ? Promise.resolve() : executeCommand(id, ...args);
    });
    const read = (document: vscode.TextDocument) =>
      this.documents.push(document.uri.toString(true), document.getText());
    const subscriptions: readonly vscode.Disposable[] = [
      workspace.onDidOpenTextDocument(read),
      workspace.onDidChangeTextDocument(({ document }) => read(document)),
    ];
    this.#restore.push(() => {
      vscode.Disposable.from(...subscriptions).dispose();
    });
  }

  /** Changes properties of VS Code's environment. */
  show(environment: Partial<typeof vscode.env>): void {
    for (const [name, value] of Object.entries(environment)) {
      this.#replace(vscode.env, name, value);
    }
  }

  dispose(): void {
    this.#restore
      .splice(0)
      .reverse()
      .forEach((restore) => restore());
  }

  #replace(owner: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { configurable: true, enumerable: true, writable: true, value });
    this.#restore.push(() => before && Object.defineProperty(owner, name, before));
  }

  #told(text: string, rest: readonly unknown[]): string | undefined {
    const buttons = rest.filter((item) => typeof item === 'string');
    const modal = rest.some(
      (item) => typeof item === 'object' && item !== null && 'modal' in item && item.modal === true,
    );
    this.notifications.push([text, textsIn(rest)].join('\n'));
    return this.answers.press === undefined ? (modal ? buttons[0] : undefined) : this.answers.press(text, buttons);
  }

  /** Returns the chosen items of a list. */
  #chosen(items: readonly vscode.QuickPickItem[]): readonly vscode.QuickPickItem[] {
    const { lists, pick } = this.answers;
    if (lists === undefined) {
      return pick === undefined ? items.slice(0, 1) : items.filter(pick);
    }
    const labels = lists.shift() ?? [];
    return items.filter(({ label }) => labels.includes(label));
  }

  #list(): Partial<vscode.QuickPick<vscode.QuickPickItem>> {
    const { accept, hide, members } = inputEvents();
    const show = (): void => {
      const { title, placeholder, items = [], canSelectMany = false } = list;
      this.questions.push(
        textsIn({
          title,
          placeholder,
          items: items.map(({ label, description, detail }) => ({ label, description, detail })),
        }),
      );
      const { pick, lists } = this.answers;
      if (!canSelectMany || pick !== undefined || lists !== undefined) {
        list.selectedItems = this.#chosen(items).slice(0, canSelectMany ? items.length : 1);
      }
      accept.fire();
      if (list.placeholder !== placeholder) {
        this.questions.push(list.placeholder ?? '');
      }
      // Without an answer, the list is closed.
      hide.fire();
    };
    const list: Partial<vscode.QuickPick<vscode.QuickPickItem>> = {
      ...members,
      selectedItems: [],
      show: () => setImmediate(show),
    };
    return list;
  }

  #box(): Partial<vscode.InputBox> {
    const { accept, hide, members } = inputEvents();
    const change = new vscode.EventEmitter<string>();
    const show = (): void => {
      const { title, prompt, placeholder, validationMessage } = box;
      this.questions.push(textsIn({ title, prompt, placeholder, validationMessage }));
      const { typed, retype = false } = this.answers;
      const text = retype || box.validationMessage === undefined ? typed.shift() : undefined;
      if (text === undefined) {
        hide.fire();
        return;
      }
      if (text !== AS_PROPOSED) {
        box.value = text;
        change.fire(text);
      }
      accept.fire();
      if (box.validationMessage !== undefined) {
        show();
      }
    };
    let isChecking = false;
    const box: Partial<vscode.InputBox> = {
      ...members,
      value: '',
      get enabled() {
        return !isChecking;
      },
      // A box that is checking its input accepts no more input until it's done.
      set enabled(enabled: boolean) {
        if (isChecking && enabled) {
          setImmediate(() => box.validationMessage !== undefined && show());
        }
        isChecking = !enabled;
      },
      onDidChangeValue: change.event,
      show: () => setImmediate(show),
    };
    return box;
  }
}

/** Creates the events that lists and boxes share. */
function inputEvents() {
  const [accept, hide] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
  const members = {
    onDidAccept: accept.event,
    onDidHide: hide.event,
    onDidTriggerButton: new vscode.EventEmitter<vscode.QuickInputButton>().event,
    hide: () => hide.fire(),
    dispose: () => undefined,
  };
  return { accept, hide, members };
}
