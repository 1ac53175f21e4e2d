import { sentence, type Sentence, valueAlone } from '../../api/errors/sentence.ts';
import type { RowIcon } from '../../workbench/row.ts';
import { needsConsent, type SecretAnswer, type SuspectFile } from '../packing/packageContents.ts';
import type { FolderCheck } from './checkFolder.ts';
import { type Finding, type Verdict, VERDICTS } from './finding.ts';
import { leftOutRows, waitingRow } from './leftOutRows.ts';
import { type CheckRow, sentRow, WARNING_COLOR } from './packageRows.ts';

/**
 * The rows of a check: the findings, and the files that would be sent.
 *
 * @param answer the user's answer about a file that may hold a secret
 */
export function checkRows(
  { findings, plan, permissions = [] }: FolderCheck,
  answer: (suspect: SuspectFile) => SecretAnswer | undefined,
): readonly CheckRow[] {
  // What would fail comes first.
  const found = VERDICTS.flatMap((verdict) => {
    const ofVerdict = findings.filter((finding) => finding.verdict === verdict);
    return ofVerdict.length === 0 ? [] : [verdictRow(verdict, ofVerdict)];
  });
  if (plan === undefined) {
    return found;
  }
  const waiting = plan.suspects.filter((suspect) => needsConsent(suspect) && answer(suspect) === undefined);
  const allowed = plan.suspects.filter((suspect) => answer(suspect) === 'send');
  return [
    ...found,
    ...(waiting.length === 0 ? [] : [waitingRow(waiting)]),
    sentRow(plan, allowed, permissions),
    ...leftOutRows(plan, waiting),
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

/** In words and not by colour alone. */
const VERDICT_TEXTS: Readonly<Record<Verdict, readonly [title: Sentence, icon: RowIcon]>> = {
  fails: [sentence('Would fail'), { id: 'error', color: 'list.errorForeground' }],
  mayFail: [sentence('Might fail'), { id: 'warning', color: WARNING_COLOR }],
  fine: [sentence('Fine'), { id: 'pass', color: 'testing.iconPassed' }],
};

function verdictRow(verdict: Verdict, findings: readonly Finding[]): CheckRow {
  const [label, icon] = VERDICT_TEXTS[verdict];
  const count = findings.length;
  return {
    key: verdict,
    label,
    notes: [valueAlone(count)],
    spoken: [label, count === 1 ? sentence('1 finding') : sentence('{0} findings', count)],
    icon,
    isExpanded: verdict !== 'fine',
    children: () => findings.map(findingRow),
  };
}

function findingRow({ code, verdict, message, next, place, platform, offers }: Finding): CheckRow {
  const [title, icon] = VERDICT_TEXTS[verdict];
  const notes = platform === undefined ? [] : [platform];
  const opens = place && { uri: place.uri, range: place.range };
  const texts = [message, ...(next === undefined ? [] : [next])];
  return {
    key: `${code} ${platform ?? ''} ${JSON.stringify(message)}`,
    label: message,
    notes,
    tooltip: texts,
    icon,
    spoken: [title, ...texts, ...notes],
    contextValue: offers === undefined ? 'finding;' : `finding;${offers};`,
    opens,
    ...(next !== undefined && {
      isExpanded: verdict === 'fails',
      children: () => [
        { key: 'next', label: next, icon: { id: 'lightbulb' }, opens, spoken: [sentence('What to do:'), next] },
      ],
    }),
  };
}
