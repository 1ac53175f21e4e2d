import { posix } from 'node:path';
import { sentence, type Sentence, valueAlone } from '../../api/errors/sentence.ts';
import type { LeftOut, LeftOutReason, PackagePlan, SuspectFile } from '../packing/packageContents.ts';
import { LEFT_OUT_KINDS, suspicionOf } from '../packing/planSentences.ts';
import { uriBelow } from '../paths.ts';
import { type CheckRow, NOT_SENT, WARNING_COLOR } from './packageRows.ts';

/** What stays behind, by the rule or the reason. @param waiting files that have a row of their own */
export function leftOutRows(plan: PackagePlan, waiting: readonly SuspectFile[]): readonly CheckRow[] {
  const elsewhere = new Set(waiting.map(({ file }) => file.path));
  const leftOut = plan.leftOut.filter(({ path }) => !elsewhere.has(path));
  if (leftOut.length === 0) {
    return [];
  }
  const groups = [...Map.groupBy(leftOut, ({ reason }) => keyOfReason(reason)).values()];
  const rank = ([first]: readonly LeftOut[]) => LEFT_OUT_KINDS.indexOf(first?.reason.kind ?? 'ignored');
  return [
    {
      key: 'leftOut',
      label: sentence('Left out'),
      notes: [valueAlone(leftOut.length)],
      spoken: [sentence('Left out'), entriesText(leftOut.length)],
      tooltip: [sentence('Files and folders that are not sent, by what leaves them out.')],
      icon: { id: 'exclude' },
      isExpanded: false,
      children: () =>
        groups.toSorted((one, other) => rank(one) - rank(other)).flatMap((group) => reasonRow(group, plan)),
    },
  ];
}

function keyOfReason(reason: LeftOutReason): string {
  return reason.kind === 'ignored' ? JSON.stringify([reason.file, reason.rule]) : reason.kind;
}

function reasonRow(group: readonly LeftOut[], { project, suspects }: PackagePlan): readonly CheckRow[] {
  const [first] = group;
  if (first === undefined) {
    return [];
  }
  const { reason } = first;
  const bySecret = new Map(suspects.map((suspect) => [suspect.file.path, suspect]));
  const number = valueAlone(group.length);
  const children = () =>
    group.map(({ path }) => {
      const suspect = bySecret.get(path);
      return suspect === undefined ? pathRow(path, project.uri) : suspectRow(suspect);
    });
  const row = { key: keyOfReason(reason), isExpanded: false, children };
  if (reason.kind !== 'ignored') {
    const [label, icon] = REASONS[reason.kind];
    return [{ ...row, label, notes: [number], spoken: [label, entriesText(group.length)], icon: { id: icon } }];
  }
  const { file, rule } = reason;
  const text = sentence('Left out by the line “{0}” of {1}.', rule, file);
  return [
    {
      ...row,
      label: rule,
      notes: [file, number],
      tooltip: [text],
      icon: { id: 'filter' },
      spoken: [text, entriesText(group.length)],
      // Of a file above the project, `file` begins with `../`.
      opens: { uri: project.uri.with({ path: posix.join(project.uri.path, file) }) },
    },
  ];
}

const REASONS: Readonly<Record<Exclude<LeftOutReason['kind'], 'ignored'>, readonly [text: Sentence, icon: string]>> = {
  secret: [sentence('May hold secrets'), 'lock'],
  name: [sentence('Not every system can have files of these names'), 'warning'],
  unreadable: [sentence('Cannot be read'), 'warning'],
  link: [sentence('Links that lead out of the folder, nowhere or in a circle'), 'link'],
  special: [sentence('No files'), 'tools'],
  outside: [sentence('Neither a page nor named by config.xml'), 'tools'],
  appPackage: [sentence('App packages from builds'), 'package'],
  notPartOfApp: [sentence('Not part of an app'), 'tools'],
};

function entriesText(count: number): Sentence {
  return count === 1 ? sentence('1 file or folder') : sentence('{0} files and folders', count);
}

/** @param path a folder ends in `/` */
function pathRow(path: string, project: PackagePlan['project']['uri']): CheckRow {
  const isFolder = path.endsWith('/');
  const uri = uriBelow(project, isFolder ? path.slice(0, -1) : path);
  return {
    key: path,
    label: path,
    icon: isFolder ? { id: 'folder' } : 'fileTheme',
    file: uri,
    opens: isFolder ? undefined : { uri },
  };
}

/** The files that may hold a secret, and stay behind until the user says yes to each of them. */
export function waitingRow(suspects: readonly SuspectFile[]): CheckRow {
  const label = sentence('Needs your yes');
  return {
    key: 'waiting',
    label,
    notes: [valueAlone(suspects.length)],
    spoken: [label, suspects.length === 1 ? sentence('1 file') : sentence('{0} files', suspects.length)],
    tooltip: [sentence('These files may hold secrets. None of them is sent unless you say so.')],
    icon: { id: 'lock', color: WARNING_COLOR },
    isExpanded: true,
    children: () => suspects.map(suspectRow),
  };
}

/** A file that may hold a secret, and is not sent. The row names the kind of secret and its line, never the secret itself. */
function suspectRow(suspect: SuspectFile): CheckRow {
  const { path, uri } = suspect.file;
  const { line } = suspect;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const notices = [
    suspicionOf(suspect),
    ...(suspect.isRequested ? [sentence('A line of .appbuildignore asks for it')] : []),
    sentence('Not sent, unless you say so'),
  ];
  return {
    key: path,
    label: posix.basename(path),
    notes: [suspicionOf(suspect), ...(folder === '' ? [] : [folder])],
    tooltip: [path, ...notices],
    icon: { id: 'key', color: WARNING_COLOR },
    file: uri,
    spoken: [path, ...notices],
    opens: { uri, line: line === undefined ? undefined : line - 1 },
    checkbox: { isChecked: false, tooltip: NOT_SENT },
    value: { kind: 'suspect', path, suspect },
  };
}
