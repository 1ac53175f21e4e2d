/** A file that a config.xml names. */
export interface NamedFile {
  /** As it is written, without query and fragment. */
  readonly path: string;
  /**
   * Where it may be, below the folder of the config.xml, with `/`, the first that counts first: `www/index.html`, `index.html`;
   * `../` is the folder above it. Letters of another case are another file: devices distinguish them.
   */
  readonly candidates: readonly string[];
  /** The folder of the pages, for a file that belongs into it. */
  readonly pages?: string;
}

/** Why a file that a config.xml names is not there. */
export interface Absence {
  /** True for what a tool makes: its folder is still to be filled, or Git leaves it out. */
  readonly isMade: boolean;
  /** What a person runs to make it, such as `npm run build`; undefined where nothing says it. */
  readonly command?: string | undefined;
  /** The first folder on the way to it that is not there; undefined where that of the file is. */
  readonly folder?: string | undefined;
  /** How it is called, where only upper and lower case differ. */
  readonly otherCase?: string | undefined;
}

/** What a config.xml names and is not there, by the paths of `filesNamedIn`. */
export type Absences = ReadonlyMap<string, Absence>;

/** Where the files are looked for that a config.xml names. Paths are below one folder, with `/`; the folder itself is the empty path. */
export interface SearchedFolder {
  /** The names in a folder; none where there is no such folder, undefined when it cannot be read. */
  readonly names: (folder: string) => Promise<ReadonlySet<string> | undefined>;
  /** Whether Git leaves a file out. */
  readonly isIgnored: (path: string) => Promise<boolean>;
}

/**
 * Looks for a file. Names are compared letter by letter, as a device does, whatever this machine takes for the same. Reads nothing
 * but the names in folders.
 *
 * @returns undefined for one that is there, or in a folder that cannot be read
 */
export async function absenceOf(
  { candidates, pages }: NamedFile,
  searched: SearchedFolder,
): Promise<Absence | undefined> {
  const looked = await Promise.all(candidates.map((candidate) => lookFor(candidate, searched)));
  if (looked.includes(undefined)) {
    return undefined;
  }
  const [path = ''] = candidates;
  const otherCase = looked.find((each) => each?.otherCase !== undefined)?.otherCase;
  const isEmptied = pages !== undefined && (await isEmpty(pages, searched));
  const isMade = otherCase === undefined && (isEmptied || (await searched.isIgnored(path)));
  return { isMade, folder: looked[0]?.folder, otherCase };
}

/** Undefined for a path that is there, or in a folder that cannot be read. */
async function lookFor(
  path: string,
  { names }: SearchedFolder,
): Promise<Pick<Absence, 'folder' | 'otherCase'> | undefined> {
  const parts = path.split('/');
  let folder = '';
  for (const [index, part] of parts.entries()) {
    const found = part === '..' ? new Set([part]) : await names(folder);
    if (found === undefined) {
      return undefined;
    }
    const name = found.has(part) ? part : sameLetters(found, part);
    if (name === undefined) {
      const isFolder = index < parts.length - 1;
      return { folder: isFolder ? shownPath(parts.slice(0, index + 1).join('/')) : undefined };
    }
    folder = folder === '' ? name : `${folder}/${name}`;
  }
  return folder === path ? undefined : { otherCase: shownPath(folder) };
}

function sameLetters(names: ReadonlySet<string>, name: string): string | undefined {
  const lowered = name.toLowerCase();
  return [...names].find((each) => each.toLowerCase() === lowered);
}

/** Below the folder of the project, where that is the one above. */
function shownPath(path: string): string {
  return path.replace(/^\.\.\//, '');
}

/** Whether a folder holds nothing but what keeps it in a repository, or is not there. */
async function isEmpty(folder: string, { names }: SearchedFolder): Promise<boolean> {
  const found = await names(folder);
  return found !== undefined && [...found].every((name) => name.startsWith('.'));
}
