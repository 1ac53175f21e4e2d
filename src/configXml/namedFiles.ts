import {
  hasPlaceholder,
  attributeOf,
  DEFAULT_START_PAGE,
  type WidgetPart,
  widgetParts,
  withoutQuery,
} from './widget.ts';
import type { XmlAttribute, XmlDocument } from './xmlDocument.ts';

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

/** A place in a config.xml that names a file. */
export interface FileReference extends NamedFile {
  readonly attribute: XmlAttribute;
  readonly isStartPage: boolean;
}

/** Where a package has its pages, beside config.xml. */
const PACKAGE_PAGES = 'www';

const FILE_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['icon', ['src', 'foreground', 'background', 'monochrome']],
  ['splash', ['src']],
  ['resource-file', ['src']],
]);

/** Preferences that name a file, in small letters. */
const FILE_PREFERENCES: ReadonlySet<string> = new Set([
  'androidwindowsplashscreenanimatedicon',
  'androidwindowsplashscreenbrandingimage',
]);

/**
 * The files on this machine that a config.xml names: start page, icons, splash screens, resource files.
 *
 * @param pages folder of the pages below that of the config.xml; in a package they are in `www`
 * @param isInPages true for a config.xml in the folder of the pages: Cordova takes images from the folder above
 */
export function filesNamedIn(document: XmlDocument, pages = PACKAGE_PAGES, isInPages = false): readonly NamedFile[] {
  const files = new Map<string, NamedFile>();
  if (document.root !== undefined) {
    const candidates = candidatesOf(DEFAULT_START_PAGE, 'page', pages);
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

/** The places that name a file that can be looked for. */
export function fileReferences(document: XmlDocument, pages = PACKAGE_PAGES): readonly FileReference[] {
  const parts = widgetParts(document);
  // Cordova takes the first.
  const content = parts.find(({ name }) => name === 'content');
  const page = content && attributeOf(content.element, 'src');
  const named = [
    ...(page === undefined ? [] : [{ path: withoutQuery(page.value), attribute: page, isStartPage: true }]),
    ...parts.flatMap(fileAttributes).map((attribute) => ({ path: attribute.value, attribute, isStartPage: false })),
  ];
  return named
    .map((each) => ({ ...each, candidates: candidatesOf(each.path, each.isStartPage ? 'page' : 'file', pages) }))
    .filter(({ candidates }) => candidates.length > 0);
}

function fileAttributes({ element, name }: WidgetPart): readonly XmlAttribute[] {
  if (name === 'preference') {
    const value = attributeOf(element, 'value');
    const isFile = FILE_PREFERENCES.has(attributeOf(element, 'name')?.value.toLowerCase() ?? '');
    return value === undefined || !isFile ? [] : [value];
  }
  const names = FILE_ATTRIBUTES.get(name);
  return names === undefined ? [] : element.attributes.filter((attribute) => names.includes(attribute.name));
}

/**
 * Where a file may be that is written so. PhoneGap Build, which had its config.xml beside the pages, took all paths from there.
 *
 * @returns none for an address, for a resource of Android, and for what is not below the folder.
 */
function candidatesOf(written: string, kind: 'page' | 'file', pages: string): readonly string[] {
  // A letter with a colon is a drive of Windows.
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

/** Why a file that a config.xml names is not there. */
export interface Absence {
  /** True for what a tool makes: its folder is still to be filled, or Git leaves it out. */
  readonly isMade: boolean;
  /** The command that makes it, such as `npm run build`; undefined if it isn't known. */
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
