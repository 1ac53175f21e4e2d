import type { FileNameProblem } from './packageContents.ts';

/**
 * What becomes of the files of a web app on a phone, by their names.
 *
 * Source: the default of `ignoreAssetsPattern` in Android's Gradle plugin, `!.svn:!.git:!.ds_store:!*.scc:.*:<dir>_*:!CVS:` …,
 * which ignores case, and which Cordova's Android project leaves as it is.
 */

const LEFT_OUT = /^\.|~$|\.scc$|^(?:cvs|picasa\.ini)$/i;
/** Files of tools: nobody misses them in an app. */
const NOT_MISSED =
  /^\.(?:git.*|keep|editorconfig|htaccess|nojekyll|.*ignore|.*rc(?:\..*)?|[a-z]+\.(?:json|ya?ml|toml)|github|circleci|husky)$|~$|\.scc$/i;

/** A part of a path that has a problem: the path as far as that part; a folder ends in `/`. */
export interface NamedProblem {
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
