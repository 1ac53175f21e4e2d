import type * as vscode from 'vscode';
import { sentence, type Sentence, valueAlone } from '../../../api/errors/sentence.ts';
import { type PagePermission, PERMISSIONS_PREFERENCE } from '../../../formats/pagePermissions.ts';
import type { Row } from '../../../workbench/row.ts';
import { CONFIG_FILE, filesOfPlugins, madeConfigUri, namesOfPlugins } from '../../madeConfig.ts';
import type { FileNameProblem } from '../../packing/fileNames.ts';
import type { PackagePlan, PlannedFile, PlanWarning, SuspectFile } from '../../packing/packageContents.ts';
import { uriBelow } from '../../packing/paths.ts';
import type { PackagePermission } from '../pageScan.ts';
import { countAndSize, summaryOf } from '../../packing/planSentences.ts';

/** The subject of a row's commands. Paths are below the project. */
export type CheckValue =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  /** A file that may hold a secret. */
  | { readonly kind: 'suspect'; readonly path: string; readonly suspect: SuspectFile };

interface FileContext {
  readonly order: FileOrder;
  /** Suspects that a person has allowed, by their paths. */
  readonly allowed: ReadonlyMap<string, SuspectFile>;
  /** What a person should know of some files, by their paths. */
  readonly warnings: ReadonlyMap<string, readonly Sentence[]>;
  /** Folder of the project. */
  readonly project: vscode.Uri;
  /** Path of its config.xml. */
  readonly config: string | undefined;
}

/** The files that will be sent, as a tree of folders with their sizes. */
export function sentRow(
  plan: PackagePlan,
  order: FileOrder,
  allowed: readonly SuspectFile[],
  permissions: readonly PackagePermission[],
): Row<CheckValue> {
  const context = {
    order,
    allowed: new Map(allowed.map((suspect) => [suspect.file.path, suspect])),
    warnings: fileWarnings(plan.warnings),
    project: plan.project.uri,
    config: plan.layout.config,
  };
  return {
    key: 'files',
    label: sentence('What will be sent'),
    notes: [summaryOf(plan)],
    icon: { id: 'package' },
    contextValue: 'files;',
    isExpanded: false,
    children: () => [
      ...permissionRows(plan, permissions),
      ...madeRows(plan),
      ...entryRows(folderSizes(plan.files), context),
    ],
  };
}

/** What the app may ask the user for on Android, each with the file or plugin that asks. */
function permissionRows(
  { project }: PackagePlan,
  permissions: readonly PackagePermission[],
): readonly Row<CheckValue>[] {
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
      spoken: [label, ...notes],
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
function madeRows({ project, config, made }: PackagePlan): readonly Row<CheckValue>[] {
  if (config === undefined) {
    return [];
  }
  return made.map(({ path, bytes }): Row<CheckValue> => {
    const size = valueAlone({ bytes: bytes.length });
    if (path !== CONFIG_FILE) {
      const note = sentence('made for the package');
      return {
        key: `=${path}`,
        label: path,
        notes: [size, note],
        icon: 'fileTheme',
        file: uriBelow(project.uri, path),
      };
    }
    const uri = madeConfigUri(project.uri);
    return {
      key: `=${path}`,
      label: path,
      notes: [size, sentence('made for the package')],
      tooltip: [sentence('This config.xml was made from other files of the project. It isn’t saved in a folder.')],
      icon: 'fileTheme',
      file: uri,
      contextValue: 'madeConfig;',
      opens: { uri },
      isExpanded: false,
      children: () =>
        config.values.map(({ name, value, from }) => ({
          key: name,
          label: name,
          notes: [value, from],
          tooltip: [value, from],
          spoken: [name, value, from],
          icon: { id: 'symbol-constant' },
        })),
    };
  });
}

function entryRows(folder: SizedFolder, context: FileContext): readonly Row<CheckValue>[] {
  return sortedEntries(folder, context.order).map((entry) => entryRow(entry, context));
}

function entryRow(entry: SizedEntry, context: FileContext): Row<CheckValue> {
  return entry.kind === 'folder' ? folderRow(entry, context) : fileRow(entry, context);
}

function folderRow(folder: SizedFolder, context: FileContext): Row<CheckValue> {
  const { name, path, sizeBytes, files } = folder;
  const summary = countAndSize(files, sizeBytes);
  return {
    key: `/${name}`,
    label: name,
    notes: [valueAlone({ bytes: sizeBytes })],
    tooltip: [path, summary],
    icon: 'fileTheme',
    file: uriBelow(context.project, path),
    spoken: [sentence('Folder {0}', name), summary],
    contextValue: 'folder;ignore;',
    value: { kind: 'folder', path },
    children: () => entryRows(folder, context),
  };
}

function fileRow({ name, file, sizeBytes }: SizedFile, { allowed, warnings, config }: FileContext): Row<CheckValue> {
  const { path, uri, overruled, withPlugins } = file;
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
    icon: notices.length === 0 ? 'fileTheme' : { id: 'warning', color: 'list.warningForeground' },
    file: uri,
    spoken: [name, size, ...notes, ...notices],
    // Without config.xml there is no app: leaving it out is not offered.
    contextValue: `file;${path === config ? '' : 'ignore;'}${suspect === undefined ? '' : 'refuse;'}`,
    opens: { uri },
    value: suspect === undefined ? { kind: 'file', path } : { kind: 'suspect', path, suspect },
  };
}

/** The warnings that are about single files, by their paths. */
function fileWarnings(warnings: readonly PlanWarning[]): ReadonlyMap<string, readonly Sentence[]> {
  const byPath = new Map<string, readonly Sentence[]>();
  for (const [path, text] of warnings.flatMap(pathsWarnedOf)) {
    byPath.set(path, [...(byPath.get(path) ?? []), text]);
  }
  return byPath;
}

function pathsWarnedOf(warning: PlanWarning): readonly (readonly [path: string, text: Sentence])[] {
  const each = (text: Sentence, paths: readonly string[]) => paths.map((path) => [path, text] as const);
  switch (warning.kind) {
    case 'largeFiles':
      return each(sentence('A large file: everybody who installs the app downloads it.'), warning.paths);
    case 'sourceMaps':
      return each(sentence('A source map: it shows the source of the app to whoever has it.'), warning.paths);
    case 'fileNames':
      return each(NAME_PROBLEMS[warning.problem], warning.paths);
    case 'tooManyEntries':
    case 'tooLarge':
    case 'generatedContent':
    case 'takenIn':
      return [];
  }
}

const NAME_PROBLEMS: Readonly<Record<FileNameProblem, Sentence>> = {
  leftOutByAndroid: sentence('Android leaves out files of such a name.'),
  unpackedByAndroid: sentence('Android unpacks it, and it loses the ending .gz.'),
  notAscii: sentence('Some services and phones take no such letters in a name.'),
};

/** Whether folders stand before files, each by their names; or the biggest first. */
export type FileOrder = 'name' | 'size';

/** A folder with what is sent of it. */
interface SizedFolder {
  readonly kind: 'folder';
  readonly name: string;
  /** Below the project, with `/`; empty for the project itself. */
  readonly path: string;
  /** Sum of the files in it and below it. */
  readonly sizeBytes: number;
  /** Number of the files in it and below it. */
  readonly files: number;
  readonly entries: readonly SizedEntry[];
}

interface SizedFile {
  readonly kind: 'file';
  readonly name: string;
  readonly file: PlannedFile;
  readonly sizeBytes: number;
}

type SizedEntry = SizedFolder | SizedFile;

interface GrowingFolder extends SizedFolder {
  sizeBytes: number;
  files: number;
  readonly entries: SizedEntry[];
}

/** The folders of files, each with the sum of what is in it. */
function folderSizes(files: readonly PlannedFile[]): SizedFolder {
  const top = emptyFolder('', '');
  const folders = new Map([['', top]]);
  for (const file of files) {
    const end = file.path.lastIndexOf('/');
    const folder = folderAt(folders, file.path.slice(0, Math.max(0, end)));
    folder.entries.push({ kind: 'file', name: file.path.slice(end + 1), file, sizeBytes: file.sizeBytes });
    for (let path = folder.path; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
      const each = folderAt(folders, path);
      each.sizeBytes += file.sizeBytes;
      each.files += 1;
      if (path === '') {
        break;
      }
    }
  }
  return top;
}

function folderAt(folders: Map<string, GrowingFolder>, path: string): GrowingFolder {
  const known = folders.get(path);
  if (known !== undefined) {
    return known;
  }
  const end = path.lastIndexOf('/');
  const folder = emptyFolder(path, path.slice(end + 1));
  folders.set(path, folder);
  folderAt(folders, path.slice(0, Math.max(0, end))).entries.push(folder);
  return folder;
}

function emptyFolder(path: string, name: string): GrowingFolder {
  return { kind: 'folder', name, path, sizeBytes: 0, files: 0, entries: [] };
}

/** The entries of a folder in an order that people look through. */
function sortedEntries({ entries }: SizedFolder, order: FileOrder): readonly SizedEntry[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const byName = (left: SizedEntry, right: SizedEntry): number =>
    Number(left.kind === 'file') - Number(right.kind === 'file') || compare(left.name, right.name);
  return order === 'name'
    ? entries.toSorted(byName)
    : entries.toSorted((left, right) => right.sizeBytes - left.sizeBytes || byName(left, right));
}
