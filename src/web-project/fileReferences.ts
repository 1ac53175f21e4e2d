import path from 'node:path';

/** A reference to a file in a line of a log. Offsets are in UTF-16 code units, and the end is exclusive. */
export interface LogFileReference {
  readonly start: number;
  readonly end: number;
  /** The path as written, with `/` as separator and without `file://`. */
  readonly path: string;
  /** Line number, starting at 1. Undefined if the reference doesn't have one. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Severity of a problem. */
export type LogProblemSeverity = 'error' | 'warning' | 'information';

/** A problem in a file that a log reports. */
export interface FileProblem {
  readonly reference: LogFileReference;
  readonly severity: LogProblemSeverity;
  readonly message: string;
}

/** Characters of a path. Matches always start at the first character of a path, which keeps the time linear. */
const PATH = String.raw`[\p{L}\p{N}_./\\@~+%$#=-]`;
const PATH_TOKEN = new RegExp(
  String.raw`(?<!${PATH}|[:>])(?:file:/{2,3})?(?:[A-Za-z]:(?=[\\/]))?(?:<[\w-]{1,30}>)?${PATH}+`,
  'gu',
);
const EXTENSION = /[^./\\]\.[\p{L}\p{N}_]{1,10}$/u;
/** Line and column after a path: `:3:5`, `(3,5)`, or `, line 3, column 5`. */
const POSITION =
  /^(?::(\d{1,7})(?::(\d{1,7}))?|\((\d{1,7})(?:[,:] ?(\d{1,7}))?\)|,? line (\d{1,7})(?:,? col(?:umn)? (\d{1,7}))?)/;

/**
 * Finds the references to files in a line, with or without a position.
 *
 * @param text the line, without control characters.
 * @param count maximum number of results.
 */
export function fileReferences(text: string, count = Infinity): readonly LogFileReference[] {
  const found: LogFileReference[] = [];
  if (!text.includes('.')) {
    return found;
  }
  for (const { 0: token, index } of text.matchAll(PATH_TOKEN)) {
    // A trailing period is the end of a sentence. The lookbehind keeps the time linear.
    const written = token.replace(/(?<![.=])[.=]+$/, '');
    if (!EXTENSION.test(written) || /^(?:https?|\d+(?:\.\d+)+$)/.test(written)) {
      continue;
    }
    const end = index + written.length;
    const position = written === token ? POSITION.exec(text.slice(end, end + 50)) : null;
    const [all = '', ...numbers] = position ?? [];
    const [line, column] = numbers.filter((each) => each as string | undefined).map(Number);
    found.push({ start: index, end: end + all.length, path: pathAsWritten(written), line, column });
    if (found.length === count) {
      break;
    }
  }
  return found;
}

/** Messages of the service's config.xml check. The position is in parentheses, or missing. */
const CONFIG_PROBLEM = /^(?:(Malformed) )?(config\.xml): (.+?)(?: \(line (\d{1,7}), column (\d{1,7})\))?\.?$/;
/**
 * Matches the text between a reference and the message. Adjacent parts don't match the same spaces, which would take
 * quadratic time.
 */
const SEVERITY_AFTER = /^\s*(?::\s*)?(?:-\s*)?(?:fatal )?\b(error|warning|info|note)\b[\s:]*/i;
const SEVERITY_BEFORE = /(?:^|\s)(e|w|error|warning)(?:\[[^\]]{0,50}\])?(?: in)?:?\s$/i;

/**
 * Returns the problem that a line reports, if any.
 *
 * @param references the line's {@link fileReferences}.
 */
export function fileProblem(text: string, references: readonly LogFileReference[]): FileProblem | undefined {
  const config = CONFIG_PROBLEM.exec(text);
  if (config !== null) {
    const [, malformed, path = '', message = '', line, column] = config;
    const start = text.indexOf(path);
    const numbers = {
      line: line === undefined ? 1 : Number(line),
      column: column === undefined ? undefined : Number(column),
    };
    return {
      reference: { start, end: start + path.length, path, ...numbers },
      severity: malformed === undefined ? 'warning' : 'error',
      message,
    };
  }
  const [reference] = references;
  if (reference?.line === undefined) {
    return undefined;
  }
  const before = text.slice(0, reference.start);
  const after = text.slice(reference.end);
  const named = SEVERITY_AFTER.exec(after);
  const word = named?.[1] ?? SEVERITY_BEFORE.exec(before.slice(-80))?.[1];
  const message = after.slice(named?.[0].length ?? 0).replace(/^[\s:-]+/, '');
  // A line can start with a position, followed by a sentence, such as `www/app.js:3:5: Unexpected token`.
  if (message === '' || (word === undefined && !(before.trim() === '' && /^:\s/.test(after)))) {
    return undefined;
  }
  return { reference, severity: toSeverity(word), message };
}

function toSeverity(word = 'error'): LogProblemSeverity {
  const first = word.charAt(0).toLowerCase();
  return first === 'w' ? 'warning' : first === 'i' || first === 'n' ? 'information' : 'error';
}

function pathAsWritten(written: string): string {
  const isUrl = written.startsWith('file:');
  const file = written.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, '').replaceAll('\\', '/');
  try {
    return isUrl ? decodeURIComponent(file) : file;
  } catch {
    return file;
  }
}

/**
 * Returns possible paths in a folder for a file in a log, most likely first. Logs contain paths on the computer that
 * builds the app, so the service's own folders and those before `www` are removed. Paths that lead out of the folder
 * are dropped.
 *
 * @param folderPath path of the folder on this computer, with `/`. Undefined if it isn't on a disk.
 * @returns relative paths with `/`.
 */
export function pathsInFolder(written: string, folderPath: string | undefined): readonly string[] {
  const isAbsolute = /^(?:\/|[A-Za-z]:\/|<)/.test(written);
  const candidates: (string | undefined)[] = [
    isAbsolute ? getPathInFolder(written, folderPath) : written,
    // The local service unpacks uploads here.
    /\/app-build-work-\w+\/source\/(.+)$/s.exec(written)?.[1],
  ];
  const web = written.lastIndexOf('/www/');
  if (web >= 0) {
    // A project without a `www` folder is copied into one.
    candidates.push(written.slice(web + 1), written.slice(web + '/www/'.length));
  } else if (!isAbsolute && written.startsWith('www/')) {
    candidates.push(written.slice('www/'.length));
  }
  const inside = candidates.filter((each) => each !== undefined).map(normalised);
  return [...new Set(inside.filter((each) => each !== undefined))];
}

function getPathInFolder(file: string, folder: string | undefined): string | undefined {
  if (folder === undefined || folder === '') {
    return undefined;
  }
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  // Paths on Windows aren't case-sensitive.
  const [whole, start] = /^[A-Za-z]:/.test(prefix) ? [file.toLowerCase(), prefix.toLowerCase()] : [file, prefix];
  return whole.startsWith(start) ? file.slice(prefix.length) : undefined;
}

/** Resolves `.` and `..`. Returns undefined if the path leads out of the folder. */
function normalised(relative: string): string | undefined {
  const clean = path.posix.join('.', relative);
  return clean === '.' || clean === '..' || clean.startsWith('../') ? undefined : clean;
}
