import {
  markupAt,
  MAX_CONFIG_LENGTH,
  parseXml,
  readStartTag,
  type Span,
  type StartTag,
  type XmlAttribute,
  type XmlElement,
} from '../../config-xml/index.ts';

/** The syntax at the cursor in a config.xml. */
export type CompletionContext = ElementContext | EndTagContext | AttributeContext | ValueContext;

/** The name of an element, or a place where an element can begin. */
export interface ElementContext {
  readonly kind: 'element';
  /** The open elements, innermost first. */
  readonly ancestors: readonly XmlElement[];
  /** Range of the typed name. Empty if no name has been typed. */
  readonly span: Span;
  /** Whether the opening `<` already exists. */
  readonly isBegun: boolean;
  /** Whether the rest of the tag already exists. */
  readonly hasRest: boolean;
}

interface EndTagContext {
  readonly kind: 'endTag';
  /** Name of the element to close. */
  readonly name: string;
  readonly span: Span;
  /** Whether the closing `>` already exists. */
  readonly hasRest: boolean;
}

interface TagContext {
  readonly tag: StartTag;
  /** The elements that contain the tag, innermost first. */
  readonly ancestors: readonly XmlElement[];
  /** Range of the name or value. */
  readonly span: Span;
}

/** The name of an attribute, or a place where one can begin. */
export interface AttributeContext extends TagContext {
  readonly kind: 'attribute';
  /** The attribute at the cursor. Undefined if none has been typed. */
  readonly attribute: XmlAttribute | undefined;
}

/** The value of an attribute. */
export interface ValueContext extends TagContext {
  readonly kind: 'value';
  readonly attribute: XmlAttribute;
  /** The text from the start of the value to the cursor. */
  readonly typed: string;
}

/**
 * Returns the syntax at an offset. Uses only the text before the offset and the tag itself, because the text after an
 * incomplete tag can't be parsed.
 *
 * @returns undefined in comments, in text, after the root element, and in text that services don't read
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
  // No name can begin directly after a closing quote or `/`.
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

/** Returns the context at a place where text is allowed. An element can begin there unless the cursor directly follows text. */
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
