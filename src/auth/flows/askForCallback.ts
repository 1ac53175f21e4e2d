import * as vscode from 'vscode';
import { askText } from '../../workbench/textInput.ts';
import type { CallbackHandler } from '../callback/callbackHandler.ts';
import { readPasted } from '../callback/pastedCallback.ts';

/**
 * Lets a person paste the callback's address, or the code in it, for the pending sign-in. What does not fit is answered
 * in the box.
 *
 * @throws CancelledError when the box is closed or `signal` aborts.
 */
export async function askForCallback(callbacks: CallbackHandler, signal?: AbortSignal): Promise<void> {
  await askText(
    {
      title: vscode.l10n.t('Sign In'),
      prompt: vscode.l10n.t('Paste the whole address that the browser ended at, or the code in it.'),
      placeholder: 'https://…?code=…',
      secret: true,
      check: (text) => problemWith(text, callbacks),
    },
    signal,
  );
}

function problemWith(text: string, callbacks: CallbackHandler): string | undefined {
  const pasted = readPasted(text);
  switch (pasted.kind) {
    case 'url': {
      const verdict = callbacks.offer(pasted.query);
      return verdict.accepted
        ? undefined
        : vscode.l10n.t('This address does not fit: {0}.', vscode.l10n.t(verdict.reason));
    }
    case 'code':
      return callbacks.offerCode(pasted.code)
        ? undefined
        : vscode.l10n.t('No sign-in is waiting any more. Start it again.');
    case 'unusable':
      return vscode.l10n.t(
        'This is neither the address that the browser ended at nor a code. The address contains “code=”.',
      );
  }
}
