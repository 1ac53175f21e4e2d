import { sentence, type Sentence } from '../../../api/errors/sentence.ts';
import type { Row } from '../../../workbench/row.ts';
import type { SuspectFile } from '../../packing/packageContents.ts';
import type { SecretAnswer } from '../../packing/secretAnswers.ts';
import { isAskedAbout } from '../../packing/suspects.ts';
import type { FolderCheck } from '../folderCheck.ts';
import type { CheckValue } from './checkValue.ts';
import { sentRow } from './fileRows.ts';
import { findingRows } from './findingRows.ts';
import type { FileOrder } from './folderSizes.ts';
import { leftOutRows } from './leftOutRows.ts';
import { waitingRow } from './suspectRows.ts';

/** How a check is shown. */
export interface CheckPresentation {
  readonly order: FileOrder;
  /** What a person has said about a file that may hold a secret. */
  readonly answer: (suspect: SuspectFile) => SecretAnswer | undefined;
}

/** The rows of a check: what was found, and what would be sent. */
export function checkRows(
  { findings, plan }: FolderCheck,
  { order, answer }: CheckPresentation,
): readonly Row<CheckValue>[] {
  const suspects = plan?.suspects ?? [];
  const waiting = suspects.filter((suspect) => isAskedAbout(suspect) && answer(suspect) === undefined);
  const allowed = suspects.filter((suspect) => answer(suspect) === 'send');
  return [
    ...findingRows(findings),
    ...(waiting.length === 0 ? [] : [waitingRow(waiting)]),
    ...(plan === undefined ? [] : [sentRow(plan, order, allowed)]),
    ...(plan === undefined ? [] : leftOutRows(plan, waiting)),
  ];
}

/** A check in one line. */
export function checkSummary({ findings }: FolderCheck): Sentence {
  const failing = findings.filter(({ verdict }) => verdict === 'fails').length;
  const doubtful = findings.filter(({ verdict }) => verdict === 'mayFail').length;
  if (failing > 0) {
    return failing === 1
      ? sentence('1 problem would make the build fail.')
      : sentence('{0} problems would make the build fail.', failing);
  }
  if (doubtful > 0) {
    return doubtful === 1
      ? sentence('Ready to build. Look at 1 warning first.')
      : sentence('Ready to build. Look at {0} warnings first.', doubtful);
  }
  return sentence('Ready to build.');
}
