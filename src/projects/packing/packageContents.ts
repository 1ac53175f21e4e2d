import type * as vscode from 'vscode';
import type { Layout, MadeFile } from '../layout.ts';
import { MAX_PACKAGE_BYTES, MAX_PACKAGE_ENTRIES } from '../limits.ts';
import type { MadeConfig } from '../madeConfig.ts';
import type { FileDetails } from '../projectFolder.ts';
import type { ProjectPlugin } from '../projectPlugins.ts';
import type { WebProject } from '../projectSearch.ts';
import type { IgnoreRule } from './ignoreRules.ts';
import { nameProblemsOf, type FileNameProblem } from './fileNames.ts';
import { folderAbove, byPath } from '../paths.ts';

const LARGE_FILE_BYTES = 10_000_000;

/** A file that goes into the package, as it was looked at: another one in its place is not sent. */
export interface PlannedFile extends Pick<FileDetails, 'sizeBytes' | 'modifiedMs' | 'inode'> {
  /** Below the project, with `/`. */
  readonly path: string;
  readonly uri: vscode.Uri;
  /** Permissions, where the file system has them. */
  readonly mode: number | undefined;
  /** The `.gitignore` rule that leaves it out. It's sent anyway, because the app can't do without it. */
  readonly overruled?: IgnoreRule | undefined;
  /** The plugins that a config.xml is sent with, because other files of the project name them. */
  readonly withPlugins?:
    | {
        readonly plugins: readonly ProjectPlugin[];
        /** Sent instead of the file on the disk. */
        readonly bytes: Uint8Array;
      }
    | undefined;
}

/** Why something stays behind. */
export type LeftOutReason =
  /** A rule of `.gitignore` or `.appbuildignore`. `file` is below the project, or begins with `../`. */
  | { readonly kind: 'ignored'; readonly file: string; readonly rule: string }
  /** Neither one of the pages, nor config.xml, nor named by it. */
  | { readonly kind: 'outside' }
  /** Never part of an app: `.git`, `node_modules`, `platforms`, `plugins` … */
  | { readonly kind: 'notPartOfApp' }
  /** An app package from a build: `*.apk`, `*.aab`, `*.ipa`. */
  | { readonly kind: 'appPackage' }
  /** It may hold a secret (`.env`, `*.keystore`, a private key …), and the user hasn't allowed it. */
  | { readonly kind: 'secret' }
  /** A link that leads out of the folder, nowhere, or back to a folder that it is in. */
  | { readonly kind: 'link' }
  /** Neither a file nor a folder. */
  | { readonly kind: 'special' }
  /** A name that not every system can unpack, or that differs from another one by upper and lower case only. */
  | { readonly kind: 'name' }
  /** A folder that cannot be read. */
  | { readonly kind: 'unreadable' };

export interface LeftOut {
  /** Below the project, with `/`; a folder ends in `/`. */
  readonly path: string;
  readonly reason: LeftOutReason;
}

/** A kind of secret whose form is known. */
export type SecretKind =
  /** Its name says so: `.env`, `*.keystore`. */
  'name' | 'privateKey' | 'signingPasswords' | 'cloudKey' | 'accessToken';

/** A file that may hold a secret: only an explicit yes to this very file sends it. The secret itself is not kept. */
export interface SuspectFile {
  readonly file: PlannedFile;
  readonly secret: SecretKind;
  /** Where the first secret begins, from one; undefined when its name makes it a suspect. */
  readonly line: number | undefined;
  /** True when a line of `.appbuildignore` asks for it by its name. */
  readonly isRequested: boolean;
  /** A short hash of the secrets that were found: a yes holds as long as they stay the same. Undefined for a suspect by name. */
  readonly fingerprint?: string | undefined;
}

/** The user's answer about a file that may hold a secret. */
export type SecretAnswer = 'send' | 'leaveOut';

/** A warning before the package is sent. */
export type PlanWarning =
  /** More files and folders than {@link MAX_PACKAGE_ENTRIES}. */
  | { readonly kind: 'tooManyEntries' }
  /** More bytes than {@link MAX_PACKAGE_BYTES}. */
  | { readonly kind: 'tooLarge' }
  /**
   * A rule of `.gitignore` names the web content, which a tool has made. It is the app, so it is sent; rules of `.gitignore` do
   * not count in it. `folder` is below the project and ends in `/`, or is empty for the project itself.
   */
  | { readonly kind: 'generatedContent'; readonly folder: string; readonly file: string; readonly rule: string }
  /** config.xml, a file that it names, or one that the first page loads, although `.gitignore` leaves it out. */
  | { readonly kind: 'takenIn'; readonly files: readonly (IgnoreRule & { readonly path: string })[] }
  /** Files over {@link LARGE_FILE_BYTES}, the biggest first. */
  | { readonly kind: 'largeFiles'; readonly paths: readonly string[] }
  /** Source maps, which show the source of the app to everyone who has it. */
  | { readonly kind: 'sourceMaps'; readonly paths: readonly string[]; readonly bytes: number }
  /** Names that a phone may not take, though a zip archive does: a warning for each problem. */
  | { readonly kind: 'fileNames'; readonly problem: FileNameProblem; readonly paths: readonly string[] };

/** The files of a package, before anything is packed. */
export interface PackagePlan {
  readonly project: WebProject;
  readonly layout: Layout;
  /** The config.xml that the package gets where the project has none. */
  readonly config: MadeConfig | undefined;
  /** Files that are in no folder. */
  readonly made: readonly MadeFile[];
  /** Sorted by path. */
  readonly files: readonly PlannedFile[];
  /** Sum of all files, before compression. */
  readonly totalBytes: number;
  /** Sorted by path. */
  readonly leftOut: readonly LeftOut[];
  /**
   * All files that may hold a secret, sorted by path. Those that are allowed are among the files, the others are in
   * {@link leftOut} with the reason `secret`.
   */
  readonly suspects: readonly SuspectFile[];
  readonly warnings: readonly PlanWarning[];
}

const SCRIPT_MAP = /\.(?:[cm]?js|css)\.map$/i;

/** Warnings about files before they are sent; the most important first. */
export function warningsAbout(files: readonly PlannedFile[], { pages }: Pick<Layout, 'pages'>): readonly PlanWarning[] {
  const names = new Map<FileNameProblem, Set<string>>();
  const folder = pages === '' ? '' : `${pages}/`;
  for (const { path } of files) {
    for (const { problem, path: part } of nameProblemsOf(path, folder)) {
      names.set(problem, (names.get(problem) ?? new Set()).add(part));
    }
  }
  const problems = ['leftOutByAndroid', 'unpackedByAndroid', 'notAscii'] as const;
  const large = files.filter(({ sizeBytes }) => sizeBytes > LARGE_FILE_BYTES).sort((a, b) => b.sizeBytes - a.sizeBytes);
  const maps = sourceMapsOf(files);
  const takenIn = files.flatMap(({ path, overruled }) => (overruled === undefined ? [] : { path, ...overruled }));
  return [
    ...(takenIn.length > 0 ? [{ kind: 'takenIn', files: takenIn } as const] : []),
    ...(entriesOf(files) > MAX_PACKAGE_ENTRIES ? [{ kind: 'tooManyEntries' } as const] : []),
    ...(sizeOfFiles(files) > MAX_PACKAGE_BYTES ? [{ kind: 'tooLarge' } as const] : []),
    ...problems.flatMap((problem) => {
      const paths = names.get(problem);
      return paths === undefined ? [] : [{ kind: 'fileNames', problem, paths: [...paths] } as const];
    }),
    ...(large.length > 0 ? [{ kind: 'largeFiles', paths: pathsOf(large) } as const] : []),
    ...(maps.length > 0 ? [{ kind: 'sourceMaps', paths: pathsOf(maps), bytes: sizeOfFiles(maps) } as const] : []),
  ];
}

/** Sum of the files, in bytes. */
function sizeOfFiles(files: readonly PlannedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Files, and the folders that they are in. */
function entriesOf(files: readonly PlannedFile[]): number {
  const entries = new Set<string>();
  for (const { path } of files) {
    for (let entry = path; entry !== '' && !entries.has(entry); entry = folderAbove(entry)) {
      entries.add(entry);
    }
  }
  return entries.size;
}

/** A map of something else, such as of a game, stands beside no script. */
function sourceMapsOf(files: readonly PlannedFile[]): readonly PlannedFile[] {
  const maps = files.filter(({ path }) => /\.map$/i.test(path));
  const paths = new Set(maps.length === 0 ? [] : pathsOf(files));
  return maps.filter(({ path }) => {
    const base = path.slice(0, -'.map'.length);
    return SCRIPT_MAP.test(path) || ['.js', '.min.js', '.css'].some((ending) => paths.has(`${base}${ending}`));
  });
}

function pathsOf(files: readonly PlannedFile[]): readonly string[] {
  return files.map(({ path }) => path);
}

/**
 * Whether an upload would miss a suspect that stays behind: it was asked for, or its name is like that of any other
 * file. A secret by its name, such as `.env`, is left out without a question.
 */
export function needsConsent({ secret, isRequested }: SuspectFile): boolean {
  return isRequested || secret !== 'name';
}

/**
 * The plan with those of its suspects that are allowed among the files, and no other. Warnings and sums are those of
 * the files that are left.
 */
export function withSuspects(plan: PackagePlan, isAllowed: (suspect: SuspectFile) => boolean): PackagePlan {
  const paths = new Set(plan.suspects.map(({ file }) => file.path));
  const sent = new Set(plan.suspects.filter(isAllowed));
  const kept = plan.suspects.filter((suspect) => !sent.has(suspect));
  const files = [...plan.files.filter(({ path }) => !paths.has(path)), ...[...sent].map(({ file }) => file)];
  const leftOut = [
    ...plan.leftOut.filter(({ path }) => !paths.has(path)),
    ...kept.map(({ file: { path } }) => ({ path, reason: { kind: 'secret' } as const })),
  ];
  const generated = plan.warnings.filter(({ kind }) => kind === 'generatedContent');
  return {
    ...plan,
    files: files.sort(byPath),
    totalBytes: sizeOfFiles(files) + plan.made.reduce((sum, { bytes }) => sum + bytes.length, 0),
    leftOut: leftOut.sort(byPath),
    warnings: [...generated, ...warningsAbout(files, plan.layout)],
  };
}
