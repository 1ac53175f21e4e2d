import { posix } from 'node:path';
import { MAX_PATH_BYTES } from '../limits.ts';

/** What does not go into a package by its name, whatever ignore files say. */

/** Of version control: not even a rule takes them in. */
export const VERSION_CONTROL = /^\.(?:git|hg|svn)$/i;
/** Files that tools and systems put beside an app. */
const NOT_PART_OF_APP =
  /^(?:node_modules|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|\.vscode|\.idea|\.DS_Store|Thumbs\.db|__MACOSX)$/i;
/** App packages from builds. If each build packed the one before, the app would keep growing. */
export const APP_PACKAGE = /\.(?:apk|aab|ipa)$/i;
/** Folders that Cordova makes at the top of its project. */
const MADE_BY_CORDOVA = /^(?:platforms|plugins)$/i;

/** Names of files and folders that hold a secret. */
export const SECRET_NAME = new RegExp(
  [
    // Variables and credentials of tools; a name such as `.envrc` too.
    String.raw`\.env.*|.+\.env|.*\.tfvars`,
    String.raw`\.npmrc|\.netrc|_netrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.dockercfg|\.s3cfg`,
    String.raw`\.ssh|\.gnupg|\.aws`,
    // Keys and key stores, copies of them such as `a.jks.bak`, and Apple's profiles, which belong to the signing keys of the service.
    String.raw`.*\.(?:keystore|jks|p12|pfx)\b.*`,
    String.raw`.*\.(?:bks|p8|pk8|ppk|kdbx|keychain|keychain-db|mobileprovision|provisionprofile)`,
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?`,
    // Passwords of key stores.
    String.raw`(?:key|keystore|signing|.*-signing)\.properties`,
  ]
    .map((name) => `^(?:${name})$`)
    .join('|'),
  'is',
);

/** Names that Windows gives to devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i;

/** @param isAtTop whether the name is at the top of a Cordova project */
export function isNotPartOfApp(name: string, isAtTop: boolean): boolean {
  return NOT_PART_OF_APP.test(name) || (isAtTop && MADE_BY_CORDOVA.test(name));
}

/** Whether a zip archive can carry a path, and every system can unpack it: services refuse the whole archive otherwise. */
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

/** A path as the file systems of Windows and macOS compare it. */
export function comparable(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** As `ignoreAssetsPattern` of Android's Gradle plugin has it by default: `!.svn:!.git:!.ds_store:!*.scc:.*:<dir>_*:!CVS:` …, in any case. */
const LEFT_OUT = /^\.|~$|\.scc$|^(?:cvs|picasa\.ini)$/i;
/** Files of tools, which are not missed in an app. */
const NOT_MISSED =
  /^\.(?:git|[^.]*rc(?:\.|$)|(?:keep|editorconfig|htaccess|nojekyll|.*ignore|[a-z]+\.(?:json|ya?ml|toml)|circleci|husky)$)|~$|\.scc$/i;

/**
 * What becomes of a file in an app, though a zip archive carries it.
 *
 * Source: the default of `ignoreAssetsPattern` in Android's Gradle plugin, which Cordova's project leaves as it is.
 */
export type FileNameProblem =
  /** Android leaves out files and folders that begin with a dot, folders that begin with an underscore, and some others. */
  | 'leftOutByAndroid'
  /** Android unpacks `a.gz`, and it is called `a` in the app. */
  | 'unpackedByAndroid'
  /** Characters outside of ASCII: the original service refused them. */
  | 'notAscii';

/** A part of a path that has a problem: the path as far as that part; a folder ends in `/`. */
interface NamedProblem {
  readonly problem: FileNameProblem;
  readonly path: string;
}

/**
 * The problems of a file's path, the first of each kind.
 *
 * @param folder of the pages, which ends in `/`, or is empty: what is beside it does not come into the app
 */
export function nameProblemsOf(path: string, folder: string): readonly NamedProblem[] {
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
