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
   * `index.html`. `../` is the folder above it. Paths are case-sensitive, because devices distinguish case.
   */
  readonly candidates: readonly string[];
  /** The pages folder, for a file that belongs there. */
  readonly pages?: string;
}

/** A place in a config.xml that refers to a file. */
export interface ConfigFileReference extends NamedFile {
  readonly attribute: XmlAttribute;
  readonly isStartPage: boolean;
}

/** Folder of a package's pages, next to config.xml. */
const PACKAGE_PAGES = 'www';

const FILE_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['icon', ['src', 'foreground', 'background', 'monochrome']],
  ['splash', ['src']],
  ['resource-file', ['src']],
]);

/** Preferences that contain a file, in lower case. */
const FILE_PREFERENCES: ReadonlySet<string> = new Set([
  'androidwindowsplashscreenanimatedicon',
  'androidwindowsplashscreenbrandingimage',
]);

/**
 * Returns the local files that a config.xml refers to: start page, icons, splash screens, resource files.
 *
 * @param pages the pages folder, relative to that of config.xml. In a package, it's `www`
 * @param isInPages whether config.xml is in the pages folder. In that case, Cordova reads images from the folder above
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

/** Returns the places that refer to a local file. */
export function fileReferences(document: XmlDocument, pages = PACKAGE_PAGES): readonly ConfigFileReference[] {
  const parts = widgetParts(document);
  // Cordova uses the first one.
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
 * Returns possible locations for a path. PhoneGap Build, which kept config.xml next to the pages, resolved all paths
 * from there.
 *
 * @returns an empty array for an address, an Android resource, and a path outside of the folder
 */
function getCandidates(written: string, kind: 'page' | 'file', pages: string): readonly string[] {
  // A letter with a colon is a Windows drive.
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
  /** Whether a tool creates the file: its folder is still empty, or Git ignores it. */
  readonly isMade: boolean;
  /** The command that creates the file, such as `npm run build`. Undefined if unknown. */
  readonly command?: string | undefined;
  /** The first missing folder in the file's path. Undefined if the file's folder exists. */
  readonly folder?: string | undefined;
  /** The actual path, if only the case differs. */
  readonly otherCase?: string | undefined;
}

/** Missing files, keyed by the paths of `filesNamedIn`. */
export type MissingFiles = ReadonlyMap<string, MissingFile>;

/**
 * The folder to search for the files in a config.xml. Paths are relative to it and use `/`. The folder itself is the
 * empty path.
 */
export interface SearchedFolder {
  /** Returns the names in a folder. Empty if the folder is missing, undefined if it can't be read. */
  readonly names: (folder: string) => Promise<ReadonlySet<string> | undefined>;
  /** Reports whether Git ignores a file. */
  readonly isIgnored: (path: string) => Promise<boolean>;
}

/**
 * Searches for a file. Compares names case-sensitively, as devices do, even if the file systems of this computer ignore
 * case. Reads only the names in folders.
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

/** Searches for one path. Returns undefined if it exists or is in a folder that can't be read. */
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

/** Returns a path relative to the project folder, which is the folder above. */
function shownPath(path: string): string {
  return path.replace(/^\.\.\//, '');
}

/** Reports whether a folder is missing or contains only hidden files such as `.gitkeep`. */
async function isEmpty(folder: string, { names }: SearchedFolder): Promise<boolean> {
  const found = await names(folder);
  return found !== undefined && [...found].every((name) => name.startsWith('.'));
}
