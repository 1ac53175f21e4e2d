import { posix } from 'node:path';
import { MAX_PATH_BYTES } from '../limits.ts';

/** File names that never go into a package, regardless of the ignore files. */

/** Matches folders of version control. Rules can't include them. */
export const VERSION_CONTROL = /^\.(?:git|hg|svn)$/i;
/** Matches files that tools and systems create next to an app. */
const NOT_PART_OF_APP =
  /^(?:node_modules|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|\.vscode|\.idea|\.DS_Store|Thumbs\.db|__MACOSX)$/i;
/** Matches app packages from builds. If every build packed the previous package, the app would keep growing. */
export const APP_PACKAGE = /\.(?:apk|aab|ipa)$/i;
/** Matches folders that Cordova creates at the top of its project. */
const MADE_BY_CORDOVA = /^(?:platforms|plugins)$/i;

/** Matches names of files and folders that usually contain a secret. */
export const SECRET_NAME = new RegExp(
  [
    // Files with environment variables or tools' credentials, including names such as `.envrc`.
    String.raw`\.env.*|.+\.env|.*\.tfvars`,
    String.raw`\.npmrc|\.netrc|_netrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.dockercfg|\.s3cfg`,
    String.raw`\.ssh|\.gnupg|\.aws`,
    // Keys and keystores, and copies of them such as `a.jks.bak`. Also Apple's provisioning profiles, which belong to
    // signing keys.
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
 * Reports whether the name of a file or folder shows that it isn't part of an app.
 *
 * @param isAtTop whether it's at the top of a Cordova project
 */
export function isNotPartOfApp(name: string, isAtTop: boolean): boolean {
  return NOT_PART_OF_APP.test(name) || (isAtTop && MADE_BY_CORDOVA.test(name));
}

/**
 * Reports whether a zip archive can contain a path that all systems can unpack. Services reject archives with any other
 * path.
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

/** Returns a path in the form that case-insensitive file systems compare. */
export function toComparablePath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Matches the default of `ignoreAssetsPattern` in Android's Gradle plugin, in any case:
 * `!.svn:!.git:!.ds_store:!*.scc:.*:<dir>_*:!CVS:` …
 */
const LEFT_OUT = /^\.|~$|\.scc$|^(?:cvs|picasa\.ini)$/i;
/** Matches files for development, which an app doesn't need. */
const NOT_MISSED =
  /^\.(?:git|[^.]*rc(?:\.|$)|(?:keep|editorconfig|htaccess|nojekyll|.*ignore|[a-z]+\.(?:json|ya?ml|toml)|circleci|husky)$)|~$|\.scc$/i;

/**
 * A problem with a file name in an app, although a zip archive can contain the file.
 *
 * Source: the default of `ignoreAssetsPattern` in Android's Gradle plugin, which Cordova's project doesn't change.
 */
export type FileNameProblem =
  /** Android drops files and folders that begin with a dot, folders that begin with an underscore, and some others. */
  | 'leftOutByAndroid'
  /** Android unpacks `a.gz` and renames it to `a` in the app. */
  | 'unpackedByAndroid'
  /** The name has non-ASCII characters, which the original service rejects. */
  | 'notAscii';

/** A part of a path with a problem, and the path up to and including that part. Folders end with `/`. */
interface PathProblem {
  readonly problem: FileNameProblem;
  readonly path: string;
}

/**
 * Returns the problems with a file's path: the first of each kind.
 *
 * @param folder the pages folder, which ends with `/` or is empty. Files outside of it don't become part of the app
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
