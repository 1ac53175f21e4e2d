import { QuoteType } from 'htmlparser2';
import * as wellFormed from './checks/wellFormed.ts';
import type { ConfigProblem } from './configProblem.ts';
import { belongingQuote, quotedWithoutOpening, typographicValue } from './missingQuotes.ts';
import type { Reading } from './reading.ts';
import type { Span, XmlAttribute } from './xmlDocument.ts';
import { AttributeNode, type StartTagNode } from './xmlNodes.ts';
import { resolveReferences } from './xmlReferences.ts';
import { isName, isSpace, leadingName } from './xmlSyntax.ts';

/** A start tag, as far as it has been read. */
interface StartTag extends StartTagNode {
  readonly attributes: XmlAttribute[];
  /** Behind what has been read of it. */
  end: number;
  /** True when something in it makes no sense: one problem is enough. */
  isBroken: boolean;
  /** True when a `/` was read at the end of a value without quotes. */
  isClosed: boolean;
  /** The names of its attributes, when there are many. */
  names: Set<string> | undefined;
}

/** An attribute, as far as it has been read. */
interface OpenAttribute {
  readonly name: string;
  readonly start: number;
  valueStart: number;
  valueEnd: number;
}

/** Characters that are looked at to recognise what was meant. */
const MAX_VALUE_LOOKAHEAD = 2_000;
const MAX_CONTENT_LOOKAHEAD = 100_000;
const MANY_ATTRIBUTES = 16;
const SPACE = 0x20;

/** Reads start tags and their attributes. */
export class StartTagReader {
  readonly #reading: Reading;
  #tag: StartTag | undefined;
  #attribute: OpenAttribute | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** True within a start tag. */
  get isOpen(): boolean {
    return this.#tag !== undefined;
  }

  /** Begins a start tag. @param start of its `<`. */
  start(start: number, nameStart: number, nameEnd: number): void {
    const written = this.#reading.text.slice(nameStart, nameEnd);
    const lessThan = written.indexOf('<');
    const whole = lessThan < 0 ? written : written.slice(0, lessThan);
    const leading = isName(whole) ? whole : leadingName(whole);
    if (leading === '') {
      this.#reading.looseLessThan(start, nameEnd);
      this.#reading.resumeAt(start + 1);
      return;
    }
    const isBad = leading !== whole;
    const name = isBad && /["'=]/.test(whole) ? leading : whole;
    const end = nameStart + whole.length;
    this.#tag = { start, name, nameStart, attributes: [], end, isBroken: isBad, isClosed: false, names: undefined };
    this.#reading.end = end;
    if (isBad) {
      this.#reading.problems.add(wellFormed.badName({ start: nameStart, end }, whole));
    }
    if (lessThan >= 0) {
      this.#endUnfinishedTag(this.#tag, end);
    }
  }

  attributeName(start: number, end: number): void {
    if (this.#tag !== undefined) {
      this.#startAttribute(this.#tag, start, end);
    }
  }

  attributeValue(start: number, end: number): void {
    if (this.#attribute !== undefined) {
      this.#attribute.valueStart = start;
      this.#attribute.valueEnd = end;
    }
  }

  attributeEnd(quote: QuoteType): void {
    const tag = this.#tag;
    const attribute = this.#attribute;
    if (tag === undefined || attribute === undefined) {
      return;
    }
    this.#attribute = undefined;
    switch (quote) {
      case QuoteType.NoValue:
        this.#endAttributeWithoutValue(tag, attribute);
        break;
      case QuoteType.Unquoted:
        this.#endUnquotedAttribute(tag, attribute);
        break;
      case QuoteType.Single:
      case QuoteType.Double:
        this.#endQuotedAttribute(tag, attribute);
        break;
    }
  }

  /** @param at the `>`. */
  tagEnd(at: number): void {
    if (this.#tag !== undefined) {
      this.#checkSlash(this.#tag, this.#tag.end, at);
      this.#endStartTag(this.#tag, at + 1, this.#tag.isClosed);
    }
  }

  /** @param at the `>` behind a `/`. */
  selfClosingTagEnd(at: number): void {
    if (this.#tag !== undefined) {
      const slash = this.#reading.text.lastIndexOf('/', at);
      this.#checkSlash(this.#tag, this.#tag.end, slash);
      if (slash !== at - 1 && !this.#tag.isBroken) {
        const space = { start: slash + 1, end: at };
        this.#reading.problems.add(wellFormed.spaceAfterSlash({ start: slash, end: slash + 1 }, space));
      }
      this.#endStartTag(this.#tag, at + 1, true);
    }
  }

  /** The file ends within a start tag. */
  endOfFile(): void {
    const tag = this.#tag;
    if (tag === undefined) {
      return;
    }
    const attribute = this.#attribute;
    const quote = this.#reading.text.charAt((attribute?.valueStart ?? 0) - 1);
    if (
      attribute !== undefined &&
      attribute.valueStart > attribute.start + attribute.name.length &&
      (quote === '"' || quote === "'")
    ) {
      const { valueStart } = attribute;
      const length =
        belongingQuote(this.#reading.text.slice(valueStart), NaN) ?? this.#reading.text.length - valueStart;
      this.#attribute = undefined;
      this.#endValueWithoutQuote(tag, { ...attribute, valueEnd: valueStart + length }, quote);
    } else {
      this.#endUnfinishedTag(tag, this.#reading.text.length);
    }
  }

  /** Ends a start tag at the next `<`, or at the end of the file, because it has no `>`. */
  #endUnfinishedTag(tag: StartTag, next: number): void {
    const end = tag.start + this.#reading.text.slice(tag.start, next).trimEnd().length;
    const isClosed = this.#reading.text.charAt(end - 1) === '/' && end - 1 >= tag.end;
    // Its end tag comes before another element of its name begins.
    const rest = this.#reading.text.slice(next, next + MAX_CONTENT_LOOKAHEAD);
    const endTag = rest.search(new RegExp(`</${escaped(tag.name)}\\s*>`));
    const startTag = rest.search(new RegExp(`<${escaped(tag.name)}[\\s/>]`));
    const isOpen = !isClosed && (endTag >= 0 ? startTag < 0 || endTag < startTag : !this.#reading.tree.isInside);
    const closings = isClosed ? ['>'] : isOpen ? ['>', '/>'] : ['/>', '>'];
    this.#reading.problems.add(wellFormed.tagNotClosed({ start: tag.start, end }, tag.name, closings));
    this.#endStartTag(tag, end, !isOpen);
    this.#reading.resumeAt(next);
  }

  #endStartTag(tag: StartTag, end: number, isSelfClosing: boolean): void {
    this.#tag = undefined;
    this.#attribute = undefined;
    this.#reading.end = end;
    this.#reading.tree.start(tag, end, isSelfClosing);
  }

  /** Only white space may stand between attributes. @returns false when there is something else. */
  #checkSlash(tag: StartTag, start: number, end: number): void {
    if (end - start > 0 && !tag.isBroken) {
      const slash = this.#reading.text.slice(start, end).indexOf('/');
      if (slash >= 0) {
        tag.isBroken = true;
        const span = { start: start + slash, end: start + slash + 1 };
        const needsSpace = end - start === 1;
        this.#reading.problems.add(wellFormed.slashMisplaced(span, [{ span, newText: needsSpace ? ' ' : '' }]));
      }
    }
  }

  #startAttribute(tag: StartTag, start: number, end: number): void {
    const written = this.#reading.text.slice(start, end);
    const lessThan = written.indexOf('<');
    if (lessThan === 0) {
      this.#endUnfinishedTag(tag, start);
      return;
    }
    this.#checkSlash(tag, tag.end, start);
    const name = lessThan < 0 ? written : written.slice(0, lessThan);
    const nameEnd = start + name.length;
    if (!tag.isBroken) {
      if (!isName(name)) {
        tag.isBroken = true;
        this.#reportBadAttributeName({ start, end: nameEnd }, name);
      } else if (start === tag.end && !isSpace(this.#reading.text.charCodeAt(start - 1))) {
        this.#reading.problems.add(wellFormed.spaceMissing(name, { start, end: nameEnd }));
      }
    }
    tag.end = nameEnd;
    if (lessThan > 0) {
      tag.isBroken = true;
      this.#endUnfinishedTag(tag, nameEnd);
      return;
    }
    this.#attribute = { name, start, valueStart: end, valueEnd: end };
  }

  #reportBadAttributeName(span: Span, name: string): void {
    const isStray = /^["'”“„=]/.test(name) || leadingName(name) === '';
    this.#reading.problems.add(isStray ? wellFormed.strayInTag(span, name) : wellFormed.badName(span, name));
  }

  #endAttributeWithoutValue(tag: StartTag, { name, start }: OpenAttribute): void {
    const end = start + name.length;
    if (!tag.isBroken) {
      const change = { span: { start: end, end }, newText: '=""' };
      this.#reading.problems.add(wellFormed.valueMissing(name, { start, end }, { start, end }, change));
    }
    this.#addAttribute(tag, new AttributeNode(name, start, '', NaN, NaN), end);
  }

  #endUnquotedAttribute(tag: StartTag, attribute: OpenAttribute): void {
    const { name, start: nameStart, valueStart: start } = attribute;
    const ahead = this.#reading.text.slice(start, start + MAX_VALUE_LOOKAHEAD);
    const typographic = typographicValue(ahead);
    if (typographic !== undefined) {
      const { value, length } = typographic;
      const span = { start, end: start + length };
      const close = typographic.isClosed ? { start: span.end - 1, end: span.end } : undefined;
      this.#report(tag, wellFormed.typographicQuotes(name, span, close));
      const valueEnd = start + 1 + value.length;
      this.#addAttribute(tag, new AttributeNode(name, nameStart, value, start + 1, valueEnd), span.end);
      this.#reading.resumeAt(span.end, 'inTag');
      return;
    }
    const withoutOpening = quotedWithoutOpening(ahead);
    if (withoutOpening !== undefined) {
      const { value, quote } = withoutOpening;
      const end = start + value.length;
      this.#report(tag, wellFormed.openingQuoteMissing(name, { start, end }, quote));
      this.#addAttribute(tag, new AttributeNode(name, nameStart, value, start, end), end + 1);
      this.#reading.resumeAt(end + 1, 'inTag');
      return;
    }
    let written = this.#reading.text.slice(start, attribute.valueEnd);
    const followsAttribute = /^[A-Za-z_][-:.\w]*=["']/.test(written);
    const lessThan = written.indexOf('<');
    if (lessThan >= 0) {
      written = written.slice(0, lessThan);
    } else if (written.endsWith('/') && this.#reading.text.charAt(attribute.valueEnd) === '>') {
      written = written.slice(0, -1);
      tag.isClosed = true;
    }
    if (written === '' || followsAttribute) {
      const nameEnd = nameStart + name.length;
      const equals = this.#reading.text.indexOf('=', nameEnd) + 1;
      const change = { span: { start: equals, end: equals }, newText: '""' };
      const all = { start: nameStart, end: equals };
      this.#report(tag, wellFormed.valueMissing(name, { start: nameStart, end: nameEnd }, all, change));
      this.#addAttribute(tag, new AttributeNode(name, nameStart, '', NaN, NaN), start);
      if (followsAttribute) {
        this.#reading.resumeAt(start, 'inTag');
        return;
      }
    } else {
      const end = start + written.length;
      this.#report(tag, wellFormed.quotesMissing(name, { start, end }, written));
      const value = resolveReferences(written, start, ignored);
      this.#addAttribute(tag, new AttributeNode(name, nameStart, value, start, end), end);
    }
    if (tag.isClosed) {
      tag.end = attribute.valueEnd;
    }
    if (lessThan >= 0) {
      tag.isBroken = true;
      this.#endUnfinishedTag(tag, start + lessThan);
    }
  }

  #endQuotedAttribute(tag: StartTag, attribute: OpenAttribute): void {
    const { name, valueStart: start, valueEnd: end } = attribute;
    const text = this.#reading.text.slice(start, end);
    const quote = this.#reading.text.charAt(start - 1) === '"' ? '"' : "'";
    const next = this.#reading.text.charCodeAt(end + 1);
    // The file may end behind the quote.
    const length = belongingQuote(text, Number.isNaN(next) ? SPACE : next);
    if (length !== undefined) {
      this.#endValueWithoutQuote(tag, { ...attribute, valueEnd: start + length }, quote);
      return;
    }
    const lessThan = text.indexOf('<');
    if (lessThan >= 0) {
      this.#reading.problems.add(wellFormed.looseLessThan(start + lessThan));
    }
    const spaced = /[\t\r\n]/.test(text) ? text.replace(/\r\n|[\t\r\n]/g, ' ') : text;
    const value = spaced.includes('&') ? this.#resolveValue(text, spaced, start) : spaced;
    this.#addAttribute(tag, new AttributeNode(name, attribute.start, value, start, end, quote), end + 1);
  }

  /** Problems stand where the text is as it was written; the value has its white space normalised. */
  #resolveValue(text: string, spaced: string, start: number): string {
    this.#reading.resolve(start, text);
    return resolveReferences(spaced, start, ignored);
  }

  #endValueWithoutQuote(tag: StartTag, attribute: OpenAttribute, quote: '"' | "'"): void {
    const { name, start, valueStart, valueEnd } = attribute;
    this.#report(tag, wellFormed.closingQuoteMissing(name, { start: valueStart - 1, end: valueEnd }, quote));
    const value = resolveReferences(this.#reading.text.slice(valueStart, valueEnd), valueStart, ignored);
    this.#addAttribute(tag, new AttributeNode(name, start, value, valueStart, valueEnd, quote), valueEnd);
    this.#reading.resumeAt(valueEnd, 'inTag');
  }

  #report(tag: StartTag, problem: ConfigProblem): void {
    if (!tag.isBroken) {
      this.#reading.problems.add(problem);
    }
  }

  /** @param end behind what has been read of it. */
  #addAttribute(tag: StartTag, attribute: XmlAttribute, end: number): void {
    const { name, value } = attribute;
    tag.end = end;
    const first = this.#attributeOf(tag, name);
    if (first !== undefined) {
      this.#report(
        tag,
        wellFormed.duplicateAttribute(name, {
          first: { name: first.nameSpan, all: this.#removable(first) },
          second: { name: attribute.nameSpan, all: this.#removable(attribute) },
          isSame: first.value === value,
        }),
      );
    }
    if (name === 'xml:space' && value !== 'default' && value !== 'preserve' && attribute.valueSpan !== undefined) {
      this.#report(tag, wellFormed.badXmlSpace(attribute.valueSpan));
    }
    tag.attributes.push(attribute);
    tag.names?.add(name);
  }

  /** The first attribute of a name. A tag may have thousands of attributes. */
  #attributeOf(tag: StartTag, name: string): XmlAttribute | undefined {
    if (tag.attributes.length > MANY_ATTRIBUTES) {
      tag.names ??= new Set(tag.attributes.map((attribute) => attribute.name));
      if (!tag.names.has(name)) {
        return undefined;
      }
    }
    return tag.attributes.find((attribute) => attribute.name === name);
  }

  #removable({ nameSpan, valueSpan, quote }: XmlAttribute): Span {
    const isSpaceBefore = isSpace(this.#reading.text.charCodeAt(nameSpan.start - 1));
    const end = valueSpan === undefined ? nameSpan.end : valueSpan.end + (quote === undefined ? 0 : 1);
    return { start: nameSpan.start - (isSpaceBefore ? 1 : 0), end };
  }
}

function ignored(): void {
  // It has been told already, or is part of a mistake that has been.
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}
