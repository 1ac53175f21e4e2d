import type { Layout } from '../layout.ts';
import { nameProblemsOf } from './assetNames.ts';
import {
  LARGE_FILE_BYTES,
  MAX_SERVICE_BYTES,
  MAX_SERVICE_ENTRIES,
  type FileNameProblem,
  type PlannedFile,
  type PlanWarning,
} from './packageContents.ts';

const SCRIPT_MAP = /\.(?:[cm]?js|css)\.map$/i;

/** What a person should know of files before they are sent; those that matter most come first. */
export function warningsAbout(files: readonly PlannedFile[], { pages }: Pick<Layout, 'pages'>): readonly PlanWarning[] {
  const names = new Map<FileNameProblem, Set<string>>();
  const folder = pages === '' ? '' : `${pages}/`;
  for (const { path } of files) {
    for (const { problem, path: part } of nameProblemsOf(path, folder)) {
      names.set(problem, (names.get(problem) ?? new Set()).add(part));
    }
  }
  const problems = ['leftOutByAndroid', 'unpackedByAndroid', 'notAscii'] as const;
  const large = files.filter(({ sizeBytes }) => sizeBytes > LARGE_FILE_BYTES);
  const maps = sourceMapsOf(files);
  return [
    ...(entriesOf(files) > MAX_SERVICE_ENTRIES ? [{ kind: 'tooManyEntries' } as const] : []),
    ...(sizeOf(files) > MAX_SERVICE_BYTES ? [{ kind: 'tooLarge' } as const] : []),
    ...problems.flatMap((problem) => {
      const paths = names.get(problem);
      return paths === undefined ? [] : [{ kind: 'fileNames', problem, paths: [...paths] } as const];
    }),
    ...(large.length > 0 ? [{ kind: 'largeFiles', paths: pathsOf(bySize(large)) } as const] : []),
    ...(maps.length > 0 ? [{ kind: 'sourceMaps', paths: pathsOf(maps), bytes: sizeOf(maps) } as const] : []),
  ];
}

/** Sum of the files, in bytes. */
export function sizeOf(files: readonly PlannedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Files, and the folders that they are in. */
function entriesOf(files: readonly PlannedFile[]): number {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const size = folders.size;
      if (folders.add(path.slice(0, end)).size === size) {
        break;
      }
    }
  }
  return files.length + folders.size;
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

function bySize(files: readonly PlannedFile[]): readonly PlannedFile[] {
  return files.toSorted((a, b) => b.sizeBytes - a.sizeBytes);
}

function pathsOf(files: readonly PlannedFile[]): readonly string[] {
  return files.map(({ path }) => path);
}
