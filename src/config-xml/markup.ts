import { decodeXML } from 'entities/decode';

/** A range in a document, in UTF-16 code units as in VS Code. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A piece of markup. Invalid markup, such as the `<` of `1 < 2`, is text. */
type Markup = StartTag | EndTag | MarkupSection | { readonly kind: 'text'; readonly span: Span };

/** A start tag, which may be incomplete. */
export interface StartTag {
  readonly kind: 'startTag';
  readonly name: string;
  readonly nameSpan: Span;
  /** Range from `<` through `>`. If `>` is missing, the range ends where other markup begins. */
  readonly span: Span;
  /** Whether the tag has its closing `>`. */
  readonly isComplete: boolean;
  readonly isSelfClosing: boolean;
  /** Whether the tag consists only of its name and of attributes with quoted values. */
  readonly isWhole: boolean;
  readonly attributes: readonly XmlAttribute[];
}

/** An attribute in a start tag, which may be incomplete. */
export interface XmlAttribute {
  /** Name as written, including the prefix. */
  readonly name: string;
  readonly nameSpan: Span;
  readonly hasEquals: boolean;
  /**
   * Value with resolved references. Invalid references stay unchanged. White space, including line ends, becomes spaces
   * (XML 1.0, §3.3.3). Empty if the attribute has no value.
   */
  readonly value: string;
  /** Range between the quotes. Undefined if the attribute has no value. */
  readonly valueSpan: Span | undefined;
  /** Undefined if the value is missing or unquoted. */
  readonly quote: '"' | "'" | undefined;
  /** Whether the value has its closing quote. */
  readonly isClosed: boolean;
  /** Range from the name through the closing quote. */
  readonly span: Span;
}

/** An end tag, whose `>` may be missing. */
export interface EndTag {
  readonly kind: 'endTag';
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
}

/** A comment, CDATA section, processing instruction, or declaration. */
export interface MarkupSection {
  readonly kind: 'comment' | 'cdata' | 'instruction' | 'declaration';
  readonly span: Span;
  /** Whether the section has its end. */
  readonly isComplete: boolean;
}

const NAME = /[^\s<>"'=/]*/y;
const SPACE = /\s*/y;
const UNQUOTED = /(?:[^\s<>"'/]|\/(?!>))*/y;
const UP_TO_TAG_END = /[^<>]*/y;
/** Matches the rest of a value on the same line and in the same tag. */
const REST_OF_VALUE = /[^<>"'\r\n]*/y;
const NAME_START = /^[A-Za-z_:\u0080-\uffff]/;
const ATTRIBUTE_NAME = /^[A-Za-z_][-:.\w]*$/;
const TAG_ON_NEXT_LINE = /[\r\n][ \t]*<[\w!/?]/;

const UP_TO_MARKUP = /[^<]*/y;
const UP_TO_SUBSET = /[^[<>]*/y;

/**
 * Reads the markup that begins at an offset. The markup may be incomplete.
 *
 * @param start the offset of a `<`
 */
export function markupAt(text: string, start: number): Markup {
  if (text.startsWith('<!--', start)) {
    return section('comment', text, start, '<!--', '-->');
  }
  if (text.startsWith('<![CDATA[', start)) {
    return section('cdata', text, start, '<![CDATA[', ']]>');
  }
  if (text[start + 1] === '?') {
    return shortSection('instruction', text, start);
  }
  if (text[start + 1] === '!') {
    return text.startsWith('<!DOCTYPE', start) ? readDoctype(text, start) : shortSection('declaration', text, start);
  }
  if (text[start + 1] === '/') {
    return readEndTag(text, start);
  }
  return NAME_START.test(text[start + 1] ?? '')
    ? readStartTag(text, start)
    : { kind: 'text', span: { start, end: start + 1 } };
}

/**
 * Reads the start tag that begins at an offset. The tag and its name may be incomplete. If a closing quote is missing,
 * the value ends before text that can't be part of it.
 */
export function readStartTag(text: string, start: number): StartTag {
  const attributes: XmlAttribute[] = [];
  const nameSpan = { start: start + 1, end: findEnd(NAME, text, start + 1) };
  let isWhole = true;
  let at = nameSpan.end;
  for (;;) {
    const spaceStart = at;
    at = findEnd(SPACE, text, at);
    const character = text[at];
    if (character === undefined || character === '<' || character === '>') {
      break;
    }
    if (character === '/' && text[at + 1] === '>') {
      at += 1;
      break;
    }
    if (findEnd(NAME, text, at) === at) {
      isWhole = false;
      at += 1;
      continue;
    }
    const attribute = readAttribute(text, at);
    isWhole &&= attribute.quote !== undefined && attribute.isClosed && at > spaceStart;
    attributes.push(attribute);
    at = attribute.span.end;
  }
  const isComplete = text[at] === '>';
  return {
    kind: 'startTag',
    name: text.slice(nameSpan.start, nameSpan.end),
    nameSpan,
    span: { start, end: isComplete ? at + 1 : at },
    isComplete,
    isSelfClosing: isComplete && text[at - 1] === '/',
    isWhole: isWhole && isComplete,
    attributes,
  };
}

function readAttribute(text: string, start: number): XmlAttribute {
  const nameSpan = { start, end: findEnd(NAME, text, start) };
  const equals = findEnd(SPACE, text, nameSpan.end);
  const hasEquals = text[equals] === '=';
  const named = { name: text.slice(start, nameSpan.end), nameSpan, hasEquals };
  if (!hasEquals) {
    return { ...named, value: '', valueSpan: undefined, quote: undefined, isClosed: true, span: nameSpan };
  }
  const valueStart = findEnd(SPACE, text, equals + 1);
  const quote = text[valueStart];
  if (quote !== '"' && quote !== "'") {
    // After `=` and a space, the next attribute begins unless a quote follows.
    const valueSpan = { start: equals + 1, end: findEnd(UNQUOTED, text, equals + 1) };
    const value = attributeValue(text, valueSpan);
    return { ...named, value, valueSpan, quote: undefined, isClosed: true, span: { start, end: valueSpan.end } };
  }
  const closing = text.indexOf(quote, valueStart + 1);
  const isClosed = closing >= 0 && isClosingQuote(text.slice(valueStart + 1, closing), text[closing + 1]);
  const valueSpan = { start: valueStart + 1, end: isClosed ? closing : findOpenValueEnd(text, valueStart + 1) };
  const value = attributeValue(text, valueSpan);
  return { ...named, value, valueSpan, quote, isClosed, span: { start, end: valueSpan.end + (isClosed ? 1 : 0) } };
}

/**
 * Reports whether a quote closes the value before it. If not, that value's closing quote is missing, and this quote
 * opens the next value, in the same or another tag.
 *
 * @param value the text up to the quote
 * @param next the character after the quote
 */
function isClosingQuote(value: string, next: string | undefined): boolean {
  const isAtEnd = next === undefined || /[\s/>?]/.test(next);
  if (isAtEnd && !value.includes('<')) {
    return true;
  }
  const opensNext = nextAttributeIn(value) !== undefined;
  return isAtEnd ? !opensNext && !TAG_ON_NEXT_LINE.test(value) : !opensNext && !/[<>\r\n]/.test(value);
}

/**
 * Returns the end of a value without a closing quote: before the next attribute, the end of its tag, or the end of its
 * line.
 */
function findOpenValueEnd(text: string, start: number): number {
  const end = findEnd(REST_OF_VALUE, text, start);
  const value = text.slice(start, end);
  const isTagEnd = text[end] === '>' && value.endsWith('/');
  return start + value.slice(0, isTagEnd ? -1 : nextAttributeIn(value)).trimEnd().length;
}

/**
 * Returns the start of an attribute name at the end of a string, before its `=`. Returns undefined if the string
 * doesn't end with a name and `=`.
 */
function nextAttributeIn(text: string): number | undefined {
  const written = text.trimEnd();
  const before = written.slice(0, -1).trimEnd();
  const name = before.split(/\s/).at(-1) ?? '';
  const start = before.length - name.length;
  return written.endsWith('=') && start > 0 && ATTRIBUTE_NAME.test(name) ? start : undefined;
}

/** Returns the normalized value of an attribute (XML 1.0, §3.3.3). */
function attributeValue(text: string, { start, end }: Span): string {
  return withReferences(text.slice(start, end).replace(/\r\n|[\t\r\n]/g, ' '));
}

/** Resolves the references in text (XML 1.0, §4.6). Invalid references stay unchanged. */
export function withReferences(text: string): string {
  return text.includes('&') ? decodeXML(text) : text;
}

function readEndTag(text: string, start: number): EndTag {
  const nameSpan = { start: start + 2, end: findEnd(NAME, text, start + 2) };
  const name = text.slice(nameSpan.start, nameSpan.end);
  const rest = findEnd(UP_TO_TAG_END, text, nameSpan.end);
  return { kind: 'endTag', name, nameSpan, span: { start, end: text[rest] === '>' ? rest + 1 : nameSpan.end } };
}

/** Reads a section. If its end is missing, it extends to the end of the document. */
function section(kind: MarkupSection['kind'], text: string, start: number, open: string, close: string): MarkupSection {
  const found = text.indexOf(close, start + open.length);
  return { kind, span: { start, end: found < 0 ? text.length : found + close.length }, isComplete: found >= 0 };
}

/** Reads an instruction or a declaration. If its end is missing, it extends to the next markup. */
function shortSection(kind: MarkupSection['kind'], text: string, start: number): MarkupSection {
  const ahead = text.slice(start + 2, findEnd(UP_TO_MARKUP, text, start + 2));
  const questionMark = kind === 'instruction' ? ahead.indexOf('?>') : -1;
  const length = questionMark < 0 ? ahead.indexOf('>') + 1 : questionMark + 2;
  return { kind, span: { start, end: start + 2 + length }, isComplete: length > 0 };
}

/** Reads a document type declaration, including its internal subset in square brackets, which may contain markup. */
function readDoctype(text: string, start: number): MarkupSection {
  const subset = findEnd(UP_TO_SUBSET, text, start + 1);
  const subsetEnd = text[subset] === '[' ? text.indexOf(']', subset) : subset;
  const end = subsetEnd < 0 ? text.length : findEnd(UP_TO_TAG_END, text, subsetEnd);
  const isComplete = text[end] === '>';
  return { kind: 'declaration', span: { start, end: isComplete ? end + 1 : end }, isComplete };
}

/** Returns the end of a sticky pattern's match at an offset. */
function findEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.exec(text);
  return pattern.lastIndex;
}
