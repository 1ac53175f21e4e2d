import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { label as toLabel } from '../api/hypermedia/label.ts';
import { plainText } from './texts.ts';

interface Question {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Whether a button leads back; from the second step on when absent. */
  readonly back?: boolean;
  readonly placeholder: string;
}

export interface TextQuestion extends Question {
  readonly prompt: string;
  readonly value?: string;
  readonly secret?: boolean;
  /** Takes the text as it is typed, spaces at its ends included. */
  readonly exact?: boolean;
  /** What is wrong with the text, or undefined. While a promise is pending, the box is busy. */
  validate?(text: string): string | undefined | Promise<string | undefined>;
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly run: () => unknown })[];
}

/** An entry of a list to choose from. Its texts are shown as they are written. */
export interface PickItem {
  /** Name of the codicon before the label. */
  readonly icon?: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export interface ChoiceQuestion<T extends PickItem> extends Question {
  readonly items: readonly T[];
  readonly active?: T | undefined;
}

interface ChoicesQuestion<T extends PickItem> extends Question {
  readonly items: readonly T[];
  readonly selected: readonly T[];
  /** What is wrong with what was chosen, or undefined. It is shown in place of the placeholder. */
  validate?(selected: readonly T[]): string | undefined;
}

export interface FileQuestion {
  readonly title: string;
  readonly openLabel: string;
  /** Kinds of files, each with its extensions, without dots. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  readonly folder?: vscode.Uri | undefined;
}

interface PickOptions {
  readonly title: string;
  readonly placeholder: string;
  readonly ignoreFocusOut?: boolean;
  readonly matchOnDescription?: boolean;
}

/**
 * Asks a person, in VS Code's own boxes, lists and dialogs: the only place that opens them. Every text is escaped here,
 * so that words of a service show as they are written.
 */
export class Input {
  /**
   * Asks for a line of text. The box stays when the focus leaves it, so that a person can fetch the text elsewhere.
   *
   * @param signal closes the box.
   * @returns the text, or `back` when the person wants the question before.
   * @throws CancelledError when the person closes the box or the signal aborts.
   */
  async askText(question: TextQuestion, signal?: AbortSignal): Promise<{ readonly text: string } | 'back'> {
    const box = vscode.window.createInputBox();
    prepare(box, question, question.buttons);
    box.prompt = plainLine(question.prompt);
    box.value = question.value ?? '';
    box.password = question.secret ?? false;
    return answerOf(box, signal, (resolve, reject) => {
      box.onDidChangeValue(() => (box.validationMessage = undefined));
      const finish = (text: string, problem: string | undefined) => {
        box.busy = false;
        box.enabled = true;
        if (problem === undefined) {
          resolve({ text });
        } else {
          box.validationMessage = plainText(problem);
        }
      };
      box.onDidAccept(() => {
        const text = question.exact ? box.value : box.value.trim();
        const problem = question.validate?.(text);
        if (problem instanceof Promise) {
          box.busy = true;
          box.enabled = false;
          problem.then((found) => finish(text, found), reject);
        } else {
          finish(text, problem);
        }
      });
      box.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) {
          resolve('back');
        } else {
          question.buttons?.find((candidate) => candidate === button)?.run();
        }
      });
    });
  }

  /**
   * Asks for one of several entries. The list stays when the focus leaves it.
   *
   * @returns the entry, or `back` when the person wants the question before.
   * @throws CancelledError when the person closes the list.
   */
  async askChoice<T extends PickItem>(question: ChoiceQuestion<T>): Promise<{ readonly item: T } | 'back'> {
    const list = vscode.window.createQuickPick<ListItem<T>>();
    prepare(list, question);
    list.matchOnDescription = true;
    list.items = question.items.map(toListItem);
    list.activeItems = list.items.filter(({ item }) => item === question.active);
    return answerOf(list, undefined, (resolve) => {
      list.onDidAccept(() => {
        const [chosen] = list.selectedItems;
        if (chosen !== undefined) {
          resolve({ item: chosen.item });
        }
      });
      list.onDidTriggerButton(() => resolve('back'));
    });
  }

  /**
   * Asks for any number of entries. The list stays when the focus leaves it.
   *
   * @returns the entries in their own order, or `back` when the person wants the question before.
   * @throws CancelledError when the person closes the list.
   */
  async askChoices<T extends PickItem>(
    question: ChoicesQuestion<T>,
  ): Promise<{ readonly items: readonly T[] } | 'back'> {
    const list = vscode.window.createQuickPick<ListItem<T>>();
    prepare(list, question);
    list.canSelectMany = true;
    list.matchOnDescription = true;
    list.items = question.items.map(toListItem);
    list.selectedItems = list.items.filter(({ item }) => question.selected.includes(item));
    return answerOf(list, undefined, (resolve) => {
      list.onDidAccept(() => {
        const items = question.items.filter((item) => list.selectedItems.some((chosen) => chosen.item === item));
        const problem = question.validate?.(items);
        if (problem === undefined) {
          resolve({ items });
        } else {
          // A list has no room for a problem but this; a filter would hide it.
          list.value = '';
          list.placeholder = plainLine(problem);
        }
      });
      list.onDidTriggerButton(() => resolve('back'));
    });
  }

  async pick<T extends PickItem>(items: readonly T[], { title, placeholder, ...options }: PickOptions): Promise<T> {
    const shown = items.map((item) => ({ ...item, ...toQuickPickItem(item), item }));
    const chosen = await vscode.window.showQuickPick(shown, {
      ...options,
      title: plainLine(title),
      placeHolder: plainLine(placeholder),
    });
    return requireAnswer(chosen).item;
  }

  /**
   * Asks in a modal dialog whether to go on.
   *
   * @param action what the button says.
   * @param severity `warning` before something that cannot be undone.
   * @returns true when the person chose `action`.
   */
  async confirm(
    question: string,
    detail: string,
    action: string,
    severity: 'warning' | 'information' = 'warning',
  ): Promise<boolean> {
    return (await this.decide(question, detail, [action], severity)) !== undefined;
  }

  /** As {@link confirm}. @throws CancelledError unless the user chooses `action`. */
  async confirmOrCancel(...question: Parameters<Input['confirm']>): Promise<void> {
    if (!(await this.confirm(...question))) {
      throw new CancelledError();
    }
  }

  /**
   * Asks a question that has several answers.
   *
   * @param actions the first is the one that Enter chooses.
   * @returns the chosen one; undefined when the dialog is closed.
   */
  async decide<T extends string>(
    question: string,
    detail: string,
    actions: readonly T[],
    severity: 'warning' | 'information' = 'warning',
  ): Promise<T | undefined> {
    const options = { modal: true, detail: plainText(detail) };
    const text = plainText(question);
    const buttons = actions.map(plainLine);
    const chosen = await (severity === 'warning'
      ? vscode.window.showWarningMessage(text, options, ...buttons)
      : vscode.window.showInformationMessage(text, options, ...buttons));
    return chosen === undefined ? undefined : actions[buttons.indexOf(chosen)];
  }

  /** Asks where to save; the platform's dialog asks before a file is replaced. */
  async saveFile(suggestion: vscode.Uri, title: string): Promise<vscode.Uri | undefined> {
    return vscode.window.showSaveDialog({
      defaultUri: suggestion,
      title: plainLine(title),
      saveLabel: vscode.l10n.t('Download'),
    });
  }

  /** Asks for a file to send; undefined when the dialog is closed. */
  async openFile({ title, openLabel, filters, folder }: FileQuestion): Promise<vscode.Uri | undefined> {
    const files = await vscode.window.showOpenDialog({
      title: plainLine(title),
      openLabel: plainLine(openLabel),
      ...(filters !== undefined && {
        filters: Object.fromEntries(Object.entries(filters).map(([name, endings]) => [plainLine(name), [...endings]])),
      }),
      ...(folder !== undefined && { defaultUri: folder }),
    });
    return files?.[0];
  }

  /** Asks for a folder; undefined when the dialog is closed. @param folder is shown first. */
  async openFolder(title: string, openLabel: string, folder?: vscode.Uri): Promise<vscode.Uri | undefined> {
    const folders = await vscode.window.showOpenDialog({
      title: plainLine(title),
      openLabel: plainLine(openLabel),
      canSelectFiles: false,
      canSelectFolders: true,
      ...(folder !== undefined && { defaultUri: folder }),
    });
    return folders?.[0];
  }

  async openFiles(title: string): Promise<readonly vscode.Uri[] | undefined> {
    return vscode.window.showOpenDialog({
      title: plainLine(title),
      canSelectMany: true,
      openLabel: vscode.l10n.t('Add'),
    });
  }
}

/** The answer to a question. @throws CancelledError when the user closed it. */
export function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) {
    throw new CancelledError();
  }
  return answer;
}

interface ListItem<T> extends vscode.QuickPickItem {
  readonly item: T;
}

function toListItem<T extends PickItem>(item: T): ListItem<T> {
  return { ...toQuickPickItem(item), item };
}

function prepare(
  box: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, step, totalSteps, back = (step ?? 1) > 1, placeholder }: Question,
  buttons: readonly vscode.QuickInputButton[] = [],
): void {
  box.title = plainLine(title);
  // "1/1" would say nothing.
  if (totalSteps !== 1) {
    box.step = step;
    box.totalSteps = totalSteps;
  }
  box.placeholder = plainLine(placeholder);
  box.ignoreFocusOut = true;
  box.buttons = [...(back ? [vscode.QuickInputButtons.Back] : []), ...buttons];
}

/**
 * Shows a box or a list until it is answered.
 *
 * @param listen resolves with the answer, or rejects when there is none.
 * @throws CancelledError when it is closed, or the signal aborts.
 */
async function answerOf<T>(
  box: vscode.QuickInput,
  signal: AbortSignal | undefined,
  listen: (resolve: (answer: T) => void, reject: (reason: unknown) => void) => void,
): Promise<T> {
  const close = () => box.hide();
  try {
    return await new Promise<T>((resolve, reject) => {
      listen(resolve, reject);
      box.onDidHide(() => reject(new CancelledError()));
      signal?.addEventListener('abort', close, { once: true });
      box.show();
      if (signal?.aborted) {
        close();
      }
    });
  } finally {
    signal?.removeEventListener('abort', close);
    box.dispose();
  }
}

function toQuickPickItem({ icon, label, description, detail }: PickItem): vscode.QuickPickItem {
  return {
    label: plainLine(label) || vscode.l10n.t('(no name)'),
    ...(icon !== undefined && { iconPath: new vscode.ThemeIcon(icon) }),
    ...(description !== undefined && { description: plainLine(description) }),
    ...(detail !== undefined && { detail: plainLine(detail) }),
  };
}

/** Text for a part of VS Code that has room for one line. */
function plainLine(text: string): string {
  return plainText(toLabel(text));
}
