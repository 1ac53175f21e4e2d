import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { idFault } from '../../configXml/checks/appId.ts';
import type { Input } from '../../workbench/input.ts';
import { localised } from '../../workbench/notifications.ts';

/** Asks for the ID of an app that nothing gives one. @throws CancelledError when the box is closed */
export async function askForId(proposal: string, input: Input): Promise<string> {
  const answer = await input.askText({
    title: vscode.l10n.t('Build This Folder'),
    prompt: vscode.l10n.t('ID of the app: phones and shops tell apps apart by it, so it stays the same for good.'),
    placeholder: 'com.example.app',
    value: proposal,
    validate: (text) => {
      const fault = idFault(text);
      return fault && localised(fault);
    },
  });
  if (answer === 'back') {
    throw new CancelledError();
  }
  return answer.text;
}
