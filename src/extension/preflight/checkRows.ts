import { posix } from 'node:path';
import { sentence, type Sentence, valueAlone } from '../../errors/index.ts';
import type { RowIcon } from '../workbench/rowsView.ts';
import {
  type FindingVerdict,
  getSuspicionSentence,
  LEFT_OUT_KINDS,
  type LeftOut,
  type LeftOutReason,
  needsConsent,
  type PackagePlan,
  type SecretAnswer,
  type SuspectFile,
  joinUri,
} from '../../web-project/index.ts';
import type { FolderCheck } from './checkFolder.ts';
import { getFindingSubject, getFindingNotes } from './findingTexts.ts';
import { type CheckRow, NOT_SENT, sentRow, WARNING_COLOR } from './packageRows.ts';
import { type Finding, VERDICTS } from './finding.ts';

/**
 * Returns the rows of a check: the findings, and the files that would be sent.
 *
 * @param answer returns the user's answer about a file that may contain a secret
 */
export function checkRows(
  { findings, plan, permissions = [] }: FolderCheck,
  answer: (suspect: SuspectFile) => SecretAnswer | undefined,
): readonly CheckRow[] {
  // List failures first.
  const found = VERDICTS.flatMap((verdict) => {
    const matching = findings.filter((finding) => finding.verdict === verdict);
    return matching.length === 0 ? [] : [verdictRow(verdict, matching)];
  });
  if (plan === undefined) {
    return found;
  }
  // The plan decides whether a file is sent, because answers may be newer than the plan.
  const sent = new Set(plan.files.map(({ path }) => path));
  const allowed = plan.suspects.filter(({ file }) => sent.has(file.path));
  const waiting = plan.suspects.filter(
    (suspect) => needsConsent(suspect) && !sent.has(suspect.file.path) && answer(suspect) !== 'leaveOut',
  );
  return [
    ...found,
    ...(waiting.length === 0 ? [] : [waitingRow(waiting)]),
    sentRow(plan, allowed, permissions),
    ...leftOutRows(plan, waiting),
  ];
}

/** Returns a one-line summary of a check. */
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

/** Titles and icons of the verdicts. Each verdict has both, so that its meaning doesn't depend on color alone. */
const VERDICT_TEXTS: Readonly<Record<FindingVerdict, readonly [title: Sentence, icon: RowIcon]>> = {
  fails: [sentence('Would fail'), { id: 'error', color: 'list.errorForeground' }],
  mayFail: [sentence('Might fail'), { id: 'warning', color: WARNING_COLOR }],
  fine: [sentence('Fine'), { id: 'pass', color: 'testing.iconPassed' }],
};

function verdictRow(verdict: FindingVerdict, findings: readonly Finding[]): CheckRow {
  const [label, icon] = VERDICT_TEXTS[verdict];
  const row = { key: verdict, label, icon, isExpanded: verdict !== 'fine', children: () => findings.map(findingRow) };
  return groupRow(row, findings.length, (count) =>
    count === 1 ? sentence('1 finding') : sentence('{0} findings', count),
  );
}

/** Returns a row with the number of its children. @param formatCount returns the number in words for screen readers */
function groupRow(row: CheckRow, count: number, formatCount: (count: number) => Sentence): CheckRow {
  return { ...row, notes: [valueAlone(count)], spoken: [row.label, formatCount(count)] };
}

function findingRow(finding: Finding): CheckRow {
  const { code, verdict, message, next, location, platform, remedies = [] } = finding;
  const [title, icon] = VERDICT_TEXTS[verdict];
  const label = getFindingSubject(finding);
  const notes = getFindingNotes(finding);
  const texts = [message, ...(next === undefined ? [] : [next])];
  return {
    key: `${code} ${platform ?? ''} ${JSON.stringify(message)}`,
    label,
    notes,
    tooltip: texts,
    icon,
    spoken: [title, label, ...notes, ...texts],
    contextValue: ['finding', ...remedies, ''].join(';'),
    opens: location && { uri: location.uri, range: location.range },
    value: { kind: 'finding', finding },
  };
}

/** Returns the rows of the files that are left out, grouped by rule or reason. @param waiting files that have separate rows */
function leftOutRows(plan: PackagePlan, waiting: readonly SuspectFile[]): readonly CheckRow[] {
  const elsewhere = new Set(waiting.map(({ file }) => file.path));
  const leftOut = plan.leftOut.filter(({ path }) => !elsewhere.has(path));
  if (leftOut.length === 0) {
    return [];
  }
  const groups = [...Map.groupBy(leftOut, ({ reason }) => getReasonKey(reason)).values()];
  const rank = ([first]: readonly LeftOut[]) => LEFT_OUT_KINDS.indexOf(first?.reason.kind ?? 'ignored');
  const row: CheckRow = {
    key: 'leftOut',
    label: sentence('Left out'),
    tooltip: [sentence('Files and folders that aren’t in the package, by reason.')],
    icon: { id: 'exclude' },
    isExpanded: false,
    children: () => groups.toSorted((one, other) => rank(one) - rank(other)).flatMap((group) => reasonRow(group, plan)),
  };
  return [groupRow(row, leftOut.length, entriesText)];
}

function getReasonKey(reason: LeftOutReason): string {
  return reason.kind === 'ignored' ? JSON.stringify([reason.file, reason.rule]) : reason.kind;
}

function reasonRow(group: readonly LeftOut[], { project, suspects }: PackagePlan): readonly CheckRow[] {
  const [first] = group;
  if (first === undefined) {
    return [];
  }
  const { reason } = first;
  const bySecret = new Map(suspects.map((suspect) => [suspect.file.path, suspect]));
  const children = () =>
    group.map(({ path }) => {
      const suspect = bySecret.get(path);
      return suspect === undefined ? pathRow(path, project.uri) : suspectRow(suspect);
    });
  const row = { key: getReasonKey(reason), isExpanded: false, children };
  if (reason.kind !== 'ignored') {
    const [label, icon] = REASONS[reason.kind];
    return [groupRow({ ...row, label, icon: { id: icon } }, group.length, entriesText)];
  }
  const { file, rule } = reason;
  const text = sentence('The line “{0}” in {1} leaves these out.', rule, file);
  return [
    {
      ...row,
      label: rule,
      notes: [file, valueAlone(group.length)],
      tooltip: [text],
      icon: { id: 'filter' },
      spoken: [text, entriesText(group.length)],
      // The path of a file above the project begins with `../`.
      opens: { uri: project.uri.with({ path: posix.join(project.uri.path, file) }) },
    },
  ];
}

const REASONS: Readonly<Record<Exclude<LeftOutReason['kind'], 'ignored'>, readonly [text: Sentence, icon: string]>> = {
  secret: [sentence('May contain secrets'), 'lock'],
  name: [sentence('Names that some systems don’t allow'), 'warning'],
  unreadable: [sentence('Can’t be read'), 'warning'],
  link: [sentence('Links that are broken, circular, or lead out of the folder'), 'link'],
  special: [sentence('Not regular files'), 'tools'],
  outside: [sentence('Outside the pages and not named in config.xml'), 'tools'],
  appPackage: [sentence('App packages from builds'), 'package'],
  notPartOfApp: [sentence('Not part of an app'), 'tools'],
};

function entriesText(count: number): Sentence {
  return count === 1 ? sentence('1 file or folder') : sentence('{0} files and folders', count);
}

/** Returns the row of a path. @param path the path. A folder ends with `/`. */
function pathRow(path: string, project: PackagePlan['project']['uri']): CheckRow {
  const isFolder = path.endsWith('/');
  const uri = joinUri(project, isFolder ? path.slice(0, -1) : path);
  return {
    key: path,
    label: path,
    icon: isFolder ? { id: 'folder' } : 'fileTheme',
    file: uri,
    opens: isFolder ? undefined : { uri },
  };
}

/** Returns the row of the files that may contain a secret. Each file is left out until the user allows it. */
function waitingRow(suspects: readonly SuspectFile[]): CheckRow {
  const row: CheckRow = {
    key: 'waiting',
    label: sentence('Needs your approval'),
    tooltip: [sentence('These files may contain secrets. They’re left out unless you check them.')],
    icon: { id: 'lock', color: WARNING_COLOR },
    isExpanded: true,
    children: () => suspects.map(suspectRow),
  };
  const filesText = (count: number) => (count === 1 ? sentence('1 file') : sentence('{0} files', count));
  return groupRow(row, suspects.length, filesText);
}

/**
 * Returns the row of a file that may contain a secret and isn't sent. The row shows the kind of secret and its line,
 * never the secret itself.
 */
function suspectRow(suspect: SuspectFile): CheckRow {
  const { path, uri } = suspect.file;
  const { line } = suspect;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const notices = [
    getSuspicionSentence(suspect),
    ...(suspect.isRequested ? [sentence('Included by a line in .appbuildignore')] : []),
    sentence('Left out unless you check it'),
  ];
  return {
    key: path,
    label: posix.basename(path),
    notes: [getSuspicionSentence(suspect), ...(folder === '' ? [] : [folder])],
    tooltip: [path, ...notices],
    icon: { id: 'key', color: WARNING_COLOR },
    file: uri,
    spoken: [path, ...notices],
    opens: { uri, line: line === undefined ? undefined : line - 1 },
    checkbox: { isChecked: false, tooltip: NOT_SENT },
    value: { kind: 'suspect', path, suspect },
  };
}
