import * as vscode from 'vscode';
import { CancelledError } from '../api/errors/cancelledError.ts';

/** One question of a series. */
export interface Question {
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
  check?(text: string): string | undefined;
  /** Buttons in the title bar, each with what it does. */
  readonly buttons?: readonly (vscode.QuickInputButton & { readonly run: () => unknown })[];
}

/**
 * Asks for a line of text. The box stays when the focus leaves it, so that a person can fetch the text elsewhere.
 *
 * @param signal takes the box away again.
 * @returns the text, or `back` when the person wants the question before.
 * @throws CancelledError when the person closes the box or the signal aborts.
 */
export async function askText(question: Question, signal?: AbortSignal): Promise<{ readonly text: string } | 'back'> {
  const box = vscode.window.createInputBox();
  const backButton = vscode.QuickInputButtons.Back;
  box.title = question.title;
  box.step = question.step;
  box.totalSteps = question.totalSteps;
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
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
        const problem = question.check?.(text);
        if (problem === undefined) {
          resolve({ text });
        } else {
          box.validationMessage = problem;
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
