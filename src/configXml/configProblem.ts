import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { shown } from './widget.ts';
import type { Span, XmlElement } from './xmlDocument.ts';

/**
 * What can be wrong with a config.xml. Preflight decides by the code whether a build fails of it, and the row of a failed build
 * is matched with it.
 */
export type ProblemCode =
  // Not well-formed, or not readable by a service or the tools of Android.
  | 'notClosed'
  | 'endTagMismatch'
  | 'quoteMissing'
  | 'malformed'
  | 'undeclaredPrefix'
  | 'doctype'
  | 'encoding'
  | 'tooLarge'
  // What an app is.
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
  // Names and where they stand.
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
  // What a service leaves out or refuses.
  | 'leftOutElement';

/** Of a file that no XML parser reads. */
export const NOT_WELL_FORMED: readonly ProblemCode[] = ['notClosed', 'endTagMismatch', 'quoteMissing', 'malformed'];

/** Of a file that is no config.xml to a build service, well-formed or not. */
export const NOT_READABLE: readonly ProblemCode[] = ['doctype', 'encoding', 'tooLarge', 'wrongRoot', 'nameMissing'];

/**
 * `error`: a build fails. `warning`: it may fail, or something does not work as it is written. `information`: good
 * to know, and right as it is.
 */
export type ProblemSeverity = 'error' | 'warning' | 'information';

export interface TextChange {
  readonly span: Span;
  readonly newText: string;
}

/** A change that fixes a problem. */
export interface ProblemFix {
  /** Such as: Change to “origin”. */
  readonly title: Sentence;
  readonly changes: readonly TextChange[];
  /** True for the one that is right in nearly all cases. */
  readonly isPreferred?: boolean;
}

export interface ConfigProblem {
  readonly code: ProblemCode;
  readonly severity: ProblemSeverity;
  readonly span: Span;
  /** What is wrong. */
  readonly message: Sentence;
  /** What to do; undefined when that is obvious. */
  readonly next?: Sentence;
  readonly fixes?: readonly ProblemFix[];
  /** The file that is missing: a path of `filesNamedIn`. */
  readonly file?: string;
  /** The start tag that an end tag does not match, and the like. */
  readonly related?: { readonly span: Span; readonly message: Sentence };
  /** Where the rule is written down, for a link. */
  readonly source?: string;
}

type Details = Omit<ConfigProblem, 'code' | 'severity' | 'span' | 'message'>;

export function configError(code: ProblemCode, span: Span, message: Sentence, details?: Details): ConfigProblem {
  return { code, severity: 'error', span, message, ...details };
}

export function configWarning(code: ProblemCode, span: Span, message: Sentence, details?: Details): ConfigProblem {
  return { code, severity: 'warning', span, message, ...details };
}

export function configNote(code: ProblemCode, span: Span, message: Sentence, details?: Details): ConfigProblem {
  return { code, severity: 'information', span, message, ...details };
}

/** A fix that is right in nearly all cases. */
export function preferredFix(title: Sentence, ...changes: readonly TextChange[]): ProblemFix {
  return { title, isPreferred: true, changes };
}

/** A fix that writes something else in a place. */
export function changeFix(span: Span, newText: string, title = sentence('Change to “{0}”', newText)): ProblemFix {
  return preferredFix(title, { span, newText });
}

/** Text that comes in at a place. */
export function insertion(at: number, newText: string): TextChange {
  return { span: { start: at, end: at }, newText };
}

/** Changes the name of an element in both tags. */
export function renamed({ nameSpan, endTag }: Pick<XmlElement, 'nameSpan' | 'endTag'>, newText: string): ProblemFix {
  const ending = endTag === undefined ? [] : [{ span: endTag, newText: `</${newText}>` }];
  return preferredFix(sentence('Change to “{0}”', newText), { span: nameSpan, newText }, ...ending);
}

/** Removes an element, and the line that it stands on when nothing else does. */
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

/** Tells that a placeholder must be filled in. */
export function toBeFilledIn(text: string, span: Span): ConfigProblem {
  const message = sentence('{0} is a placeholder. No build accepts it.', shown(text.slice(span.start, span.end)));
  return configError('placeholder', span, message, {
    next: sentence('Build the file that your script makes from this one.'),
  });
}
