import { areSimilar } from './didYouMean.ts';
import { MAX_CONFIG_LENGTH } from './limits.ts';
import { type EndTag, markupAt, type MarkupSection, type Span, type StartTag, withReferences } from './markup.ts';

export type { Span, XmlAttribute } from './markup.ts';

/** An element with its text, its children, and its position in the document. */
export interface XmlElement extends Omit<StartTag, 'kind' | 'isComplete'> {
  /** Range from the first `<` through the last `>`. */
  readonly span: Span;
  /** Range from `<` through `>`. */
  readonly startTag: Span;
  /** Range of the end tag. Undefined for a self-closing or unclosed element. */
  readonly endTag: Span | undefined;
  readonly parent: XmlElement | undefined;
  /** Child elements. An unclosed element contains the rest of its parent. */
  readonly children: readonly XmlElement[];
  /** The element's own text with resolved references and unchanged white space. */
  readonly text: string;
  /** Range of the element's own text, without surrounding white space. Undefined if there's no text. */
  readonly textSpan: Span | undefined;
}

/** A document that was parsed as XML, even if it isn't well-formed. */
export interface XmlDocument {
  readonly text: string;
  /** The first element. Undefined in a document without elements. */
  readonly root: XmlElement | undefined;
  /** All elements in document order. */
  readonly elements: readonly XmlElement[];
  /** The innermost element that is open at the end of the document. */
  readonly innermost: XmlElement | undefined;
  /**
   * Offset after which elements may be nested incorrectly because a tag is missing or misspelled. Infinity if all tags
   * match.
   */
  readonly mismatch: number;
  /** Whether the document ends in a comment or a CDATA section. */
  readonly endsInSection: boolean;
  readonly doctype: Span | undefined;
}

/** Parses XML, up to {@link MAX_CONFIG_LENGTH}. Tolerates missing and extra parts. Never throws. */
export function parseXml(text: string): XmlDocument {
  const builder = new TreeBuilder(text);
  const read = text.slice(0, MAX_CONFIG_LENGTH);
  let at = 0;
  for (let next = read.indexOf('<'); next >= 0; next = read.indexOf('<', at)) {
    builder.addText({ start: at, end: next });
    const markup = markupAt(read, next);
    at = markup.span.end;
    switch (markup.kind) {
      case 'startTag':
        builder.start(markup);
        break;
      case 'endTag':
        builder.end(markup);
        break;
      case 'text':
        builder.addText(markup.span);
        break;
      case 'comment':
      case 'cdata':
      case 'instruction':
      case 'declaration':
        builder.addSection(markup);
        break;
    }
  }
  builder.addText({ start: at, end: read.length });
  return builder.document();
}

/** An element that may not be closed yet. */
interface OpenElement extends XmlElement {
  span: Span;
  endTag: Span | undefined;
  text: string;
  textSpan: Span | undefined;
  readonly children: OpenElement[];
}

class TreeBuilder {
  readonly #text: string;
  readonly #elements: OpenElement[] = [];
  readonly #open: OpenElement[] = [];
  /** Number of open elements, keyed by name. */
  readonly #openNames = new Map<string, number>();
  #mismatch = Infinity;
  #endsInSection = false;
  #doctype: Span | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  start(tag: StartTag): void {
    const parent = this.#open.at(-1);
    const element: OpenElement = {
      ...tag,
      startTag: tag.span,
      endTag: undefined,
      parent,
      children: [],
      text: '',
      textSpan: undefined,
    };
    parent?.children.push(element);
    this.#elements.push(element);
    if (!tag.isComplete) {
      this.#mismatch = Math.min(this.#mismatch, tag.span.start);
    } else if (!tag.isSelfClosing) {
      this.#open.push(element);
      this.#openNames.set(tag.name, (this.#openNames.get(tag.name) ?? 0) + 1);
    }
  }

  /**
   * Handles an end tag, which also closes unclosed elements inside its element. Ignores an end tag without a start tag,
   * unless it's misspelled.
   */
  end({ name, span }: EndTag): void {
    const innermost = this.#open.at(-1);
    const isOpen = (this.#openNames.get(name) ?? 0) > 0;
    if (innermost === undefined || (!isOpen && !areSimilar(innermost.name, name))) {
      this.#mismatch = Math.min(this.#mismatch, span.start);
      return;
    }
    if (!isOpen) {
      this.#mismatch = Math.min(this.#mismatch, innermost.parent === undefined ? span.start : innermost.span.start);
      this.#close(innermost, span.end, span);
      return;
    }
    for (let last = this.#open.at(-1); last !== undefined; last = this.#open.at(-1)) {
      if (last.name === name) {
        this.#close(last, span.end, span);
        return;
      }
      this.#mismatch = Math.min(this.#mismatch, last.span.start);
      this.#close(last, span.start, undefined);
    }
  }

  /** @param isLiteral whether the text is a CDATA section, which doesn't contain references */
  addText({ start, end }: Span, isLiteral = false): void {
    const element = this.#open.at(-1);
    if (element === undefined) {
      return;
    }
    const written = this.#text.slice(start, end);
    element.text += isLiteral ? written : withReferences(written);
    const trimmed = written.trim();
    if (trimmed !== '') {
      const first = start + written.indexOf(trimmed);
      element.textSpan = { start: element.textSpan?.start ?? first, end: first + trimmed.length };
    }
  }

  addSection({ kind, span, isComplete }: MarkupSection): void {
    if (kind === 'cdata') {
      const end = isComplete ? span.end - ']]>'.length : span.end;
      this.addText({ start: span.start + '<![CDATA['.length, end }, true);
    }
    if (this.#text.startsWith('<!DOCTYPE', span.start)) {
      this.#doctype ??= span;
    }
    this.#endsInSection ||= !isComplete && (kind === 'comment' || kind === 'cdata');
  }

  document(): XmlDocument {
    const [root] = this.#elements;
    const unclosed = this.#open.find(({ parent }) => parent !== undefined);
    const mismatch = Math.min(this.#mismatch, unclosed?.span.start ?? Infinity);
    this.#open.forEach((element) => (element.span = { start: element.span.start, end: this.#text.length }));
    return {
      text: this.#text,
      root,
      elements: this.#elements,
      innermost: this.#open.at(-1),
      mismatch,
      endsInSection: this.#endsInSection,
      doctype: this.#doctype,
    };
  }

  #close(element: OpenElement, end: number, endTag: Span | undefined): void {
    this.#open.pop();
    this.#openNames.set(element.name, (this.#openNames.get(element.name) ?? 1) - 1);
    element.span = { start: element.span.start, end };
    element.endTag = endTag;
  }
}
