import { posix } from 'node:path';
import { sentence, type Sentence, valueAlone } from '../../api/errors/sentence.ts';
import { type PagePermission, PERMISSIONS_PREFERENCE } from '../../formats/pagePermissions.ts';
import type { Row, RowIcon } from '../../workbench/row.ts';
import { CONFIG_FILE, filesOfPlugins, madeConfigUri, namesOfPlugins } from '../madeConfig.ts';
import type { FileNameProblem } from '../packing/fileNames.ts';
import { ignoreLine } from '../packing/ignoreRules.ts';
import {
  type LeftOut,
  type LeftOutReason,
  type PackagePlan,
  type PlannedFile,
  type PlanWarning,
  type SuspectFile,
  needsConsent,
  type SecretAnswer,
} from '../packing/packageContents.ts';
import { uriBelow } from '../paths.ts';
import { countAndSize, LEFT_OUT_KINDS, summaryOf, suspicionOf } from '../packing/planSentences.ts';
import type { FolderCheck } from './checkFolder.ts';
import { type Finding, type Verdict, VERDICTS } from './finding.ts';
import type { PackagePermission } from './pageScan.ts';

/** What the checkbox of a row is about. Paths are below the project. */
export type CheckValue =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  /** A file that may hold a secret. */
  | { readonly kind: 'suspect'; readonly path: string; readonly suspect: SuspectFile };

type CheckRow = Row<CheckValue>;

const WARNING_COLOR = 'list.warningForeground';

/**
 * The rows of a check: what was found, and what would be sent.
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

// Findings

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

// What will be sent

const SENT = sentence('Sent');
const NOT_SENT = sentence('Not sent');

/** The files that will be sent, as a tree of folders with their sizes. */
function sentRow(
  plan: PackagePlan,
  allowed: readonly SuspectFile[],
  permissions: readonly PackagePermission[],
): CheckRow {
  const context: SentContext = {
    plan,
    allowed: new Map(allowed.map((suspect) => [suspect.file.path, suspect])),
    warnings: fileWarnings(plan.warnings),
  };
  const entries = [
    ...plan.files.map((file): SentEntry => ({ path: file.path, kind: 'file', file })),
    ...plan.leftOut.flatMap(uncheckedEntry),
  ];
  return {
    key: 'files',
    label: sentence('What will be sent'),
    notes: [summaryOf(plan)],
    icon: { id: 'package' },
    isExpanded: false,
    children: () => [...permissionRows(plan, permissions), ...madeRows(plan), ...entryRows(entries, '', context)],
  };
}

interface SentContext {
  readonly plan: PackagePlan;
  /** Suspects that the user has allowed, by their paths. */
  readonly allowed: ReadonlyMap<string, SuspectFile>;
  /** What the user should know of some files, by their paths. */
  readonly warnings: ReadonlyMap<string, readonly Sentence[]>;
}

/** A file that is sent; or a file or folder that the user has unchecked, which stays in its place. */
interface SentEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly file: PlannedFile | undefined;
}

function uncheckedEntry({ path: written, reason }: LeftOut): readonly SentEntry[] {
  const isFolder = written.endsWith('/');
  const path = isFolder ? written.slice(0, -1) : written;
  const isUnchecked =
    reason.kind === 'ignored' && reason.file === '.appbuildignore' && reason.rule === ignoreLine({ path, isFolder });
  return isUnchecked ? [{ path, kind: isFolder ? 'folder' : 'file', file: undefined }] : [];
}

/** The rows of what is in a folder: folders before files, each by their names. @param folder ends in `/`, or is empty */
function entryRows(entries: readonly SentEntry[], folder: string, context: SentContext): readonly CheckRow[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const byName = [...Map.groupBy(entries, ({ path }) => path.slice(folder.length).split('/', 1).join())];
  const rows = byName
    .toSorted(([one], [other]) => compare(one, other))
    .map(([name, inside]): { readonly isFolder: boolean; readonly row: CheckRow } => {
      const path = folder + name;
      const own = inside.find((entry) => entry.path === path);
      return own === undefined || own.kind === 'folder'
        ? { isFolder: true, row: folderRow(name, path, inside, context) }
        : { isFolder: false, row: fileRow(name, own, context) };
    });
  return [...rows.filter(({ isFolder }) => isFolder), ...rows.filter(({ isFolder }) => !isFolder)].map(
    ({ row }) => row,
  );
}

function folderRow(name: string, path: string, inside: readonly SentEntry[], context: SentContext): CheckRow {
  const uri = uriBelow(context.plan.project.uri, path);
  if (inside.some((entry) => entry.path === path)) {
    return uncheckedRow(name, { kind: 'folder', path }, { icon: { id: 'folder' }, file: uri });
  }
  const files = inside.flatMap(({ file }) => file ?? []);
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const summary = countAndSize(files.length, bytes);
  return {
    key: `/${name}`,
    label: name,
    notes: [valueAlone({ bytes })],
    tooltip: [path, summary],
    icon: 'fileTheme',
    file: uri,
    spoken: [sentence('Folder {0}', name), summary],
    checkbox: { isChecked: true, tooltip: SENT },
    value: { kind: 'folder', path },
    children: () => entryRows(inside, `${path}/`, context),
  };
}

function fileRow(name: string, { path, file }: SentEntry, { plan, allowed, warnings }: SentContext): CheckRow {
  if (file === undefined) {
    return uncheckedRow(name, { kind: 'file', path }, { icon: 'fileTheme', file: uriBelow(plan.project.uri, path) });
  }
  const { uri, sizeBytes, overruled, withPlugins } = file;
  const size = valueAlone({ bytes: sizeBytes });
  const suspect = allowed.get(path);
  const notices = [
    ...(suspect === undefined ? [] : [sentence('May hold a secret. Sent because you said yes.')]),
    ...(warnings.get(path) ?? []),
  ];
  const notes = [
    ...(overruled === undefined
      ? []
      : [sentence('needed by the app, although {0} leaves it out with “{1}”', overruled.file, overruled.rule)]),
    ...(withPlugins === undefined
      ? []
      : [
          sentence(
            'sent with plugins from {0}: {1}',
            filesOfPlugins(withPlugins.plugins),
            namesOfPlugins(withPlugins.plugins),
          ),
        ]),
  ];
  return {
    key: `/${name}`,
    label: name,
    notes: [size, ...notes],
    tooltip: [path, size, ...notes, ...notices],
    icon: notices.length === 0 ? 'fileTheme' : { id: 'warning', color: WARNING_COLOR },
    file: uri,
    spoken: [name, size, ...notes, ...notices],
    opens: { uri },
    // Without config.xml there is no app: leaving it out is not offered.
    ...(path !== plan.layout.config && {
      checkbox: { isChecked: true, tooltip: SENT },
      value: suspect === undefined ? { kind: 'file', path } : { kind: 'suspect', path, suspect },
    }),
  };
}

function uncheckedRow(name: string, value: CheckValue, shown: Pick<CheckRow, 'icon' | 'file'>): CheckRow {
  const note = sentence('left out by {0}', '.appbuildignore');
  return {
    key: `/${name}`,
    label: name,
    notes: [note],
    tooltip: [value.path, note],
    checkbox: { isChecked: false, tooltip: NOT_SENT },
    value,
    ...shown,
  };
}

/** What the app may ask the user for on Android, each with the file or plugin that asks. */
function permissionRows({ project }: PackagePlan, permissions: readonly PackagePermission[]): readonly CheckRow[] {
  return permissions.map(({ permission, by, path, isAllowed }) => {
    const [label, icon] = PERMISSIONS[permission];
    const notes = [by, ...(isAllowed ? [] : [sentence('refused by {0}', PERMISSIONS_PREFERENCE)])];
    return {
      key: `!${permission}`,
      label,
      notes,
      tooltip: [
        isAllowed
          ? sentence('The package declares this permission for Android, since {0} asks for it.', by)
          : sentence('{0} asks for this permission, but the preference {1} refuses it.', by, PERMISSIONS_PREFERENCE),
      ],
      icon: { id: icon },
      opens: path === undefined ? undefined : { uri: uriBelow(project.uri, path) },
    };
  });
}

const PERMISSIONS: Readonly<Record<PagePermission, readonly [label: Sentence, icon: string]>> = {
  camera: [sentence('Permission: camera'), 'device-camera'],
  microphone: [sentence('Permission: microphone'), 'mic'],
  location: [sentence('Permission: location'), 'location'],
};

/** The files that the package gets and no folder has: config.xml with where its values come from, and an icon. */
function madeRows({ project, config, made }: PackagePlan): readonly CheckRow[] {
  return made.map(({ path, bytes }): CheckRow => {
    const row: CheckRow = {
      key: `=${path}`,
      label: path,
      notes: [valueAlone({ bytes: bytes.length }), sentence('made for the package')],
      icon: 'fileTheme',
      file: uriBelow(project.uri, path),
    };
    if (path !== CONFIG_FILE) {
      return row;
    }
    const uri = madeConfigUri(project.uri);
    return {
      ...row,
      tooltip: [sentence('This config.xml was made from other files of the project. It isn’t saved in a folder.')],
      file: uri,
      contextValue: 'madeConfig;',
      opens: { uri },
      isExpanded: false,
      children: () =>
        (config?.values ?? []).map(({ name, value, from }) => ({
          key: name,
          label: name,
          notes: [value, from],
          tooltip: [value, from],
          icon: { id: 'symbol-constant' },
        })),
    };
  });
}

/** The warnings that are about single files, by their paths. */
function fileWarnings(warnings: readonly PlanWarning[]): ReadonlyMap<string, readonly Sentence[]> {
  const byPath = new Map<string, readonly Sentence[]>();
  for (const warning of warnings) {
    const text = warning.kind === 'fileNames' ? NAME_PROBLEMS[warning.problem] : FILE_WARNINGS[warning.kind];
    for (const path of text !== undefined && 'paths' in warning ? warning.paths : []) {
      byPath.set(path, [...(byPath.get(path) ?? []), ...(text === undefined ? [] : [text])]);
    }
  }
  return byPath;
}

const FILE_WARNINGS: Readonly<Partial<Record<PlanWarning['kind'], Sentence>>> = {
  largeFiles: sentence('A large file: everybody who installs the app downloads it.'),
  sourceMaps: sentence('A source map: it shows the source of the app to whoever has it.'),
};

const NAME_PROBLEMS: Readonly<Record<FileNameProblem, Sentence>> = {
  leftOutByAndroid: sentence('Android leaves out files of such a name.'),
  unpackedByAndroid: sentence('Android unpacks it, and it loses the ending .gz.'),
  notAscii: sentence('Some services and phones take no such letters in a name.'),
};

// What stays behind

/** What stays behind, by the rule or the reason. @param waiting files that have a row of their own */
function leftOutRows(plan: PackagePlan, waiting: readonly SuspectFile[]): readonly CheckRow[] {
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
function waitingRow(suspects: readonly SuspectFile[]): CheckRow {
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
