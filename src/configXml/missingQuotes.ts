/** Values whose quotes are not right: where the quotes belong. */
import { isSpace } from './xmlSyntax.ts';

/** A name and `=` at the end of a text: what stands before the opening quote of the next value. */
const NEXT_ATTRIBUTE = /\s+[^\s"'<>=/]+\s*=\s*$/;

/**
 * Where the closing quote of a value belongs that runs up to a quote which opens another value.
 *
 * @param text from the opening quote to the next quote of its kind.
 * @param next the character behind that quote; NaN when the file ends within the value.
 * @returns how long the value is; undefined when the quote is its own.
 */
export function belongingQuote(text: string, next: number): number | undefined {
  const isEndOfFile = Number.isNaN(next);
  const mayFollow = next === GREATER_THAN || next === SLASH || next === QUESTION_MARK || isSpace(next);
  if (mayFollow && !text.includes('<')) {
    return undefined;
  }
  const endsWithAttribute = NEXT_ATTRIBUTE.test(text.slice(-MAX_ATTRIBUTE_LENGTH));
  const hasMarkup = /[<>\r\n]/.test(text);
  const isSwallowed =
    isEndOfFile ||
    (!mayFollow && (endsWithAttribute || hasMarkup)) ||
    (text.includes('<') && (endsWithAttribute || /\/?>[^<]*[\r\n]\s*<[\w!/?]/.test(text)));
  return isSwallowed ? lengthOfValue(text) : undefined;
}

const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const MAX_ATTRIBUTE_LENGTH = 1_000;

/** The value ends before the next attribute, the end of its tag, the next tag or the end of its line. */
function lengthOfValue(text: string): number {
  const lessThan = text.indexOf('<');
  const segment = lessThan < 0 ? text : text.slice(0, lessThan);
  const line = segment.search(/[\r\n]/);
  const end = segment.indexOf('>');
  const attribute = /\s+[A-Za-z_][-:.\w]*\s*=\s*(?:["']|$)/.exec(segment)?.index;
  if (attribute !== undefined && (end < 0 || attribute < end)) {
    return attribute;
  }
  if (end >= 0) {
    const isSlash = segment.charAt(end - 1) === '/';
    return segment.slice(0, isSlash ? end - 1 : end).trimEnd().length;
  }
  return (line < 0 ? segment : segment.slice(0, line)).trimEnd().length;
}

/**
 * A value that has only its closing quote: `id=com.example.app" version=…`.
 *
 * @param text from where the value begins.
 */
export function quotedWithoutOpening(text: string): { readonly value: string; readonly quote: '"' | "'" } | undefined {
  const [, value = '', quote] = /^([^"'<>=\r\n]+)(["'])(?=[\s/>]|$)/.exec(text) ?? [];
  return quote === '"' || quote === "'" ? { value, quote } : undefined;
}

/** A value in quotes as word processors write them. @param text from where the value begins. */
export function typographicValue(
  text: string,
): { readonly value: string; readonly length: number; readonly isClosed: boolean } | undefined {
  const [, value, close = ''] = /^[“”„‟″‘’‚‛«»]([^“”‟″‘’‛«»"'<>\r\n]*)([“”‟″‘’‛«»"']?)/.exec(text) ?? [];
  return value === undefined ? undefined : { value, length: 1 + value.length + close.length, isClosed: close !== '' };
}
