import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';
import { label as toLabel } from '../api/hypermedia/label.ts';
import { plainText } from './plainText.ts';

/** A question that is answered with a line of text. */
export interface TextQuestion {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  /** Masks what is typed. */
  readonly secret?: boolean;
  /** Takes the text as it is typed, spaces at its ends included. */
  readonly exact?: boolean;
  /** What is wrong with the text, or undefined. */
  validate?(text: string): string | undefined;
  /** Buttons in the title bar, each with what it does. */
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

export interface PickOptions {
  readonly title: string;
  readonly placeholder: string;
  /** Keeps the list open when the focus leaves it. */
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
    const backButton = vscode.QuickInputButtons.Back;
    box.title = plainLine(question.title);
    box.step = question.step;
    box.totalSteps = question.totalSteps;
    box.prompt = plainLine(question.prompt);
    box.placeholder = plainLine(question.placeholder);
    box.value = question.value ?? '';
    box.password = question.secret ?? false;
    box.ignoreFocusOut = true;
    box.buttons = [...((question.step ?? 1) > 1 ? [backButton] : []), ...(question.buttons ?? [])];
    const close = () => {
      box.hide();
    };
    try {
      return await new Promise((resolve, reject) => {
        box.onDidChangeValue(() => {
          box.validationMessage = undefined;
        });
        box.onDidAccept(() => {
          const text = question.exact ? box.value : box.value.trim();
          const problem = question.validate?.(text);
          if (problem === undefined) {
            resolve({ text });
          } else {
            box.validationMessage = plainText(problem);
          }
        });
        box.onDidTriggerButton((button) => {
          if (button === backButton) {
            resolve('back');
          } else {
            question.buttons?.find((candidate) => candidate === button)?.run();
          }
        });
        box.onDidHide(() => {
          reject(new CancelledError());
        });
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

  /** Lets a person choose one of `items`; undefined when the list is closed. */
  async pick<T extends PickItem>(
    items: readonly T[],
    { title, placeholder, ...options }: PickOptions,
  ): Promise<T | undefined> {
    const shown = items.map((item) => ({ ...item, ...toQuickPickItem(item), item }));
    const chosen = await vscode.window.showQuickPick(shown, {
      ...options,
      title: plainLine(title),
      placeHolder: plainLine(placeholder),
    });
    return chosen?.item;
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
    const options = { modal: true, detail: plainText(detail) };
    const text = plainText(question);
    const button = plainLine(action);
    const chosen = await (severity === 'warning'
      ? vscode.window.showWarningMessage(text, options, button)
      : vscode.window.showInformationMessage(text, options, button));
    return chosen === button;
  }

  /** Asks where to save; the platform's dialog asks before a file is replaced. */
  async saveFile(suggestion: vscode.Uri, title: string): Promise<vscode.Uri | undefined> {
    return vscode.window.showSaveDialog({
      defaultUri: suggestion,
      title: plainLine(title),
      saveLabel: vscode.l10n.t('Download'),
    });
  }

  /** Asks for one or more files to send. */
  async openFiles(title: string): Promise<readonly vscode.Uri[] | undefined> {
    return vscode.window.showOpenDialog({
      title: plainLine(title),
      canSelectMany: true,
      openLabel: vscode.l10n.t('Add'),
    });
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
