import { sentence, type Sentence } from '../api/errors/sentence.ts';
import { withBlankComments } from '../formats/xmlComments.ts';
import { changeFix, type ConfigProblem, type ProblemCode, type ProblemFix } from './configProblem.ts';
import type { Span } from './markup.ts';
import { templateTags, toBeFilledIn, withoutTemplateTags } from './placeholder.ts';
import { refusalOf } from './strictParser.ts';
import { syntaxMistake } from './syntaxMistake.ts';
import { readableLength, readTree, type XmlTree } from './xmlTree.ts';

export type { Span, XmlAttribute } from './markup.ts';
export type { XmlElement } from './xmlTree.ts';

/** A text that was read as XML, as far as it is. */
export interface XmlDocument extends XmlTree {
  readonly text: string;
  /**
   * The first mistake that keeps the text from being well-formed (XML 1.0), and what services refuse; in the order of the text.
   * Later mistakes are found once the first is fixed.
   */
  readonly problems: readonly ConfigProblem[];
}

/** Characters that are read: what follows is neither checked nor coloured. The service refuses a larger file. */
export const MAX_CONFIG_LENGTH = 1024 * 1024;
/** Levels of elements that readers of XML take for sure. */
const MAX_DEPTH = 500;

/** Reads a text as XML. Tolerant: what is missing is supplied, what is too much is left out. Never throws. */
export function parseXml(written: string): XmlDocument {
  const text = withoutTemplateTags(written);
  if (text.length > MAX_CONFIG_LENGTH) {
    const tree = readTree(text.slice(0, MAX_CONFIG_LENGTH));
    const message = sentence('This file is larger than 1 MB. Build services refuse it.');
    return { text: written, ...tree, problems: [refusal('tooLarge', firstLine(text), message)] };
  }
  const tree = readTree(text);
  if (tree.depth > MAX_DEPTH || readableLength(text) < text.length) {
    return { text: written, ...tree, problems: [tooManyElements(firstLine(text))] };
  }
  const mistake = syntaxMistake(withBlankComments(text), tree);
  const tags = templateTags(written);
  const isInTag = tags.some(
    ({ start, end }) => mistake !== undefined && start <= mistake.span.start && mistake.span.end <= end,
  );
  // In a comment it does no harm.
  const isHarmless = tags.length === 0 || refusalOf(withBlankComments(written)) === undefined;
  const problems = [
    ...(mistake === undefined || isInTag ? [] : [mistake]),
    ...(isHarmless ? [] : tags.slice(0, 1).map((tag) => toBeFilledIn(written, tag))),
    ...(tree.doctype === undefined ? [] : [doctypeRefusal(tree.doctype)]),
    ...encodingRefusals(text),
  ];
  return { text: written, ...tree, problems: problems.toSorted((a, b) => a.span.start - b.span.start) };
}

/** A problem of well-formed XML that services refuse. */
function refusal(
  code: ProblemCode,
  span: Span,
  message: Sentence,
  next?: Sentence,
  ...fixes: readonly ProblemFix[]
): ConfigProblem {
  return { code, severity: 'error', span, message, ...(next && { next }), fixes };
}

function firstLine(text: string): Span {
  return { start: 0, end: Math.max(text.search(/[\r\n]/), 1) };
}

function tooManyElements(span: Span): ConfigProblem {
  const message = sentence(
    'config.xml has too many elements, or too many inside each other, for a service to read it.',
  );
  return refusal('tooLarge', span, message, sentence('Remove what does not belong to the configuration of the app.'));
}

function doctypeRefusal(span: Span): ConfigProblem {
  const message = sentence('Build services refuse a document type declaration.');
  return refusal('doctype', span, message, undefined, changeFix(span, '', sentence('Remove it')));
}

/** An encoding other than UTF-8, which contains ASCII: services read nothing else. */
function encodingRefusals(text: string): readonly ConfigProblem[] {
  const [declaration, encoding] = /^\uFEFF?<\?xml\s[^<>]*?\sencoding\s?=\s?["']([^"'<>]*)/.exec(text) ?? [];
  if (declaration === undefined || encoding === undefined || /^(?:utf-?8|us-ascii)$/i.test(encoding)) {
    return [];
  }
  const span = { start: declaration.length - encoding.length, end: declaration.length };
  const message = sentence('The encoding is declared as “{0}”. Build services read UTF-8.', encoding);
  const next = sentence('Save the file as UTF-8, too.');
  return [refusal('encoding', span, message, next, changeFix(span, 'utf-8'))];
}
