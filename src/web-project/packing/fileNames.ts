import { posix } from 'node:path';
import { MAX_PATH_BYTES } from '../limits.ts';

/** File names that never go into a package, whatever the ignore files contain. */

/** Matches folders of version control. No rule can include them. */
export const VERSION_CONTROL = /^\.(?:git|hg|svn)$/i;
/** Matches files that tools and systems add next to an app. */
const NOT_PART_OF_APP =
  /^(?:node_modules|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|\.vscode|\.idea|\.DS_Store|Thumbs\.db|__MACOSX)$/i;
/** Matches app packages from builds. If each build packed the previous one, the app would keep growing. */
export const APP_PACKAGE = /\.(?:apk|aab|ipa)$/i;
/** Matches folders that Cordova creates at the top of its project. */
const MADE_BY_CORDOVA = /^(?:platforms|plugins)$/i;

/** Matches names of files and folders that contain a secret. */
export const SECRET_NAME = new RegExp(
  [
    // Variables and credentials of tools, including names such as `.envrc`.
    String.raw`\.env.*|.+\.env|.*\.tfvars`,
    String.raw`\.npmrc|\.netrc|_netrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.dockercfg|\.s3cfg`,
    String.raw`\.ssh|\.gnupg|\.aws`,
    // Keys and keystores, and copies of them such as `a.jks.bak`. Also Apple's profiles, which belong to the signing
    // keys of the service.
    String.raw`.*\.(?:keystore|jks|p12|pfx)\b.*`,
    String.raw`.*\.(?:bks|p8|pk8|ppk|kdbx|keychain|keychain-db|mobileprovision|provisionprofile)`,
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?`,
    // Passwords of keystores.
    String.raw`(?:key|keystore|signing|.*-signing)\.properties`,
  ]
    .map((name) => `^(?:${name})$`)
    .join('|'),
  'is',
);

/** Matches Windows device names with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

/**
 * Reports whether a file or folder isn't part of an app, based on its name.
 *
 * @param isAtTop whether it's at the top of a Cordova project
 */
export function isNotPartOfApp(name: string, isAtTop: boolean): boolean {
  return NOT_PART_OF_APP.test(name) || (isAtTop && MADE_BY_CORDOVA.test(name));
}

/**
 * Reports whether a zip archive can contain a path and all systems can unpack it. Otherwise, services reject the whole
 * archive.
 */
export function isPortable(path: string): boolean {
  const name = posix.basename(path);
  return (
    name !== '' &&
    name !== '..' &&
    !/[\\:\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u.test(name) &&
    !/[. ]$/.test(name) &&
    !DEVICE_NAME.test(name) &&
    Buffer.byteLength(path) <= MAX_PATH_BYTES
  );
}

/** Returns a path in the form that the file systems of Windows and macOS compare. */
export function toComparablePath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Matches the default of `ignoreAssetsPattern` in Android's Gradle plugin, in any case:
 * `!.svn:!.git:!.ds_store:!*.scc:.*:<dir>_*:!CVS:` …
 */
const LEFT_OUT = /^\.|~$|\.scc$|^(?:cvs|picasa\.ini)$/i;
/** Matches files of tools, which an app doesn't need. */
const NOT_MISSED =
  /^\.(?:git|[^.]*rc(?:\.|$)|(?:keep|editorconfig|htaccess|nojekyll|.*ignore|[a-z]+\.(?:json|ya?ml|toml)|circleci|husky)$)|~$|\.scc$/i;

/**
 * A problem that a file has in an app, although a zip archive can contain it.
 *
 * Source: the default of `ignoreAssetsPattern` in Android's Gradle plugin, which Cordova's project doesn't change.
 */
export type FileNameProblem =
  /** Android drops files and folders that begin with a dot, folders that begin with an underscore, and some others. */
  | 'leftOutByAndroid'
  /** Android unpacks `a.gz` and names it `a` in the app. */
  | 'unpackedByAndroid'
  /** The name has characters outside of ASCII, which the original service rejects. */
  | 'notAscii';

/** A part of a path that has a problem, with the path up to that part. A folder ends with `/`. */
interface PathProblem {
  readonly problem: FileNameProblem;
  readonly path: string;
}

/**
 * Returns the problems of a file's path, the first of each kind.
 *
 * @param folder the pages folder, which ends with `/` or is empty. Files outside of it don't go into the app
 */
export function findNameProblems(path: string, folder: string): readonly PathProblem[] {
  if (!path.startsWith(folder)) {
    return [];
  }
  const names = path.slice(folder.length).split('/');
  const upTo = (index: number): string =>
    `${folder}${names.slice(0, index + 1).join('/')}${index === names.length - 1 ? '' : '/'}`;
  const isFolder = (index: number): boolean => index < names.length - 1;
  const leftOut = names.findIndex((name, index) => LEFT_OUT.test(name) || (isFolder(index) && name.startsWith('_')));
  const foreign = names.findIndex((name) => /[^\x20-\x7e]/.test(name));
  return [
    ...(leftOut < 0 || NOT_MISSED.test(names[leftOut] ?? '')
      ? []
      : [{ problem: 'leftOutByAndroid', path: upTo(leftOut) } as const]),
    ...(/\.gz$/i.test(path) ? [{ problem: 'unpackedByAndroid', path } as const] : []),
    ...(foreign < 0 ? [] : [{ problem: 'notAscii', path: upTo(foreign) } as const]),
  ];
}
