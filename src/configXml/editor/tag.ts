import type { Span } from '../xmlDocument.ts';

/** A start tag as far as it is written. */
export interface Tag {
  readonly name: string;
  readonly nameSpan: Span;
  /** From `<` to behind `>`; to where another tag begins when it is not complete. */
  readonly span: Span;
  readonly isComplete: boolean;
  readonly attributes: readonly TagAttribute[];
}

export interface TagAttribute {
  readonly name: string;
  readonly nameSpan: Span;
  readonly hasEquals: boolean;
  /** References are not resolved. */
  readonly value: string;
  /** Between the quotes. */
  readonly valueSpan: Span | undefined;
  readonly quote: string | undefined;
  /** From the name to behind the closing quote. */
  readonly span: Span;
}

const NAME = /[^\s<>"'=/]*/y;
const SPACE = /\s*/y;
const UNQUOTED = /(?:[^\s<>"'/]|\/(?!>))*/y;

/**
 * Reads the start tag that begins at `start`, which may be half written: a value whose closing quote is missing ends before what
 * cannot belong to it.
 */
export function readTag(text: string, start: number): Tag {
  const read = (pattern: RegExp, from: number): number => {
    pattern.lastIndex = from;
    pattern.exec(text);
    return pattern.lastIndex;
  };
  const attributes: TagAttribute[] = [];
  const nameSpan = { start: start + 1, end: read(NAME, start + 1) };
  let at = nameSpan.end;
  for (;;) {
    at = read(SPACE, at);
    const character = text[at];
    if (character === undefined || character === '<' || character === '>') {
      break;
    }
    const attributeStart = at;
    at = read(NAME, at);
    if (at === attributeStart) {
      at++;
      continue;
    }
    const attributeName = { start: attributeStart, end: at };
    const equals = read(SPACE, at);
    const hasEquals = text[equals] === '=';
    let value: ReturnType<typeof readValue> | undefined;
    if (hasEquals) {
      const valueStart = read(SPACE, equals + 1);
      // What follows `=` and a space is the next attribute, unless it has quotes.
      value = readValue(text, isQuote(text[valueStart]) ? valueStart : equals + 1, read);
      at = value.end;
    }
    attributes.push({
      name: text.slice(attributeName.start, attributeName.end),
      nameSpan: attributeName,
      hasEquals,
      value: value === undefined ? '' : text.slice(value.span.start, value.span.end),
      valueSpan: value?.span,
      quote: value?.quote,
      span: { start: attributeStart, end: at },
    });
  }
  const isComplete = text[at] === '>';
  return {
    name: text.slice(nameSpan.start, nameSpan.end),
    nameSpan,
    span: { start, end: isComplete ? at + 1 : at },
    isComplete,
    attributes,
  };
}

interface TagValue {
  readonly span: Span;
  readonly quote: string | undefined;
  readonly end: number;
}

function readValue(text: string, start: number, read: (pattern: RegExp, from: number) => number): TagValue {
  const quote = text[start];
  if (!isQuote(quote)) {
    const end = read(UNQUOTED, start);
    return { span: { start, end }, quote: undefined, end };
  }
  const closing = text.indexOf(quote, start + 1);
  const between = closing < 0 ? '<' : text.slice(start + 1, closing);
  // The next quote opens the next value, here or in another tag.
  const isMissing = between.includes('<') || /\s[\w:.-]+\s*=\s*$/.test(between);
  const end = isMissing ? read(UNQUOTED, start + 1) : closing;
  return { span: { start: start + 1, end }, quote, end: isMissing ? end : closing + 1 };
}

function isQuote(character: string | undefined): character is '"' | "'" {
  return character === '"' || character === "'";
}
