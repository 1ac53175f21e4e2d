import type * as vscode from 'vscode';
import { sentence, type Sentence, valueAlone } from '../../errors/index.ts';
import { type PagePermission, PERMISSIONS_PREFERENCE } from '../../android-package/index.ts';
import type { ViewRow } from '../workbench/rowsView.ts';
import {
  CONFIG_FILE,
  countAndSize,
  type FileNameProblem,
  getPlanSummary,
  ignoreLine,
  joinPluginFiles,
  joinPluginNames,
  type LeftOut,
  type PackagePermission,
  type PackagePlan,
  type PlannedFile,
  type PlanWarning,
  type SuspectFile,
  joinUri,
} from '../../web-project/index.ts';
import type { Finding } from './finding.ts';

/** The subject of a row's checkbox. Paths are relative to the project. */
export type CheckedItem =
  | { readonly kind: 'file' | 'folder'; readonly path: string }
  /** A file that may contain a secret. */
  | { readonly kind: 'suspect'; readonly path: string; readonly suspect: SuspectFile };

/** The subject of a row's menus and checkbox. */
export type CheckValue = CheckedItem | { readonly kind: 'finding'; readonly finding: Finding };

/** A row of the *Check* view. */
export type CheckRow = ViewRow<CheckValue>;

/** URI scheme of the documents that show a generated config.xml. */
export const MADE_CONFIG_SCHEME = 'app-build-config';

/**
 * Returns the URI of a project's generated config.xml. Its path is in the project folder.
 *
 * @param project the URI of the project folder
 */
export function madeConfigUri(project: vscode.Uri): vscode.Uri {
  const uri = joinUri(project, CONFIG_FILE);
  return uri.with({ scheme: MADE_CONFIG_SCHEME, path: uri.path });
}

export const WARNING_COLOR = 'list.warningForeground';

const SENT = sentence('In the package');
export const NOT_SENT = sentence('Not in the package');

/** Returns the row of the files that will be sent: a tree of folders with their sizes. */
export function sentRow(
  plan: PackagePlan,
  allowed: readonly SuspectFile[],
  permissions: readonly PackagePermission[],
): CheckRow {
  const context: PackageRowContext = {
    plan,
    allowed: new Map(allowed.map((suspect) => [suspect.file.path, suspect])),
    warnings: fileWarnings(plan.warnings),
  };
  const entries = [
    ...plan.files.map((file): PackageEntry => ({ path: file.path, kind: 'file', file })),
    ...plan.leftOut.flatMap(uncheckedEntry),
  ];
  return {
    key: 'files',
    label: sentence('Package contents'),
    notes: [getPlanSummary(plan)],
    icon: { id: 'package' },
    isExpanded: false,
    children: () => [...permissionRows(plan, permissions), ...madeRows(plan), ...entryRows(entries, '', context)],
  };
}

interface PackageRowContext {
  readonly plan: PackagePlan;
  /** Suspects that the user has allowed, keyed by path. */
  readonly allowed: ReadonlyMap<string, SuspectFile>;
  /** Warnings about single files, keyed by path. */
  readonly warnings: ReadonlyMap<string, readonly Sentence[]>;
}

/** A file that is sent, or a file or folder that the user has unchecked. Unchecked entries keep their place. */
interface PackageEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Undefined for an unchecked file or folder. */
  readonly file: PlannedFile | undefined;
}

function uncheckedEntry({ path: written, reason }: LeftOut): readonly PackageEntry[] {
  const isFolder = written.endsWith('/');
  const path = isFolder ? written.slice(0, -1) : written;
  const isUnchecked =
    reason.kind === 'ignored' && reason.file === '.appbuildignore' && reason.rule === ignoreLine({ path, isFolder });
  return isUnchecked ? [{ path, kind: isFolder ? 'folder' : 'file', file: undefined }] : [];
}

/**
 * Returns the rows of a folder's content, folders before files and sorted by name.
 *
 * @param folder the path of the folder, which ends with `/` or is empty
 */
function entryRows(entries: readonly PackageEntry[], folder: string, context: PackageRowContext): readonly CheckRow[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const rows = [...Map.groupBy(entries, ({ path }) => path.slice(folder.length).split('/', 1).join())].map(
    ([name, inside]) => {
      const path = folder + name;
      const own = inside.find((entry) => entry.path === path);
      if (own === undefined) {
        return { name, isFolder: true, row: folderRow(name, path, inside, context) };
      }
      const row = own.file === undefined ? uncheckedRow(name, own, context) : fileRow(name, own.file, context);
      return { name, isFolder: own.kind === 'folder', row };
    },
  );
  return rows
    .toSorted((one, other) => Number(other.isFolder) - Number(one.isFolder) || compare(one.name, other.name))
    .map(({ row }) => row);
}

function folderRow(name: string, path: string, inside: readonly PackageEntry[], context: PackageRowContext): CheckRow {
  const files = inside.flatMap(({ file }) => file ?? []);
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const summary = countAndSize(files.length, bytes);
  return {
    key: `/${name}`,
    label: name,
    notes: [valueAlone({ bytes })],
    tooltip: [path, summary],
    icon: 'fileTheme',
    file: joinUri(context.plan.project.uri, path),
    spoken: [sentence('Folder {0}', name), summary],
    checkbox: { isChecked: true, tooltip: SENT },
    value: { kind: 'folder', path },
    children: () => entryRows(inside, `${path}/`, context),
  };
}

function fileRow(name: string, file: PlannedFile, { plan, allowed, warnings }: PackageRowContext): CheckRow {
  const { path, uri, sizeBytes, overruled, withPlugins } = file;
  const size = valueAlone({ bytes: sizeBytes });
  const suspect = allowed.get(path);
  const notices = [
    ...(suspect === undefined ? [] : [sentence('May contain a secret. Sent with your approval.')]),
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
            joinPluginFiles(withPlugins.plugins),
            joinPluginNames(withPlugins.plugins),
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
    // An app needs its config.xml, so the row has no checkbox.
    ...(path !== plan.layout.config && {
      checkbox: { isChecked: true, tooltip: SENT },
      value: suspect === undefined ? { kind: 'file', path } : { kind: 'suspect', path, suspect },
    }),
  };
}

function uncheckedRow(name: string, { path, kind }: PackageEntry, { plan }: PackageRowContext): CheckRow {
  const note = sentence('left out by {0}', '.appbuildignore');
  return {
    key: `/${name}`,
    label: name,
    notes: [note],
    tooltip: [path, note],
    icon: kind === 'folder' ? { id: 'folder' } : 'fileTheme',
    file: joinUri(plan.project.uri, path),
    checkbox: { isChecked: false, tooltip: NOT_SENT },
    value: { kind, path },
  };
}

/** Returns the permissions that the app may ask for on Android, each with the file or plugin that needs it. */
function permissionRows({ project }: PackagePlan, permissions: readonly PackagePermission[]): readonly CheckRow[] {
  return permissions.map(({ permission, by, path, isAllowed }) => {
    const [label, icon] = PERMISSIONS[permission];
    const notes = [by, ...(isAllowed ? [] : [sentence('denied by {0}', PERMISSIONS_PREFERENCE)])];
    return {
      key: `!${permission}`,
      label,
      notes,
      tooltip: [
        isAllowed
          ? sentence('The package declares this permission for Android because {0} requests it.', by)
          : sentence('{0} requests this permission, but the preference {1} denies it.', by, PERMISSIONS_PREFERENCE),
      ],
      icon: { id: icon },
      opens: path === undefined ? undefined : { uri: joinUri(project.uri, path) },
    };
  });
}

const PERMISSIONS: Readonly<Record<PagePermission, readonly [label: Sentence, icon: string]>> = {
  camera: [sentence('Permission: camera'), 'device-camera'],
  microphone: [sentence('Permission: microphone'), 'mic'],
  location: [sentence('Permission: location'), 'location'],
};

/** Returns the rows of the generated files: config.xml with the sources of its values, and an icon. */
function madeRows({ project, config, made }: PackagePlan): readonly CheckRow[] {
  return made.map(({ path, bytes }): CheckRow => {
    const row: CheckRow = {
      key: `=${path}`,
      label: path,
      notes: [valueAlone({ bytes: bytes.length }), sentence('generated for the package')],
      icon: 'fileTheme',
      file: joinUri(project.uri, path),
    };
    if (path !== CONFIG_FILE) {
      return row;
    }
    const uri = madeConfigUri(project.uri);
    return {
      ...row,
      tooltip: [sentence('This config.xml is generated from other files in the project. It isn’t saved in a folder.')],
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

/** Returns the warnings about single files, keyed by path. */
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
  largeFiles: sentence('A large file, which increases the app’s download size.'),
  sourceMaps: sentence('A source map, which shows the app’s source code.'),
};

const NAME_PROBLEMS: Readonly<Record<FileNameProblem, Sentence>> = {
  leftOutByAndroid: sentence('Android leaves out files with such a name.'),
  unpackedByAndroid: sentence('Android unpacks it and removes the extension .gz.'),
  notAscii: sentence('Some services and phones don’t support these characters in names.'),
};
