import path from 'node:path';

/** A place in a line that names a file. Offsets are UTF-16 code units, the end exclusive. */
export interface FileReference {
  readonly start: number;
  readonly end: number;
  /** As written, with `/` between its parts; without `file://`. */
  readonly path: string;
  /** From 1; undefined when the log names no line. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

export type ProblemSeverity = 'error' | 'warning' | 'information';

/** A problem in a file. */
export interface FileProblem {
  readonly reference: FileReference;
  readonly severity: ProblemSeverity;
  readonly message: string;
}

/** Characters of a path, from the first one on: so that no text is looked at twice. */
const PATH = String.raw`[\p{L}\p{N}_./\\@~+%$#=-]`;
const PATH_TOKEN = new RegExp(
  String.raw`(?<!${PATH}|[:>])(?:file:/{2,3})?(?:[A-Za-z]:(?=[\\/]))?(?:<[\w-]{1,30}>)?${PATH}+`,
  'gu',
);
const EXTENSION = /[^./\\]\.[\p{L}\p{N}_]{1,10}$/u;
/** Line and column behind a path: `:3:5`, `(3,5)`, `, line 3, column 5`. */
const POSITION =
  /^(?::(\d{1,7})(?::(\d{1,7}))?|\((\d{1,7})(?:[,:] ?(\d{1,7}))?\)|,? line (\d{1,7})(?:,? col(?:umn)? (\d{1,7}))?)/;

/** The first files that a line names, with or without a position. @param text without control characters. */
export function fileReferences(text: string, count = Infinity): readonly FileReference[] {
  const found: FileReference[] = [];
  if (!text.includes('.')) {
    return found;
  }
  for (const { 0: token, index } of text.matchAll(PATH_TOKEN)) {
    // A full stop ends a sentence, not a name. Looked for from the first of several on, so that none is looked at twice.
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

/** `config.xml` is what the service checks itself; its sentences name no line, or name it in brackets. */
const CONFIG_PROBLEM = /^(?:(Malformed) )?(config\.xml): (.+?)(?: \(line (\d{1,7}), column (\d{1,7})\))?\.?$/;
/** The text between a reference and the message. No two parts that follow each other take the same spaces. */
const SEVERITY_BEHIND = /^\s*(?::\s*)?(?:-\s*)?(?:fatal )?\b(error|warning|info|note)\b[\s:]*/i;
const SEVERITY_BEFORE = /(?:^|\s)(e|w|error|warning)(?:\[[^\]]{0,50}\])?(?: in)?:?\s$/i;

/** The problem that a line reports, if it does. @param references of {@link fileReferences} */
export function fileProblem(text: string, references: readonly FileReference[]): FileProblem | undefined {
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
  const behind = text.slice(reference.end);
  const named = SEVERITY_BEHIND.exec(behind);
  const word = named?.[1] ?? SEVERITY_BEFORE.exec(before.slice(-80))?.[1];
  const message = behind.slice(named?.[0].length ?? 0).replace(/^[\s:-]+/, '');
  // `www/app.js:3:5: Unexpected token`: a line that begins with a place and goes on with a sentence.
  if (message === '' || (word === undefined && !(before.trim() === '' && /^:\s/.test(behind)))) {
    return undefined;
  }
  return { reference, severity: severityOf(word), message };
}

function severityOf(word = 'error'): ProblemSeverity {
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
 * The places in a folder where a file that a log names may be, the likeliest first; relative, with `/`. A log names files as they are
 * on the machine that builds: the service's own folders and those in front of `www` are taken off. Nothing leads out of
 * the folder.
 *
 * @param folderPath of the folder on this machine, with `/`; undefined when it is not on a disk.
 */
export function pathsInFolder(written: string, folderPath: string | undefined): readonly string[] {
  const isAbsolute = /^(?:\/|[A-Za-z]:\/|<)/.test(written);
  const candidates: (string | undefined)[] = [
    isAbsolute ? below(written, folderPath) : written,
    // Where the local service unpacks what is sent.
    /\/app-build-work-\w+\/source\/(.+)$/s.exec(written)?.[1],
  ];
  const web = written.lastIndexOf('/www/');
  if (web >= 0) {
    // A project without a folder `www` is copied into one.
    candidates.push(written.slice(web + 1), written.slice(web + '/www/'.length));
  } else if (!isAbsolute && written.startsWith('www/')) {
    candidates.push(written.slice('www/'.length));
  }
  const inside = candidates.filter((each) => each !== undefined).map(normalised);
  return [...new Set(inside.filter((each) => each !== undefined))];
}

function below(file: string, folder: string | undefined): string | undefined {
  if (folder === undefined || folder === '') {
    return undefined;
  }
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  // Drives and their folders are written in small and in capital letters.
  const [whole, start] = /^[A-Za-z]:/.test(prefix) ? [file.toLowerCase(), prefix.toLowerCase()] : [file, prefix];
  return whole.startsWith(start) ? file.slice(prefix.length) : undefined;
}

/** Without `.` and `..`; undefined for a path that leads out of the folder. */
function normalised(relative: string): string | undefined {
  const clean = path.posix.join('.', relative);
  return clean === '.' || clean === '..' || clean.startsWith('../') ? undefined : clean;
}
