import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { sentence, type Sentence, valueAlone } from '../../../api/errors/sentence.ts';
import type { Row } from '../../../workbench/row.ts';
import type { LeftOut, LeftOutReason, PackagePlan, SuspectFile } from '../../packing/packageContents.ts';
import { uriBelow } from '../../packing/paths.ts';
import { suspicionOf } from '../../packing/planSentences.ts';
import type { CheckValue } from './fileRows.ts';

interface Group {
  readonly reason: LeftOutReason;
  readonly paths: string[];
}

interface LeftOutContext {
  /** Folder of the project. */
  readonly project: vscode.Uri;
  /** Files that may hold a secret, by their paths: each can still be sent. */
  readonly suspects: ReadonlyMap<string, SuspectFile>;
}

/** Those that matter most to a person come first. */
const KINDS: readonly LeftOutReason['kind'][] = [
  'secret',
  'name',
  'unreadable',
  'link',
  'special',
  'ignored',
  'outside',
  'appPackage',
  'notPartOfApp',
];

/**
 * What stays behind, by the rule or the reason.
 *
 * @param waiting files that have a row of their own.
 * @returns none when nothing does.
 */
export function leftOutRows(plan: PackagePlan, waiting: readonly SuspectFile[]): readonly Row<CheckValue>[] {
  const { project, suspects } = plan;
  const elsewhere = new Set(waiting.map(({ file }) => file.path));
  const leftOut = plan.leftOut.filter(({ path }) => !elsewhere.has(path));
  if (leftOut.length === 0) {
    return [];
  }
  const context = { project: project.uri, suspects: new Map(suspects.map((suspect) => [suspect.file.path, suspect])) };
  return [
    {
      key: 'leftOut',
      label: sentence('Left out'),
      notes: [valueAlone(leftOut.length)],
      spoken: [sentence('Left out'), entriesText(leftOut.length)],
      tooltip: [sentence('Files and folders that are not sent, by what leaves them out.')],
      icon: { id: 'exclude' },
      contextValue: 'leftOut;',
      isExpanded: false,
      children: () => groupsOf(leftOut).map((group) => groupRow(group, context)),
    },
  ];
}

function groupsOf(leftOut: readonly LeftOut[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { path, reason } of leftOut) {
    const key = keyOfReason(reason);
    const group = groups.get(key) ?? { reason, paths: [] };
    group.paths.push(path);
    groups.set(key, group);
  }
  const rank = ({ reason }: Group) => KINDS.indexOf(reason.kind);
  return [...groups.values()].sort((left, right) => rank(left) - rank(right));
}

function keyOfReason(reason: LeftOutReason): string {
  return reason.kind === 'ignored' ? JSON.stringify([reason.file, reason.rule]) : reason.kind;
}

function groupRow({ reason, paths }: Group, context: LeftOutContext): Row<CheckValue> {
  const number = valueAlone(paths.length);
  const children = () => paths.map((each) => pathRow(each, context));
  const row = { key: keyOfReason(reason), contextValue: 'reason;', isExpanded: false, children };
  if (reason.kind !== 'ignored') {
    const [label, icon] = REASONS[reason.kind];
    const spoken = [label, entriesText(paths.length)];
    return { ...row, label, notes: [number], spoken, icon: { id: icon } };
  }
  const { file, rule } = reason;
  return {
    ...row,
    label: rule,
    notes: [file, number],
    tooltip: [sentence('Left out by the line “{0}” of {1}.', rule, file)],
    icon: { id: 'filter' },
    spoken: [sentence('Left out by the line “{0}” of {1}.', rule, file), entriesText(paths.length)],
    // Of a file above the project, `file` begins with `../`.
    opens: { uri: context.project.with({ path: posix.join(context.project.path, file) }) },
  };
}

function entriesText(count: number): Sentence {
  return count === 1 ? sentence('1 file or folder') : sentence('{0} files and folders', count);
}

function pathRow(each: string, { project, suspects }: LeftOutContext): Row<CheckValue> {
  const suspect = suspects.get(each);
  if (suspect !== undefined) {
    return suspectRow(suspect, 'file;allow;');
  }
  const isFolder = each.endsWith('/');
  const uri = uriBelow(project, isFolder ? each.slice(0, -1) : each);
  return {
    key: each,
    label: each,
    icon: isFolder ? { id: 'folder' } : 'fileTheme',
    file: uri,
    contextValue: 'leftOutFile;',
    opens: isFolder ? undefined : { uri },
  };
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

/** A file that may hold a secret, and is not sent. The row names the kind of secret and its line, never the secret itself. */
function suspectRow(suspect: SuspectFile, contextValue: string): Row<CheckValue> {
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
    icon: { id: 'key', color: 'list.warningForeground' },
    file: uri,
    spoken: [path, ...notices],
    contextValue,
    opens: { uri, line: line === undefined ? undefined : line - 1 },
    value: { kind: 'suspect', path, suspect },
  };
}
