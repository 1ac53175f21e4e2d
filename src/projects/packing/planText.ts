import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import type { Sentence } from '../../api/errors/sentence.ts';
import type { Input } from '../../workbench/input.ts';
import { localised } from '../../workbench/notifications.ts';
import { sizeText } from '../../workbench/values.ts';
import type { PackagePlan } from './packageContents.ts';
import { biggestFilesOf, leftOutOf, summaryOf, warningsOf } from './planSentences.ts';

/** A plan in words, for a person before the upload and for the log. */
interface PlanText {
  /** Number and size of the files, such as `12 files, 3.4 MB`. */
  readonly summary: string;
  /** The biggest first, such as `www/film.mp4 (48.2 MB)`. */
  readonly biggestFiles: readonly string[];
  /** A line for each reason, with the paths. */
  readonly leftOut: readonly string[];
  /** What may go wrong, or is not as one expects. */
  readonly warnings: readonly string[];
}

/** A plan in words. Paths are as they are: `workbench` escapes them, as all texts. */
export function describePlan(plan: PackagePlan): PlanText {
  const all = (sentences: readonly Sentence[]): readonly string[] => sentences.map(localised);
  return {
    summary: localised(summaryOf(plan)),
    biggestFiles: all(biggestFilesOf(plan)),
    leftOut: all(leftOutOf(plan)),
    warnings: all(warningsOf(plan)),
  };
}

/** Bytes that are sent without a question. */
export const MAX_UNASKED_BYTES = 50_000_000;

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
  const { summary, biggestFiles, warnings } = describePlan(plan);
  const send = vscode.l10n.t('Send');
  const look = vscode.l10n.t('Show What Will Be Sent');
  const chosen = await input.decide(
    vscode.l10n.t('Send {0} of {1}?', sizeText(plan.totalBytes), name),
    [
      vscode.l10n.t('{0}. The biggest:', summary),
      biggestFiles.join('\n'),
      vscode.l10n.t('What the app does not need can be listed in a file .appbuildignore.'),
      ...warnings,
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
