import { sentence } from '../../errors/index.ts';
import { configError, configNote, type ConfigProblem, configWarning, type ProblemFix } from '../configProblem.ts';
import type { Span, XmlDocument } from '../xmlDocument.ts';
import { type MissingFile, type MissingFiles, fileReferences, type ConfigFileReference } from '../namedFiles.ts';
import { valueFixes } from './valueChecks.ts';
import { DEFAULT_START_PAGE, toDisplayText } from '../widget.ts';

const PAGE_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/index.html#content';
const IMAGE_SOURCE = 'https://cordova.apache.org/docs/en/latest/config_ref/images.html';

/** Finds missing files, including the start page, which defaults to `index.html`. */
export function fileProblems(document: XmlDocument, absent: MissingFiles): readonly ConfigProblem[] {
  const references = fileReferences(document);
  const index = absent.get(DEFAULT_START_PAGE);
  const missing = references.flatMap((reference): readonly MissingReference[] => {
    const absence = absent.get(reference.path);
    return absence === undefined ? [] : [{ ...reference, absence }];
  });
  const { root } = document;
  const namesPage = references.some(({ isStartPage }) => isStartPage);
  return [
    ...(root === undefined || index === undefined || namesPage ? [] : [missingIndex(root.nameSpan, index)]),
    ...missing.filter(({ isStartPage }) => isStartPage).map((page) => missingPage(page, index)),
    ...missingFiles(missing.filter(({ isStartPage }) => !isStartPage)),
  ];
}

interface MissingReference extends ConfigFileReference {
  readonly absence: MissingFile;
}

function missingIndex(span: Span, index: MissingFile): ConfigProblem {
  if (index.isMade) {
    return pagesToBuild(span, DEFAULT_START_PAGE, index);
  }
  return configError('startPageMissing', span, sentence('The app has no index.html.'), {
    file: DEFAULT_START_PAGE,
    next: sentence('Add one to the pages folder, often www, or set the first page in <content src>.'),
    source: PAGE_SOURCE,
    ...caseMessage(DEFAULT_START_PAGE, index),
  });
}

/**
 * Creates the problem for a missing start page.
 *
 * @param index the reason why index.html is missing. Undefined if it exists
 */
function missingPage(page: MissingReference, index: MissingFile | undefined): ConfigProblem {
  const { path, attribute, absence } = page;
  const { span, valueSpan } = attribute;
  if (index?.isMade === true) {
    return pagesToBuild(span, path, index);
  }
  const fixes = caseFixes(page);
  const details = { file: path, source: PAGE_SOURCE };
  if (index !== undefined) {
    return configError('startPageMissing', span, sentence('The start page {0} doesn’t exist.', toDisplayText(path)), {
      ...details,
      next: sentence('Add it to the pages folder, often www, or choose another page. Names are case-sensitive.'),
      fixes,
      ...caseMessage(path, absence),
    });
  }
  const title = sentence('Begin with {0}', DEFAULT_START_PAGE);
  const begin = valueSpan && { title, changes: [{ span: valueSpan, newText: DEFAULT_START_PAGE }] };
  const message = sentence('{0} doesn’t exist.', toDisplayText(path));
  return configWarning('startPageMissing', span, message, {
    ...details,
    next: sentence('Choose a page in the pages folder, often www. Names are case-sensitive.'),
    fixes: [...fixes, ...(begin === undefined ? [] : [begin])],
    ...caseMessage(path, absence),
  });
}

/** Creates a note for pages that a tool must build first. It isn't an error, because config.xml is correct. */
function pagesToBuild(span: Span, path: string, { command }: MissingFile): ConfigProblem {
  const message = sentence('The web files haven’t been built yet: {0} doesn’t exist.', toDisplayText(path));
  const next =
    command === undefined
      ? sentence('Build the web files first.')
      : sentence('Build the web files first: run “{0}”.', command);
  return configNote('startPageMissing', span, message, { file: path, next, source: PAGE_SOURCE });
}

/** Creates the problems for missing files. A missing folder is reported once for all of its files. */
function missingFiles(missing: readonly MissingReference[]): readonly ConfigProblem[] {
  return [...Map.groupBy(missing, ({ absence }) => absence.folder)].flatMap(([folder, files]) =>
    // Files that a tool generates get a separate problem.
    Object.values(Object.groupBy(files, ({ absence }) => (absence.isMade ? 'made' : 'missing'))).flatMap((alike) => {
      const count = new Set(alike.map(({ path }) => path)).size;
      return folder === undefined || count < 2
        ? alike.map(missingFile)
        : alike.slice(0, 1).map((first) => missingFolder(first, folder, count));
    }),
  );
}

function missingFile(file: MissingReference): ConfigProblem {
  const { path, attribute, absence } = file;
  const details = { file: path, source: IMAGE_SOURCE };
  if (absence.isMade) {
    const message = sentence('{0} doesn’t exist yet.', toDisplayText(path));
    return configNote('fileMissing', attribute.span, message, { ...details, next: NOT_MADE_YET });
  }
  return configWarning(
    'fileMissing',
    attribute.span,
    sentence('{0} doesn’t exist in this folder.', toDisplayText(path)),
    {
      ...details,
      next: sentence('Add the file, or remove the element. Names are case-sensitive.'),
      fixes: caseFixes(file),
      ...caseMessage(path, absence),
    },
  );
}

/**
 * Creates one problem for all files in a missing folder.
 *
 * @param count the number of files
 */
function missingFolder({ attribute, absence }: MissingReference, folder: string, count: number): ConfigProblem {
  const source = IMAGE_SOURCE;
  if (absence.isMade) {
    const message = sentence('The folder {0} doesn’t exist yet.', toDisplayText(folder));
    return configNote('fileMissing', attribute.span, message, { next: NOT_MADE_YET, source });
  }
  const message = sentence(
    'The folder {0} doesn’t exist, but config.xml refers to {1} files in it.',
    toDisplayText(folder),
    count,
  );
  const next = sentence('Add the folder, or remove the elements. Names are case-sensitive.');
  return configWarning('fileMissing', attribute.span, message, { next, source });
}

const NOT_MADE_YET = sentence('A tool generates it, or Git ignores it. Add it before you build.');

/** Returns the message for a file whose name differs only in case. */
function caseMessage(path: string, absence: MissingFile): Pick<ConfigProblem, 'message' | 'next'> | undefined {
  const { otherCase } = absence;
  if (otherCase === undefined) {
    return undefined;
  }
  return {
    message: sentence(
      'The file {0} is named {1}. Names in an app are case-sensitive.',
      toDisplayText(path),
      toDisplayText(otherCase),
    ),
    next: sentence('Use the file’s actual name.'),
  };
}

/**
 * Returns the fix that corrects the case of a path, which may be relative to the pages folder. Returns an empty array
 * if more than the case differs.
 */
function caseFixes({ path, attribute, absence: { otherCase = '' } }: MissingReference): readonly ProblemFix[] {
  const [start = ''] = /^(?:\.?\/)*/.exec(path) ?? [];
  const below = path.slice(start.length);
  const called = otherCase.slice(Math.max(0, otherCase.length - below.length));
  return called.toLowerCase() === below.toLowerCase() ? valueFixes(attribute, start + called) : [];
}
