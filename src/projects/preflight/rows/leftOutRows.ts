import path from 'node:path';
import type * as vscode from 'vscode';
import { sentence, type Sentence, valueAlone } from '../../../api/errors/sentence.ts';
import type { Row } from '../../../workbench/row.ts';
import type { LeftOut, LeftOutReason, PackagePlan, SuspectFile } from '../../packing/packageContents.ts';
import { uriBelow } from '../../packing/paths.ts';
import type { CheckValue } from './checkValue.ts';
import { suspectRow } from './suspectRows.ts';

/** What stays behind for one reason. */
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
    const key = keyOf(reason);
    const group = groups.get(key) ?? { reason, paths: [] };
    group.paths.push(path);
    groups.set(key, group);
  }
  const rank = ({ reason }: Group) => KINDS.indexOf(reason.kind);
  return [...groups.values()].sort((left, right) => rank(left) - rank(right));
}

function keyOf(reason: LeftOutReason): string {
  return reason.kind === 'ignored' ? JSON.stringify([reason.file, reason.rule]) : reason.kind;
}

function groupRow({ reason, paths }: Group, context: LeftOutContext): Row<CheckValue> {
  const number = valueAlone(paths.length);
  const children = () => paths.map((each) => pathRow(each, context));
  const row = { key: keyOf(reason), contextValue: 'reason;', isExpanded: false, children };
  if (reason.kind !== 'ignored') {
    const label = reasonText(reason.kind);
    const spoken = [label, entriesText(paths.length)];
    return { ...row, label, notes: [number], spoken, icon: { id: iconOf(reason.kind) } };
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
    opens: { uri: context.project.with({ path: path.posix.join(context.project.path, file) }) },
  };
}

/** A number of files and folders, with its unit. */
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

function reasonText(kind: Exclude<LeftOutReason['kind'], 'ignored'>): Sentence {
  switch (kind) {
    case 'secret':
      return sentence('May hold secrets');
    case 'name':
      return sentence('Not every system can have files of these names');
    case 'unreadable':
      return sentence('Cannot be read');
    case 'link':
      return sentence('Links that lead out of the folder, nowhere or in a circle');
    case 'special':
      return sentence('No files');
    case 'outside':
      return sentence('Neither a page nor named by config.xml');
    case 'notPartOfApp':
      return sentence('Not part of an app');
  }
}

function iconOf(kind: Exclude<LeftOutReason['kind'], 'ignored'>): string {
  switch (kind) {
    case 'secret':
      return 'lock';
    case 'name':
    case 'unreadable':
      return 'warning';
    case 'link':
      return 'link';
    case 'special':
    case 'outside':
    case 'notPartOfApp':
      return 'tools';
  }
}
