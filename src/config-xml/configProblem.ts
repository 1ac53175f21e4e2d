import { sentence, type Sentence } from '../errors/index.ts';
import { toDisplayText } from './widget.ts';
import type { Span, XmlElement } from './xmlDocument.ts';

/**
 * The kind of problem in config.xml. Pre-build checks use it to decide whether the build would fail. The row of a
 * failed build uses it to find the problem that explains the failure.
 */
export type ProblemCode =
  // The file isn't well-formed, or services or Android's tools can't read it.
  | 'notClosed'
  | 'endTagMismatch'
  | 'quoteMissing'
  | 'malformed'
  | 'undeclaredPrefix'
  | 'doctype'
  | 'encoding'
  | 'tooLarge'
  // The app's identity.
  | 'wrongRoot'
  | 'otherWidget'
  | 'idMissing'
  | 'idMalformed'
  | 'idHyphen'
  | 'versionMissing'
  | 'versionMalformed'
  | 'versionSuffix'
  | 'placeholder'
  | 'nameMissing'
  // Names and positions.
  | 'unknownElement'
  | 'misplacedElement'
  | 'repeatedElement'
  | 'unknownAttribute'
  | 'missingAttribute'
  | 'unknownPreference'
  | 'repeatedPreference'
  // Values.
  | 'badValue'
  | 'droppedPreference'
  // Files.
  | 'startPageMissing'
  | 'fileMissing'
  // Elements that services ignore or reject.
  | 'leftOutElement';

/** Codes of problems that keep XML parsers from reading the file. */
export const NOT_WELL_FORMED: readonly ProblemCode[] = ['notClosed', 'endTagMismatch', 'quoteMissing', 'malformed'];

/** Codes of problems for which build services reject the file, even if it's well-formed. */
export const NOT_READABLE: readonly ProblemCode[] = ['doctype', 'encoding', 'tooLarge', 'wrongRoot', 'nameMissing'];

/**
 * The severity of a problem:
 * - `error`: builds fail
 * - `warning`: builds may fail, or something doesn't work as written
 * - `information`: the file is correct, but the user should know about an effect
 */
export type ProblemSeverity = 'error' | 'warning' | 'information';

/** A change that replaces part of the document. */
export interface TextChange {
  readonly span: Span;
  readonly newText: string;
}

/** A change that fixes a problem. */
export interface ProblemFix {
  /** Title, such as `Change to “origin”`. */
  readonly title: Sentence;
  readonly changes: readonly TextChange[];
  /** Whether the fix is almost always correct. The editor offers such a fix first. */
  readonly isPreferred?: boolean;
}

/** A problem in a config.xml. */
export interface ConfigProblem {
  readonly code: ProblemCode;
  readonly severity: ProblemSeverity;
  readonly span: Span;
  /** Description of the problem. */
  readonly message: Sentence;
  /** The next step for the user. Undefined if it's obvious. */
  readonly next?: Sentence;
  readonly fixes?: readonly ProblemFix[];
  /** The missing file, a path returned by `filesNamedIn`. */
  readonly file?: string;
  /** Related location, such as the start tag that an end tag doesn't match. */
  readonly related?: { readonly span: Span; readonly message: Sentence };
  /** Address of the documentation for the rule. */
  readonly source?: string;
}

type ProblemDetails = Omit<ConfigProblem, 'code' | 'severity' | 'span' | 'message'>;

/** Creates a problem with the severity `error`. */
export function configError(code: ProblemCode, span: Span, message: Sentence, details?: ProblemDetails): ConfigProblem {
  return { code, severity: 'error', span, message, ...details };
}

/** Creates a problem with the severity `warning`. */
export function configWarning(
  code: ProblemCode,
  span: Span,
  message: Sentence,
  details?: ProblemDetails,
): ConfigProblem {
  return { code, severity: 'warning', span, message, ...details };
}

/** Creates a problem with the severity `information`. */
export function configNote(code: ProblemCode, span: Span, message: Sentence, details?: ProblemDetails): ConfigProblem {
  return { code, severity: 'information', span, message, ...details };
}

/** Creates a fix that is almost always correct. */
export function preferredFix(title: Sentence, ...changes: readonly TextChange[]): ProblemFix {
  return { title, isPreferred: true, changes };
}

/** Creates a fix that replaces text. */
export function changeFix(span: Span, newText: string, title = sentence('Change to “{0}”', newText)): ProblemFix {
  return preferredFix(title, { span, newText });
}

/** Creates a change that inserts text. */
export function insertion(at: number, newText: string): TextChange {
  return { span: { start: at, end: at }, newText };
}

/** Creates a fix that renames an element in both tags. */
export function renamed({ nameSpan, endTag }: Pick<XmlElement, 'nameSpan' | 'endTag'>, newText: string): ProblemFix {
  const ending = endTag === undefined ? [] : [{ span: endTag, newText: `</${newText}>` }];
  return preferredFix(sentence('Change to “{0}”', newText), { span: nameSpan, newText }, ...ending);
}

/** Creates a change that removes an element. Removes its line as well if the line contains nothing else. */
export function removal(text: string, { span }: XmlElement): TextChange {
  let { start, end } = span;
  while (/[ \t]/.test(text[start - 1] ?? '')) {
    start -= 1;
  }
  while (/[ \t]/.test(text[end] ?? '')) {
    end += 1;
  }
  const first = text.startsWith('\uFEFF') ? 1 : 0;
  if ((start > first && text[start - 1] !== '\n') || (end < text.length && !/[\r\n]/.test(text[end] ?? ''))) {
    return { span, newText: '' };
  }
  if (start === first) {
    return { span: { start, end: end + (text.startsWith('\r\n', end) ? 2 : 1) }, newText: '' };
  }
  const lineEnd = text[start - 2] === '\r' ? 2 : 1;
  return { span: { start: start - lineEnd, end: span.end }, newText: '' };
}

/** Creates the problem for a placeholder that the user must replace. */
export function toBeFilledIn(text: string, span: Span): ConfigProblem {
  const message = sentence(
    '{0} is a placeholder, which builds don’t accept.',
    toDisplayText(text.slice(span.start, span.end)),
  );
  return configError('placeholder', span, message, {
    next: sentence('Build the file that your script generates from this one.'),
  });
}
