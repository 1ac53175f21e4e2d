import {
  hasPlaceholder,
  findAttribute,
  DEFAULT_START_PAGE,
  type WidgetPart,
  widgetParts,
  withoutQuery,
} from './widget.ts';
import type { XmlAttribute, XmlDocument } from './xmlDocument.ts';

/** A file that a config.xml refers to. */
export interface NamedFile {
  /** Path as written, without query and fragment. */
  readonly path: string;
  /**
   * Possible paths relative to the folder of config.xml, with `/`, in order of priority: `www/index.html`,
   * `index.html`. Paths in the parent folder begin with `../`. Paths are case-sensitive, because devices distinguish
   * case.
   */
  readonly candidates: readonly string[];
  /** The pages folder, if the file belongs there. */
  readonly pages?: string;
}

/** A reference to a file in a config.xml. */
export interface ConfigFileReference extends NamedFile {
  readonly attribute: XmlAttribute;
  readonly isStartPage: boolean;
}

/** Name of a package's pages folder, which is next to config.xml. */
const PACKAGE_PAGES = 'www';

const FILE_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['icon', ['src', 'foreground', 'background', 'monochrome']],
  ['splash', ['src']],
  ['resource-file', ['src']],
]);

/** Names of preferences whose value is a file, in lowercase. */
const FILE_PREFERENCES: ReadonlySet<string> = new Set([
  'androidwindowsplashscreenanimatedicon',
  'androidwindowsplashscreenbrandingimage',
]);

/**
 * Returns the local files that a config.xml refers to: start page, icons, splash screens, and resource files.
 *
 * @param pages the pages folder, relative to that of config.xml. In a package, it's `www`
 * @param isInPages whether config.xml is in the pages folder. In that case, Cordova reads images from the parent folder
 */
export function filesNamedIn(document: XmlDocument, pages = PACKAGE_PAGES, isInPages = false): readonly NamedFile[] {
  const files = new Map<string, NamedFile>();
  if (document.root !== undefined) {
    const candidates = getCandidates(DEFAULT_START_PAGE, 'page', pages);
    files.set(DEFAULT_START_PAGE, { path: DEFAULT_START_PAGE, candidates, pages });
  }
  for (const { path, candidates, isStartPage } of fileReferences(document, pages)) {
    if (!files.has(path)) {
      const above = isInPages && !isStartPage ? candidates.slice(0, 1).map((candidate) => `../${candidate}`) : [];
      const isInside = isStartPage || path.startsWith(`${PACKAGE_PAGES}/`);
      files.set(path, { path, candidates: [...above, ...candidates], ...(isInside && { pages }) });
    }
  }
  return [...files.values()];
}

/** Returns the references to local files in a config.xml. */
export function fileReferences(document: XmlDocument, pages = PACKAGE_PAGES): readonly ConfigFileReference[] {
  const parts = widgetParts(document);
  // Cordova uses the first `<content>`.
  const content = parts.find(({ name }) => name === 'content');
  const page = content && findAttribute(content.element, 'src');
  const named = [
    ...(page === undefined ? [] : [{ path: withoutQuery(page.value), attribute: page, isStartPage: true }]),
    ...parts.flatMap(fileAttributes).map((attribute) => ({ path: attribute.value, attribute, isStartPage: false })),
  ];
  return named
    .map((each) => ({ ...each, candidates: getCandidates(each.path, each.isStartPage ? 'page' : 'file', pages) }))
    .filter(({ candidates }) => candidates.length > 0);
}

function fileAttributes({ element, name }: WidgetPart): readonly XmlAttribute[] {
  if (name === 'preference') {
    const value = findAttribute(element, 'value');
    const isFile = FILE_PREFERENCES.has(findAttribute(element, 'name')?.value.toLowerCase() ?? '');
    return value === undefined || !isFile ? [] : [value];
  }
  const names = FILE_ATTRIBUTES.get(name);
  return names === undefined ? [] : element.attributes.filter((attribute) => names.includes(attribute.name));
}

/**
 * Returns the candidate locations of a path. PhoneGap Build kept config.xml next to the pages, and resolved all paths
 * from there.
 *
 * @returns an empty array for an address, an Android resource, or a path outside the folder
 */
function getCandidates(written: string, kind: 'page' | 'file', pages: string): readonly string[] {
  // One letter with a colon is a Windows drive.
  if (hasPlaceholder(written) || /^(?:[a-z][a-z\d+.-]*:|\/\/|[@#])/i.test(written)) {
    return [];
  }
  const path = written.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  if (path === '' || path.endsWith('/') || /(?:^|\/)\.\.(?:\/|$)/.test(path)) {
    return [];
  }
  const inFolder = (below: string) => (pages === '' ? below : `${pages}/${below}`);
  const inPackage = path.startsWith(`${PACKAGE_PAGES}/`) ? path.slice(PACKAGE_PAGES.length + 1) : undefined;
  const moved = inPackage === undefined || pages === PACKAGE_PAGES ? [] : [inFolder(inPackage)];
  const inPages = [inFolder(path), ...moved, ...(inPackage === undefined ? [] : [inPackage])];
  return [...new Set(kind === 'page' ? [...inPages, path] : [path, ...inPages])];
}

/** Details about a missing file that a config.xml refers to. */
export interface MissingFile {
  /** Whether a tool creates the file. This is assumed if its folder is still empty, or if Git ignores the file. */
  readonly isMade: boolean;
  /** The command that creates the file, such as `npm run build`. Undefined if unknown. */
  readonly command?: string | undefined;
  /** The topmost missing folder in the file's path. Undefined if the file's folder exists. */
  readonly folder?: string | undefined;
  /** The actual path, if it differs only in case. */
  readonly otherCase?: string | undefined;
}

/** Missing files, keyed by path as returned by `filesNamedIn`. */
export type MissingFiles = ReadonlyMap<string, MissingFile>;

/**
 * The folder that's searched for the files that a config.xml refers to. Paths are relative to it and use `/`. The
 * folder itself is the empty path.
 */
export interface SearchedFolder {
  /** Returns the names in a folder: none if the folder doesn't exist, and undefined if it can't be read. */
  readonly names: (folder: string) => Promise<ReadonlySet<string> | undefined>;
  /** Reports whether Git ignores a file. */
  readonly isIgnored: (path: string) => Promise<boolean>;
}

/**
 * Searches for a file. Like devices, distinguishes case, even on a computer whose file system ignores case. Reads only
 * the names in folders.
 *
 * @returns undefined if the file exists or is in a folder that can't be read
 */
export async function findAbsence(
  { candidates, pages }: NamedFile,
  searched: SearchedFolder,
): Promise<MissingFile | undefined> {
  const looked = await Promise.all(candidates.map((candidate) => findFile(candidate, searched)));
  if (looked.includes(undefined)) {
    return undefined;
  }
  const [path = ''] = candidates;
  const otherCase = looked.find((each) => each?.otherCase !== undefined)?.otherCase;
  const isEmptied = pages !== undefined && (await isEmpty(pages, searched));
  const isMade = otherCase === undefined && (isEmptied || (await searched.isIgnored(path)));
  return { isMade, folder: looked[0]?.folder, otherCase };
}

/** Searches for a file at one path. Returns undefined if it exists or is in a folder that can't be read. */
async function findFile(
  path: string,
  { names }: SearchedFolder,
): Promise<Pick<MissingFile, 'folder' | 'otherCase'> | undefined> {
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

/** Returns a path relative to the project folder, which is the parent folder. */
function shownPath(path: string): string {
  return path.replace(/^\.\.\//, '');
}

/** Reports whether a folder is missing or contains only hidden files such as `.gitkeep`. */
async function isEmpty(folder: string, { names }: SearchedFolder): Promise<boolean> {
  const found = await names(folder);
  return found !== undefined && [...found].every((name) => name.startsWith('.'));
}
