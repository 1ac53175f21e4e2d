import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Input } from '../../workbench/input.ts';
import { localised } from '../../workbench/notifications.ts';
import { sizeText } from '../../workbench/values.ts';
import { MAX_UNASKED_BYTES } from '../limits.ts';
import type { PackagePlan } from './packageContents.ts';
import { biggestFilesOf, summaryOf, warningOf } from './planSentences.ts';

/**
 * Asks before much is sent, and names what is the most of it.
 *
 * @param name of the folder.
 * @param show shows all files: what is left out there is left out of the next build.
 * @throws CancelledError when the person does not agree, or wants to see the files first.
 */
export async function confirmSize(
  plan: PackagePlan,
  name: string,
  input: Input,
  show: () => Promise<void>,
): Promise<void> {
  if (plan.totalBytes <= MAX_UNASKED_BYTES) {
    return;
  }
  const send = vscode.l10n.t('Send');
  const look = vscode.l10n.t('Show What Will Be Sent');
  const chosen = await input.decide(
    vscode.l10n.t('Send {0} of {1}?', sizeText(plan.totalBytes), name),
    [
      vscode.l10n.t('{0}. The biggest:', localised(summaryOf(plan))),
      biggestFilesOf(plan).map(localised).join('\n'),
      vscode.l10n.t('What the app does not need can be listed in a file .appbuildignore.'),
      ...plan.warnings.map((warning) => localised(warningOf(warning))),
    ].join('\n\n'),
    [send, look],
    'information',
  );
  if (chosen === look) {
    await show();
  }
  if (chosen !== send) {
    throw new CancelledError();
  }
}
