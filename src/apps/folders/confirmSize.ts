import * as vscode from 'vscode';
import { CancelledError } from '../../api/errors/cancelledError.ts';
import { byteCount } from '../../resources/downloads/byteCount.ts';
import type { Input } from '../../workbench/input.ts';
import type { PackagePlan } from '../packing/packagePlan.ts';

/** Bytes that are sent without a question. */
const MAX_UNASKED_BYTES = 50_000_000;

/** Files that are named in the question. */
const NAMED_FILES = 5;

/**
 * Asks before much is sent, and names what is the most of it.
 *
 * @param name of the folder.
 * @throws CancelledError when the person does not agree.
 */
export async function confirmSize({ files, totalBytes }: PackagePlan, name: string, input: Input): Promise<void> {
  if (totalBytes <= MAX_UNASKED_BYTES) {
    return;
  }
  const biggest = files
    .toSorted((left, right) => right.sizeBytes - left.sizeBytes)
    .slice(0, NAMED_FILES)
    .map(({ path, sizeBytes }) => `${byteCount(sizeBytes)}  ${path}`);
  const agreed = await input.confirm(
    vscode.l10n.t('Send {0} of {1}?', byteCount(totalBytes), name),
    vscode.l10n.t(
      '{0} files. The biggest:\n\n{1}\n\nWhat the app does not need can be listed in a file .appbuildignore.',
      files.length,
      biggest.join('\n'),
    ),
    vscode.l10n.t('Send'),
    'information',
  );
  if (!agreed) {
    throw new CancelledError();
  }
}
