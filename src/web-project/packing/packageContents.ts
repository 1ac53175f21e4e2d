import type { URI } from 'vscode-uri';
import type { ProjectLayout, MadeFile } from '../projectLayout.ts';
import { MAX_PACKAGE_BYTES, MAX_PACKAGE_ENTRIES } from '../limits.ts';
import type { MadeConfig } from '../madeConfig.ts';
import type { FileDetails } from '../projectFolder.ts';
import type { ProjectPlugin } from '../projectPlugins.ts';
import type { WebProject } from '../projectSearch.ts';
import type { IgnoreRule } from './ignoreRules.ts';
import { findNameProblems, type FileNameProblem } from './fileNames.ts';
import { folderAbove, byPath } from '../paths.ts';

const LARGE_FILE_BYTES = 10_000_000;

/** A file for the package, with its details at the time of planning. Packing fails if another file has replaced it. */
export interface PlannedFile extends Pick<FileDetails, 'sizeBytes' | 'modifiedMs' | 'changedMs' | 'inode'> {
  /** Path relative to the project, with `/`. */
  readonly path: string;
  readonly uri: URI;
  /** Permission bits, if the file system has them. */
  readonly mode: number | undefined;
  /** The `.gitignore` rule that excludes the file. The file is packaged anyway, because the app needs it. */
  readonly overruled?: IgnoreRule | undefined;
  /** Plugins to add to config.xml, because only other files of the project declare them. */
  readonly withPlugins?:
    | {
        readonly plugins: readonly ProjectPlugin[];
        /** Content to package instead of the file on disk. */
        readonly bytes: Uint8Array;
      }
    | undefined;
}

/** The reason why an entry is left out of the package. */
export type LeftOutReason =
  /**
   * A rule of `.gitignore` or `.appbuildignore` excludes the entry. `file` is relative to the project and may begin
   * with `../`.
   */
  | { readonly kind: 'ignored'; readonly file: string; readonly rule: string }
  /** The entry is outside the pages, and config.xml doesn't refer to it. */
  | { readonly kind: 'outside' }
  /** The entry is never part of an app: `.git`, `node_modules`, `platforms`, `plugins` … */
  | { readonly kind: 'notPartOfApp' }
  /** The file is an app package from a build: `*.apk`, `*.aab`, `*.ipa`. */
  | { readonly kind: 'appPackage' }
  /** The file may contain a secret (`.env`, `*.keystore`, a private key …), and the user hasn't allowed it. */
  | { readonly kind: 'secret' }
  /** The entry is a link that leads out of the folder, is broken, or leads to a parent folder. */
  | { readonly kind: 'link' }
  /** The entry is neither a file nor a folder. */
  | { readonly kind: 'special' }
  /** Some systems can't unpack the name, or another name differs only in case. */
  | { readonly kind: 'name' }
  /** The folder can't be read. */
  | { readonly kind: 'unreadable' };

/** An entry of the folder that isn't part of the package. */
export interface LeftOut {
  /** Path relative to the project, with `/`. A folder ends with `/`. */
  readonly path: string;
  readonly reason: LeftOutReason;
}

/** A kind of secret with a known form. */
export type SecretKind =
  /** `name`: the file's name shows that it contains a secret, such as `.env` or `*.keystore`. */
  'name' | 'privateKey' | 'signingPasswords' | 'cloudKey' | 'accessToken';

/** A file that may contain a secret. It's sent only if the user allows it. The secret itself isn't stored. */
export interface SuspectFile {
  readonly file: PlannedFile;
  readonly secret: SecretKind;
  /** Line of the first secret, starting at 1. Undefined if the file is a suspect because of its name. */
  readonly line: number | undefined;
  /** Whether a line of `.appbuildignore` specifically includes the file. */
  readonly isRequested: boolean;
  /**
   * A short hash of the secrets. The user's consent is valid until the hash changes. Undefined if the file is a suspect
   * because of its name.
   */
  readonly fingerprint?: string | undefined;
}

/** The user's decision about a file that may contain a secret. */
export type SecretAnswer = 'send' | 'leaveOut';

/** A warning that's shown before the package is sent. */
export type PlanWarning =
  /** The package contains more files and folders than {@link MAX_PACKAGE_ENTRIES}. */
  | { readonly kind: 'tooManyEntries' }
  /** The package contains more bytes than {@link MAX_PACKAGE_BYTES}. */
  | { readonly kind: 'tooLarge' }
  /**
   * A rule of `.gitignore` excludes generated pages. The pages are the app, so they're sent, and the rules of
   * `.gitignore` don't apply in their folder. `folder` is relative to the project and ends with `/`, or is empty for
   * the project itself.
   */
  | { readonly kind: 'generatedContent'; readonly folder: string; readonly file: string; readonly rule: string }
  /**
   * The package contains config.xml, files that it refers to, or files that the start page loads, although `.gitignore`
   * excludes them.
   */
  | { readonly kind: 'takenIn'; readonly files: readonly (IgnoreRule & { readonly path: string })[] }
  /** The package contains files over {@link LARGE_FILE_BYTES}. The largest come first. */
  | { readonly kind: 'largeFiles'; readonly paths: readonly string[] }
  /** The package contains source maps, which reveal the app's source code to anyone who has the app. */
  | { readonly kind: 'sourceMaps'; readonly paths: readonly string[]; readonly bytes: number }
  /** The package contains names that a phone may not support. One warning per problem. */
  | { readonly kind: 'fileNames'; readonly problem: FileNameProblem; readonly paths: readonly string[] };

/** The planned contents of a package. */
export interface PackagePlan {
  readonly project: WebProject;
  readonly layout: ProjectLayout;
  /** The generated config.xml, if the project has none. */
  readonly config: MadeConfig | undefined;
  /** Generated files, which don't exist on disk. */
  readonly made: readonly MadeFile[];
  /** Files to package, sorted by path. */
  readonly files: readonly PlannedFile[];
  /** Total size of all files before compression. */
  readonly totalBytes: number;
  /** Entries that are left out, sorted by path. */
  readonly leftOut: readonly LeftOut[];
  /**
   * All files that may contain a secret, sorted by path. Allowed ones are in {@link files}. The others are in {@link
   * leftOut} with the reason `secret`.
   */
  readonly suspects: readonly SuspectFile[];
  readonly warnings: readonly PlanWarning[];
}

const SCRIPT_MAP = /\.(?:[cm]?js|css)\.map$/i;

/** Returns warnings to show before files are sent, the most important first. */
export function warningsAbout(
  files: readonly PlannedFile[],
  { pages }: Pick<ProjectLayout, 'pages'>,
): readonly PlanWarning[] {
  const names = new Map<FileNameProblem, Set<string>>();
  const folder = pages === '' ? '' : `${pages}/`;
  for (const { path } of files) {
    for (const { problem, path: part } of findNameProblems(path, folder)) {
      names.set(problem, (names.get(problem) ?? new Set()).add(part));
    }
  }
  const problems = ['leftOutByAndroid', 'unpackedByAndroid', 'notAscii'] as const;
  const large = files.filter(({ sizeBytes }) => sizeBytes > LARGE_FILE_BYTES).sort((a, b) => b.sizeBytes - a.sizeBytes);
  const maps = findSourceMaps(files);
  const takenIn = files.flatMap(({ path, overruled }) => (overruled === undefined ? [] : { path, ...overruled }));
  return [
    ...(takenIn.length > 0 ? [{ kind: 'takenIn', files: takenIn } as const] : []),
    ...(countEntries(files) > MAX_PACKAGE_ENTRIES ? [{ kind: 'tooManyEntries' } as const] : []),
    ...(getTotalSize(files) > MAX_PACKAGE_BYTES ? [{ kind: 'tooLarge' } as const] : []),
    ...problems.flatMap((problem) => {
      const paths = names.get(problem);
      return paths === undefined ? [] : [{ kind: 'fileNames', problem, paths: [...paths] } as const];
    }),
    ...(large.length > 0 ? [{ kind: 'largeFiles', paths: getPaths(large) } as const] : []),
    ...(maps.length > 0 ? [{ kind: 'sourceMaps', paths: getPaths(maps), bytes: getTotalSize(maps) } as const] : []),
  ];
}

function getTotalSize(files: readonly PlannedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Returns the number of files and of the folders that contain them. */
function countEntries(files: readonly PlannedFile[]): number {
  const entries = new Set<string>();
  for (const { path } of files) {
    for (let entry = path; entry !== '' && !entries.has(entry); entry = folderAbove(entry)) {
      entries.add(entry);
    }
  }
  return entries.size;
}

/** Returns the source maps. A source map is next to its script. Other maps, such as those in games, aren't. */
function findSourceMaps(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const maps = files.filter(({ path }) => /\.map$/i.test(path));
  const paths = new Set(maps.length === 0 ? [] : getPaths(files));
  return maps.filter(({ path }) => {
    const base = path.slice(0, -'.map'.length);
    return SCRIPT_MAP.test(path) || ['.js', '.min.js', '.css'].some((ending) => paths.has(`${base}${ending}`));
  });
}

function getPaths(files: readonly PlannedFile[]): readonly string[] {
  return files.map(({ path }) => path);
}

/**
 * Reports whether the app may need a suspect that is left out: a line of `.appbuildignore` includes it, or its name
 * doesn't mark it as a secret. Files such as `.env` are left out without asking the user.
 */
export function needsConsent({ secret, isRequested }: SuspectFile): boolean {
  return isRequested || secret !== 'name';
}

/**
 * Returns the plan with only the allowed suspects among its files. The warnings and sizes are for the remaining files.
 */
export function withSuspects(plan: PackagePlan, isAllowed: (suspect: SuspectFile) => boolean): PackagePlan {
  const paths = new Set(plan.suspects.map(({ file }) => file.path));
  const sent = new Set(plan.suspects.filter(isAllowed));
  const remaining = plan.suspects.filter((suspect) => !sent.has(suspect));
  const files = [...plan.files.filter(({ path }) => !paths.has(path)), ...[...sent].map(({ file }) => file)];
  const leftOut = [
    ...plan.leftOut.filter(({ path }) => !paths.has(path)),
    ...remaining.map(({ file: { path } }) => ({ path, reason: { kind: 'secret' } as const })),
  ];
  const generated = plan.warnings.filter(({ kind }) => kind === 'generatedContent');
  return {
    ...plan,
    files: files.sort(byPath),
    totalBytes: getTotalSize(files) + plan.made.reduce((sum, { bytes }) => sum + bytes.length, 0),
    leftOut: leftOut.sort(byPath),
    warnings: [...generated, ...warningsAbout(files, plan.layout)],
  };
}
