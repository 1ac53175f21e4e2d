import { sentence, valueAlone } from '../../../api/errors/sentence.ts';
import type { Row } from '../../../workbench/row.ts';
import type { SuspectFile } from '../../packing/packageContents.ts';
import { nameOf } from '../../packing/paths.ts';
import { suspicionOf } from '../../packing/planSentences.ts';
import type { CheckValue } from './checkValue.ts';

/** The files that may hold a secret, and stay behind until a person says yes to each of them. */
export function waitingRow(suspects: readonly SuspectFile[]): Row<CheckValue> {
  const label = sentence('Needs your yes');
  return {
    key: 'waiting',
    label,
    notes: [valueAlone(suspects.length)],
    spoken: [label, suspects.length === 1 ? sentence('1 file') : sentence('{0} files', suspects.length)],
    tooltip: [sentence('These files may hold secrets. None of them is sent unless you say so.')],
    icon: { id: 'lock', color: 'list.warningForeground' },
    contextValue: 'suspects;',
    isExpanded: true,
    children: () => suspects.map((suspect) => suspectRow(suspect, 'file;ignore;allow;refuse;')),
  };
}

/** A file that may hold a secret, and is not sent. Tells what was found and where, never the secret itself. */
export function suspectRow(suspect: SuspectFile, contextValue: string): Row<CheckValue> {
  const { path, uri } = suspect.file;
  const { line } = suspect;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const told = [
    suspicionOf(suspect),
    ...(suspect.isAskedFor ? [sentence('A line of .appbuildignore asks for it')] : []),
    sentence('Not sent, unless you say so'),
  ];
  return {
    key: path,
    label: nameOf(path),
    notes: [suspicionOf(suspect), ...(folder === '' ? [] : [folder])],
    tooltip: [path, ...told],
    icon: { id: 'key', color: 'list.warningForeground' },
    file: uri,
    spoken: [path, ...told],
    contextValue,
    opens: { uri, line: line === undefined ? undefined : line - 1 },
    value: { kind: 'suspect', path, suspect },
  };
}
