import { sentence, type Sentence, valueAlone } from '../../../api/errors/sentence.ts';
import type { Row, RowIcon } from '../../../workbench/row.ts';
import type { SuspectFile } from '../../packing/packageContents.ts';
import { needsConsent, type SecretAnswer } from '../../packing/suspects.ts';
import type { FolderCheck } from '../checkFolder.ts';
import { type Finding, type Verdict, VERDICTS } from '../finding.ts';
import { type CheckValue, type FileOrder, sentRow } from './fileRows.ts';
import { leftOutRows, waitingRow } from './leftOutRows.ts';

interface CheckPresentation {
  readonly order: FileOrder;
  /** A person's answer about a file that may hold a secret. */
  readonly answer: (suspect: SuspectFile) => SecretAnswer | undefined;
}

/** The rows of a check: what was found, and what would be sent. */
export function checkRows(
  { findings, plan, permissions = [] }: FolderCheck,
  { order, answer }: CheckPresentation,
): readonly Row<CheckValue>[] {
  const suspects = plan?.suspects ?? [];
  const waiting = suspects.filter((suspect) => needsConsent(suspect) && answer(suspect) === undefined);
  const allowed = suspects.filter((suspect) => answer(suspect) === 'send');
  return [
    ...findingRows(findings),
    ...(waiting.length === 0 ? [] : [waitingRow(waiting)]),
    ...(plan === undefined ? [] : [sentRow(plan, order, allowed, permissions)]),
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

/** A group for each verdict that there is: what would fail comes first. */
function findingRows(findings: readonly Finding[]): readonly Row<CheckValue>[] {
  return VERDICTS.flatMap((verdict) => {
    const found = findings.filter((finding) => finding.verdict === verdict);
    return found.length === 0 ? [] : [groupRow(verdict, found)];
  });
}

function groupRow(verdict: Verdict, findings: readonly Finding[]): Row<CheckValue> {
  return {
    key: verdict,
    label: TITLES[verdict],
    notes: [valueAlone(findings.length)],
    spoken: [
      TITLES[verdict],
      findings.length === 1 ? sentence('1 finding') : sentence('{0} findings', findings.length),
    ],
    icon: ICONS[verdict],
    contextValue: `findings;${verdict};`,
    isExpanded: verdict !== 'fine',
    children: () => findings.map(findingRow),
  };
}

function findingRow({ code, verdict, message, next, place, platform, offers }: Finding): Row<CheckValue> {
  const notes = platform === undefined ? [] : [platform];
  const opens = place && { uri: place.uri, range: place.range };
  const texts = [message, ...(next === undefined ? [] : [next])];
  return {
    key: `${code} ${platform ?? ''} ${JSON.stringify(message)}`,
    label: message,
    notes,
    tooltip: texts,
    icon: ICONS[verdict],
    spoken: [TITLES[verdict], ...texts, ...notes],
    contextValue: offers === undefined ? 'finding;' : `finding;${offers};`,
    opens,
    ...(next !== undefined && {
      isExpanded: verdict === 'fails',
      children: () => [
        {
          key: 'next',
          label: next,
          icon: { id: 'lightbulb' },
          contextValue: 'next;',
          opens,
          spoken: [sentence('What to do:'), next],
        },
      ],
    }),
  };
}

/** In words and not by colour alone. */
const TITLES: Readonly<Record<Verdict, Sentence>> = {
  fails: sentence('Would fail'),
  mayFail: sentence('Might fail'),
  fine: sentence('Fine'),
};

const ICONS: Readonly<Record<Verdict, RowIcon>> = {
  fails: { id: 'error', color: 'list.errorForeground' },
  mayFail: { id: 'warning', color: 'list.warningForeground' },
  fine: { id: 'pass', color: 'testing.iconPassed' },
};
