import * as vscode from 'vscode';
import { CancelledError } from '../../errors/index.ts';
import { label as toLabel } from '../../service-client/index.ts';
import { toPlainText } from './texts.ts';

/** Thrown when the user returns to the previous question. Only questions with a Back button throw it. */
export class BackError extends CancelledError {}

interface InputQuestion {
  readonly title: string;
  readonly placeholder: string;
  /** Position of the question in a series, from 1. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** Whether a Back button is shown. Defaults to true from the second step on. */
  readonly back?: boolean;
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly run: () => unknown })[];
}

/** Question for a line of text. */
export interface TextQuestion extends InputQuestion {
  readonly prompt: string;
  readonly value?: string;
  readonly secret?: boolean;
  /** Whether to keep leading and trailing spaces. */
  readonly exact?: boolean;
  /** Error message for an empty answer. */
  readonly required?: string;
  /** Returns an error message, or undefined. While a promise is pending, the box is busy. */
  validate?(text: string): string | undefined | Promise<string | undefined>;
}

/** Entry in a list of choices. Its text is shown verbatim. */
export interface PickItem {
  /** Name of the codicon before the label. */
  readonly icon?: string;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

interface PickQuestion<T extends PickItem> extends InputQuestion {
  readonly active?: T | undefined;
  /** Whether the list stays open when it loses focus. Defaults to true in a series of questions. */
  readonly ignoreFocusOut?: boolean;
}

interface PickSeveralQuestion<T extends PickItem> extends InputQuestion {
  readonly selected: readonly T[];
  /** Returns an error message for the selection, or undefined. The message replaces the placeholder. */
  validate?(selected: readonly T[]): string | undefined;
}

export interface FileQuestion {
  readonly title: string;
  readonly openLabel: string;
  /** File types with their extensions, without dots. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  readonly folder?: vscode.Uri | undefined;
}

/**
 * Asks the user questions in VS Code's input boxes, lists, and dialogs. Only this class opens them. All text is escaped
 * here, so that text from the service is shown verbatim.
 */
export class Input {
  /**
   * Asks for a line of text. The box stays open when it loses focus, so that the user can copy the text from elsewhere.
   *
   * @param signal closes the box.
   * @throws {@link CancelledError} when the user closes the box or the signal aborts; {@link BackError}.
   */
  async askText(question: TextQuestion, signal?: AbortSignal): Promise<string> {
    const box = vscode.window.createInputBox();
    box.prompt = plainLine(question.prompt);
    box.value = question.value ?? '';
    box.password = question.secret ?? false;
    return answerTo<string>(
      box,
      question,
      (resolve, reject) => {
        box.onDidChangeValue(() => (box.validationMessage = undefined));
        const finish = (text: string, problem: string | undefined) => {
          box.busy = false;
          box.enabled = true;
          if (problem === undefined) {
            resolve(text);
          } else {
            box.validationMessage = toPlainText(problem);
          }
        };
        box.onDidAccept(() => {
          const text = question.exact ? box.value : box.value.trim();
          const problem = (text === '' ? question.required : undefined) ?? question.validate?.(text);
          if (problem instanceof Promise) {
            box.busy = true;
            box.enabled = false;
            problem.then((found) => finish(text, found), reject);
          } else {
            finish(text, problem);
          }
        });
      },
      signal,
    );
  }

  /**
   * Asks for one of several entries.
   *
   * @throws {@link CancelledError} when the user closes the list; {@link BackError}.
   */
  async pick<T extends PickItem>(items: readonly T[], question: PickQuestion<T>): Promise<T> {
    const list = createQuickPick(items);
    if (question.active !== undefined) {
      list.activeItems = list.items.filter(({ item }) => item === question.active);
    }
    const ignoreFocusOut = question.ignoreFocusOut ?? question.step !== undefined;
    return answerTo<T>(list, { ...question, ignoreFocusOut }, (resolve) => {
      list.onDidAccept(() => list.selectedItems.forEach(({ item }) => resolve(item)));
    });
  }

  /** Like {@link pick}, but returns the only entry without asking. */
  async pickUnlessOne<T extends PickItem>(items: readonly T[], question: PickQuestion<T>): Promise<T> {
    const [first, ...others] = items;
    return first !== undefined && others.length === 0 ? first : this.pick(items, question);
  }

  /**
   * Asks for any number of entries. The list stays open when it loses focus.
   *
   * @returns the selected entries in their original order.
   * @throws {@link CancelledError} when the user closes the list; {@link BackError}.
   */
  async pickSeveral<T extends PickItem>(items: readonly T[], question: PickSeveralQuestion<T>): Promise<readonly T[]> {
    const list = createQuickPick(items);
    list.canSelectMany = true;
    list.selectedItems = list.items.filter(({ item }) => question.selected.includes(item));
    return answerTo<readonly T[]>(list, question, (resolve) => {
      list.onDidAccept(() => {
        const chosen = items.filter((item) => list.selectedItems.some((selected) => selected.item === item));
        const problem = question.validate?.(chosen);
        if (problem === undefined) {
          resolve(chosen);
        } else {
          // The list can show an error message only in the placeholder. Filter text would hide it.
          list.value = '';
          list.placeholder = plainLine(problem);
        }
      });
    });
  }

  /**
   * Asks for a confirmation in a modal dialog.
   *
   * @param action label of the button.
   * @param severity `warning` for actions that can't be undone.
   * @returns whether the user chose `action`.
   */
  async confirm(
    question: string,
    detail: string,
    action: string,
    severity: 'warning' | 'information' = 'warning',
  ): Promise<boolean> {
    return (await this.decide(question, detail, [action], severity)) !== undefined;
  }

  /** Like {@link confirm}. @throws {@link CancelledError} unless the user chooses `action`. */
  async confirmOrCancel(...question: Parameters<Input['confirm']>): Promise<void> {
    if (!(await this.confirm(...question))) {
      throw new CancelledError();
    }
  }

  /**
   * Asks a question with several possible answers in a modal dialog.
   *
   * @param actions labels of the buttons. Enter chooses the first one.
   * @returns the chosen action, or undefined when the dialog is closed.
   */
  async decide<T extends string>(
    question: string,
    detail: string,
    actions: readonly T[],
    severity: 'warning' | 'information' = 'warning',
  ): Promise<T | undefined> {
    const options = { modal: true, detail: toPlainText(detail) };
    const text = toPlainText(question);
    const buttons = actions.map(plainLine);
    const chosen = await (severity === 'warning'
      ? vscode.window.showWarningMessage(text, options, ...buttons)
      : vscode.window.showInformationMessage(text, options, ...buttons));
    return chosen === undefined ? undefined : actions[buttons.indexOf(chosen)];
  }

  /**
   * Asks where to save a file. The system's dialog confirms before a file is replaced. Returns undefined when the
   * dialog is closed.
   */
  async saveFile(suggestion: vscode.Uri, title: string): Promise<vscode.Uri | undefined> {
    return vscode.window.showSaveDialog({
      defaultUri: suggestion,
      title: plainLine(title),
      saveLabel: vscode.l10n.t('Download'),
    });
  }

  /** Asks for a file. Returns undefined when the dialog is closed. */
  async openFile(question: FileQuestion): Promise<vscode.Uri | undefined> {
    return (await openDialog(question))?.[0];
  }

  /** Asks for any number of files to send. Returns undefined when the dialog is closed. */
  async openFiles(title: string): Promise<readonly vscode.Uri[] | undefined> {
    return openDialog({ title, openLabel: vscode.l10n.t('Add') }, { canSelectMany: true });
  }

  /** Asks for a folder. Returns undefined when the dialog is closed. @param folder initial folder. */
  async openFolder(title: string, openLabel: string, folder?: vscode.Uri): Promise<vscode.Uri | undefined> {
    return (await openDialog({ title, openLabel, folder }, { canSelectFiles: false, canSelectFolders: true }))?.[0];
  }
}

/** Returns the answer to a question. @throws {@link CancelledError} when the user closed it. */
export function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) {
    throw new CancelledError();
  }
  return answer;
}

function openDialog(
  { title, openLabel, filters, folder }: FileQuestion,
  options: vscode.OpenDialogOptions = {},
): Thenable<readonly vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    ...options,
    title: plainLine(title),
    openLabel: plainLine(openLabel),
    ...(filters !== undefined && {
      filters: Object.fromEntries(Object.entries(filters).map(([name, endings]) => [plainLine(name), [...endings]])),
    }),
    ...(folder !== undefined && { defaultUri: folder }),
  });
}

interface ListItem<T> extends vscode.QuickPickItem {
  readonly item: T;
}

function createQuickPick<T extends PickItem>(items: readonly T[]): vscode.QuickPick<ListItem<T>> {
  const list = vscode.window.createQuickPick<ListItem<T>>();
  list.matchOnDescription = true;
  list.items = items.map((item) => ({
    item,
    label: plainLine(item.label) || vscode.l10n.t('(no name)'),
    ...(item.icon !== undefined && { iconPath: new vscode.ThemeIcon(item.icon) }),
    ...(item.description !== undefined && { description: plainLine(item.description) }),
    ...(item.detail !== undefined && { detail: plainLine(item.detail) }),
  }));
  return list;
}

/**
 * Shows a box or list until the user answers.
 *
 * @param listen resolves with the answer, or rejects.
 * @throws {@link CancelledError} when the box is closed or the signal aborts; {@link BackError}.
 */
async function answerTo<T>(
  box: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  question: InputQuestion & { readonly ignoreFocusOut?: boolean },
  listen: (resolve: (answer: T) => void, reject: (reason: unknown) => void) => void,
  signal?: AbortSignal,
): Promise<T> {
  const {
    title,
    placeholder,
    step,
    totalSteps,
    back = (step ?? 1) > 1,
    buttons = [],
    ignoreFocusOut = true,
  } = question;
  box.title = plainLine(title);
  // Don't show "1/1".
  if (totalSteps !== 1) {
    box.step = step;
    box.totalSteps = totalSteps;
  }
  box.placeholder = plainLine(placeholder);
  box.ignoreFocusOut = ignoreFocusOut;
  box.buttons = [...(back ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  const close = () => box.hide();
  try {
    return await new Promise<T>((resolve, reject) => {
      listen(resolve, reject);
      box.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) {
          reject(new BackError());
        } else {
          buttons.find((candidate) => candidate === button)?.run();
        }
      });
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

/** Returns text for a UI element with room for only one line. */
function plainLine(text: string): string {
  return toPlainText(toLabel(text));
}
