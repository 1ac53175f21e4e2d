import { sentence, type Sentence, valueAlone } from '../../../api/errors/sentence.ts';
import type { Row, RowIcon } from '../../../workbench/row.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { CheckValue } from './checkValue.ts';

const VERDICTS = ['fails', 'mayFail', 'fine'] as const satisfies readonly Verdict[];

/** A group for each verdict that there is: what would fail comes first. */
export function findingRows(findings: readonly Finding[]): readonly Row<CheckValue>[] {
  return VERDICTS.flatMap((verdict) => {
    const found = findings.filter((finding) => finding.verdict === verdict);
    return found.length === 0 ? [] : [groupRow(verdict, found)];
  });
}

function groupRow(verdict: Verdict, findings: readonly Finding[]): Row<CheckValue> {
  return {
    key: verdict,
    label: titleOf(verdict),
    notes: [valueAlone(findings.length)],
    spoken: [
      titleOf(verdict),
      findings.length === 1 ? sentence('1 finding') : sentence('{0} findings', findings.length),
    ],
    icon: iconOf(verdict),
    contextValue: `findings;${verdict};`,
    isExpanded: verdict !== 'fine',
    children: () => findings.map(findingRow),
  };
}

function findingRow({ code, verdict, message, next, place, platform }: Finding): Row<CheckValue> {
  const notes = platform === undefined ? [] : [platform];
  const opens = place && { uri: place.uri, range: place.range };
  const told = [message, ...(next === undefined ? [] : [next])];
  return {
    key: `${code} ${platform ?? ''} ${JSON.stringify(message)}`,
    label: message,
    notes,
    tooltip: told,
    icon: iconOf(verdict),
    spoken: [titleOf(verdict), ...told, ...notes],
    contextValue: 'finding;',
    opens,
    ...(next !== undefined && {
      isExpanded: verdict === 'fails',
      children: () => [
        {
          ...{ key: 'next', label: next, icon: { id: 'lightbulb' }, contextValue: 'next;', opens },
          spoken: [sentence('What to do:'), next],
        },
      ],
    }),
  };
}

/** In words and not by colour alone. */
function titleOf(verdict: Verdict): Sentence {
  switch (verdict) {
    case 'fails':
      return sentence('Would fail');
    case 'mayFail':
      return sentence('Might fail');
    case 'fine':
      return sentence('Fine');
  }
}

function iconOf(verdict: Verdict): RowIcon {
  switch (verdict) {
    case 'fails':
      return { id: 'error', color: 'list.errorForeground' };
    case 'mayFail':
      return { id: 'warning', color: 'list.warningForeground' };
    case 'fine':
      return { id: 'pass', color: 'testing.iconPassed' };
  }
}
