import { markupAt, readStartTag, type Span, type StartTag, type XmlAttribute } from '../markup.ts';
import { MAX_CONFIG_LENGTH } from '../limits.ts';
import { parseXml, type XmlElement } from '../xmlDocument.ts';

/** What is being written at a place in a config.xml. */
export type CompletionContext = ElementContext | EndTagContext | AttributeContext | ValueContext;

/** The name of an element, or the place where one may begin. */
export interface ElementContext {
  readonly kind: 'element';
  /** The elements that are open there, the innermost first. */
  readonly ancestors: readonly XmlElement[];
  /** What is written of the name; empty where none has begun. */
  readonly span: Span;
  /** True when `<` stands there. */
  readonly isBegun: boolean;
  /** True when the rest of the tag stands there. */
  readonly hasRest: boolean;
}

interface EndTagContext {
  readonly kind: 'endTag';
  /** The element that it ends. */
  readonly name: string;
  readonly span: Span;
  /** True when `>` stands there. */
  readonly hasRest: boolean;
}

interface TagContext {
  readonly tag: StartTag;
  /** The elements that the tag is in, the innermost first. */
  readonly ancestors: readonly XmlElement[];
  /** The part of the name or value before the cursor. */
  readonly span: Span;
}

export interface AttributeContext extends TagContext {
  readonly kind: 'attribute';
  /** Undefined where none has begun. */
  readonly attribute: XmlAttribute | undefined;
}

export interface ValueContext extends TagContext {
  readonly kind: 'value';
  readonly attribute: XmlAttribute;
  /** From the beginning of the value to the place. */
  readonly typed: string;
}

/**
 * What is being written at `offset`. Only the text before it and the tag itself count: the text after a tag that is half written
 * cannot be read yet.
 *
 * @returns undefined in comments, in text, behind the root element, and in what services do not read.
 */
export function completionContext(text: string, offset: number): CompletionContext | undefined {
  if (offset > MAX_CONFIG_LENGTH) {
    return undefined;
  }
  const start = text.slice(0, offset).lastIndexOf('<');
  if (start < 0) {
    return undefined;
  }
  const before = parseXml(text.slice(0, start));
  if (before.endsInSection) {
    return undefined;
  }
  const ancestors = withParents(before.innermost);
  const markup = text[start + 1] === '/' || /[!?]/.test(text[start + 1] ?? '') ? markupAt(text, start) : undefined;
  if (markup?.kind === 'endTag' && offset > start + 1) {
    return endTagContext(text, markup.nameSpan, offset, ancestors);
  }
  if (markup !== undefined && markup.kind !== 'endTag') {
    const isBehind = offset >= markup.span.end && 'isComplete' in markup && markup.isComplete;
    return isBehind ? textContext(text, offset) : undefined;
  }
  const tag = readStartTag(text, start);
  if (offset > tag.span.end || (tag.isComplete && offset === tag.span.end)) {
    return textContext(text, offset);
  }
  if (offset <= tag.nameSpan.end) {
    return {
      kind: 'element',
      ancestors,
      span: tag.nameSpan,
      isBegun: true,
      hasRest: tag.isComplete || tag.attributes.length > 0,
    };
  }
  const attribute = tag.attributes.find(({ span }) => span.start <= offset && offset <= span.end);
  const value = attribute?.valueSpan;
  if (attribute !== undefined && value !== undefined && offset >= value.start && offset <= value.end) {
    return { kind: 'value', tag, ancestors, attribute, span: value, typed: text.slice(value.start, offset) };
  }
  // Behind a closing quote or `/` no name can begin.
  const isBehind = attribute === undefined ? !/\s/.test(text[offset - 1] ?? '') : offset > attribute.nameSpan.end;
  const span = attribute?.nameSpan ?? { start: offset, end: offset };
  return isBehind ? undefined : { kind: 'attribute', tag, ancestors, attribute, span };
}

function withParents(innermost: XmlElement | undefined): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  for (let element = innermost; element !== undefined; element = element.parent) {
    elements.push(element);
  }
  return elements;
}

function endTagContext(
  text: string,
  span: Span,
  offset: number,
  [innermost]: readonly XmlElement[],
): EndTagContext | undefined {
  return innermost === undefined || offset > span.end
    ? undefined
    : { kind: 'endTag', name: innermost.name, span, hasRest: text[span.end] === '>' };
}

/** Where text may stand, an element may begin, unless text has begun. */
function textContext(text: string, offset: number): ElementContext | undefined {
  const { innermost, endsInSection } = parseXml(text.slice(0, offset));
  const isBlank = /[>\s]/.test(text[offset - 1] ?? '');
  return innermost === undefined || endsInSection || !isBlank
    ? undefined
    : {
        kind: 'element',
        ancestors: withParents(innermost),
        span: { start: offset, end: offset },
        isBegun: false,
        hasRest: false,
      };
}
