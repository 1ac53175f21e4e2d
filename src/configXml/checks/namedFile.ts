/** A file that a config.xml names. */
export interface NamedFile {
  /** As it is written, without query and fragment. */
  readonly path: string;
  /**
   * Where it may be, below the folder of the config.xml, with `/`, the first that counts first: `www/index.html`, `index.html`.
   * Letters of another case are another file: devices distinguish them.
   */
  readonly candidates: readonly string[];
  /** Of a page: the folder that it belongs into. */
  readonly pages?: string;
}

/** Why a file that a config.xml names is not there. */
export interface Absence {
  /** True for what a tool makes: its folder is still to be filled, or Git leaves it out. */
  readonly isMade: boolean;
  /** What a person runs to make it, such as `npm run build`; undefined where nothing says it. */
  readonly command?: string | undefined;
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
  const areAbsent = await Promise.all(candidates.map((candidate) => isAbsent(candidate, searched)));
  if (!areAbsent.every(Boolean)) {
    return undefined;
  }
  const [path = ''] = candidates;
  const isMade = pages !== undefined && ((await isEmpty(pages, searched)) || (await searched.isIgnored(path)));
  return { isMade };
}

async function isAbsent(path: string, { names }: SearchedFolder): Promise<boolean> {
  let folder = '';
  for (const name of path.split('/')) {
    const found = await names(folder);
    if (found?.has(name) !== true) {
      return found !== undefined;
    }
    folder = folder === '' ? name : `${folder}/${name}`;
  }
  return false;
}

/** Whether a folder holds nothing but what keeps it in a repository, or is not there. */
async function isEmpty(folder: string, { names }: SearchedFolder): Promise<boolean> {
  const found = await names(folder);
  return found !== undefined && [...found].every((name) => name.startsWith('.'));
}
