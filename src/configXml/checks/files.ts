import { sentence } from '../../api/errors/sentence.ts';
import { type ConfigProblem, type ProblemFix, shown } from '../configProblem.ts';
import { hasPlaceholder } from '../placeholder.ts';
import { PREFERENCES } from '../rules/ruleTable.ts';
import type { XmlAttribute, XmlDocument, XmlElement } from '../xmlDocument.ts';
import type { Absence, Absences, NamedFile } from './namedFile.ts';
import { valueFixes } from './valueChecks.ts';
import { attributeOf, type WidgetPart, widgetParts } from './widgetParts.ts';

interface FileReference extends NamedFile {
  readonly attribute: XmlAttribute;
  readonly isStartPage: boolean;
}

/** Files that are told to be missing. */
const MAX_PROBLEMS = 500;

/** Where nothing else is named. */
export const DEFAULT_START_PAGE = 'index.html';
/** Where a package has its pages, beside config.xml. */
const PACKAGE_PAGES = 'www';
const PAGE_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#content';
const IMAGE_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/images.html';

const FILE_ATTRIBUTES: ReadonlyMap<string, readonly string[]> = new Map([
  ['icon', ['src', 'foreground', 'background', 'monochrome']],
  ['splash', ['src']],
  ['resource-file', ['src']],
]);

const FILE_PREFERENCES: ReadonlySet<string> = new Set(
  PREFERENCES.filter(({ type }) => type.kind === 'path' && type.of === 'file').map(({ name }) => name.toLowerCase()),
);

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

/** Files that are named and are not there, the start page among them, which is `index.html` where nothing is named. */
export function fileProblems(document: XmlDocument, absent: Absences): readonly ConfigProblem[] {
  const references = fileReferences(document);
  const index = absent.get(DEFAULT_START_PAGE);
  const missing = references.flatMap((reference): readonly MissingReference[] => {
    const absence = absent.get(reference.path);
    return absence === undefined ? [] : [{ ...reference, absence }];
  });
  const problems = [
    ...missing.filter(({ isStartPage }) => isStartPage).map((page) => missingPage(page, index)),
    ...missingFiles(missing.filter(({ isStartPage }) => !isStartPage)),
  ].slice(0, MAX_PROBLEMS);
  const { root } = document;
  if (root === undefined || index === undefined || references.some(({ isStartPage }) => isStartPage)) {
    return problems;
  }
  return [missingIndex(root, index), ...problems];
}

interface MissingReference extends FileReference {
  readonly absence: Absence;
}

/** A folder that is not there is told once for all of its files. */
function missingFiles(missing: readonly MissingReference[]): readonly ConfigProblem[] {
  return [...Map.groupBy(missing, ({ absence }) => absence.folder)].flatMap(([folder, files]) =>
    // What is still to be made is told apart.
    Object.values(Object.groupBy(files, ({ absence }) => (absence.isMade ? 'made' : 'missing'))).flatMap((alike) => {
      const count = new Set(alike.map(({ path }) => path)).size;
      return folder === undefined || count < 2
        ? alike.map(missingFile)
        : alike.slice(0, 1).map((first) => missingFolder(first, folder, count));
    }),
  );
}

function missingIndex({ nameSpan }: XmlElement, index: Absence): ConfigProblem {
  const problem = {
    code: 'startPageMissing',
    span: nameSpan,
    file: DEFAULT_START_PAGE,
    source: PAGE_SOURCE,
  } as const;
  return index.isMade
    ? { ...problem, ...pagesToBuild(DEFAULT_START_PAGE, index) }
    : {
        ...problem,
        severity: 'error',
        message: sentence('The app has no index.html.'),
        next: sentence('Put one into the folder of the pages, often www, or name the first page in <content src>.'),
        ...caseMessage(DEFAULT_START_PAGE, index),
      };
}

/** Upper and lower case that differ are told as such. */
function caseMessage(path: string, absence: Absence): Pick<ConfigProblem, 'message' | 'next'> | undefined {
  return absence.otherCase === undefined
    ? undefined
    : {
        message: sentence(
          'The file {0} is called {1}: upper and lower case count in an app.',
          shown(path),
          shown(absence.otherCase),
        ),
        next: sentence('Write it as the file is called.'),
      };
}

/** Writes a path as the file is called, which may be in the folder of the pages; nothing where more than case differs. */
function caseFixes({ path, attribute, absence: { otherCase = '' } }: MissingReference): readonly ProblemFix[] {
  const [start = ''] = /^(?:\.?\/)*/.exec(path) ?? [];
  const below = path.slice(start.length);
  const called = otherCase.slice(Math.max(0, otherCase.length - below.length));
  return called.toLowerCase() === below.toLowerCase() ? valueFixes(attribute, start + called) : [];
}

/** Pages that a tool makes are no mistake of the file. */
function pagesToBuild(path: string, { command }: Absence): Pick<ConfigProblem, 'severity' | 'message' | 'next'> {
  return {
    severity: 'information',
    message: sentence('The web files are not built yet: there is no {0}.', shown(path)),
    next:
      command === undefined
        ? sentence('Build the web files first.')
        : sentence('Build the web files first: run “{0}”.', command),
  };
}

/** The file that `<content src>` names, below the folder of the pages. */
export function startPageOf({ root }: XmlDocument): string {
  const content = root?.children.find(({ name }) => name === 'content');
  const src = (content && attributeOf(content, 'src')?.value) ?? '';
  return withoutQuery(src === '' ? DEFAULT_START_PAGE : src).replace(/^(\.?\/)+/, '');
}

/** Whether the app begins with a website, and not with a page of its own. */
export function isWebAddress(page: string): boolean {
  return /^https?:\/\//i.test(page) && URL.canParse(page);
}

/** An address without query and fragment. */
export function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

/** @param index why there is no index.html; undefined when there is one */
function missingPage(page: MissingReference, index: Absence | undefined): ConfigProblem {
  const { path, attribute, absence } = page;
  const problem = { code: 'startPageMissing', span: attribute.span, file: path, source: PAGE_SOURCE } as const;
  if (index?.isMade === true) {
    return { ...problem, ...pagesToBuild(path, index) };
  }
  const fixes = caseFixes(page);
  if (index !== undefined) {
    return {
      ...problem,
      severity: 'error',
      message: sentence('The app has no {0} to begin with.', shown(path)),
      next: sentence(
        'Put it into the folder of the pages, often www, or name another page. The case of letters counts.',
      ),
      fixes,
      ...caseMessage(path, absence),
    };
  }
  const { valueSpan } = attribute;
  const title = sentence('Begin with {0}', DEFAULT_START_PAGE);
  const begin = valueSpan && { title, changes: [{ span: valueSpan, newText: DEFAULT_START_PAGE }] };
  return {
    ...problem,
    severity: 'warning',
    message: sentence('The app has no {0}: it may begin with index.html, or not at all.', shown(path)),
    next: sentence('Name a page that is in the folder of the pages, often www. The case of letters counts.'),
    fixes: [...fixes, ...(begin === undefined ? [] : [begin])],
    ...caseMessage(path, absence),
  };
}

function missingFile(file: MissingReference): ConfigProblem {
  const { path, attribute, absence } = file;
  const problem = { code: 'fileMissing', span: attribute.span, file: path, source: IMAGE_SOURCE } as const;
  return absence.isMade
    ? {
        ...problem,
        severity: 'information',
        message: sentence('There is no file {0} yet.', shown(path)),
        next: TO_BE_MADE,
      }
    : {
        ...problem,
        severity: 'warning',
        message: sentence('There is no file {0} in this folder.', shown(path)),
        next: sentence('Add the file, or remove the element. The case of letters counts.'),
        fixes: caseFixes(file),
        ...caseMessage(path, absence),
      };
}

/** One problem for all files of a folder. @param count of the files */
function missingFolder(
  { attribute, absence: { isMade } }: MissingReference,
  folder: string,
  count: number,
): ConfigProblem {
  const problem = { code: 'fileMissing', span: attribute.span, source: IMAGE_SOURCE } as const;
  return isMade
    ? {
        ...problem,
        severity: 'information',
        message: sentence('There is no folder {0} yet.', shown(folder)),
        next: TO_BE_MADE,
      }
    : {
        ...problem,
        severity: 'warning',
        message: sentence('There is no folder {0}, and {1} files in it are named here.', shown(folder), count),
        next: sentence('Add the folder, or remove the elements. The case of letters counts.'),
      };
}

const TO_BE_MADE = sentence('A tool makes it, or Git leaves it out: make it, or put it there, before a build.');

/** The places that name a file that can be looked for. */
function fileReferences(document: XmlDocument, pages = PACKAGE_PAGES): readonly FileReference[] {
  const parts = widgetParts(document);
  // Cordova takes the first.
  const page = parts.find(({ name }) => name === 'content');
  const references = page === undefined ? [] : [...pageReferences(page, pages)];
  for (const part of parts) {
    for (const attribute of fileAttributes(part)) {
      const candidates = candidatesOf(attribute.value, 'file', pages);
      if (candidates.length > 0) {
        references.push({ path: attribute.value, candidates, attribute, isStartPage: false });
      }
    }
  }
  return references;
}

function pageReferences({ element }: WidgetPart, pages: string): readonly FileReference[] {
  const attribute = attributeOf(element, 'src');
  const path = withoutQuery(attribute?.value ?? '');
  const candidates = candidatesOf(path, 'page', pages);
  return attribute === undefined || candidates.length === 0 ? [] : [{ path, candidates, attribute, isStartPage: true }];
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
