import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import * as wellFormed from './checks/wellFormed.ts';
import { belongingQuote, quotedWithoutOpening, typographicValue } from './missingQuotes.ts';
import { ProblemList } from './problemList.ts';
import { elementsIn, elementRule } from './rules/ruleTable.ts';
import { encodingProblem, xmlDeclarationProblem } from './xmlDeclaration.ts';
import type { Span, XmlAttribute, XmlDocument } from './xmlDocument.ts';
import { AttributeNode, type StartTagNode } from './xmlNodes.ts';
import { undeclaredPrefixes } from './xmlNamespaces.ts';
import { resolveReferences } from './xmlReferences.ts';
import { badCharacters, isBlank, isName, isSpace, leadingName, withoutSpace } from './xmlSyntax.ts';
import { TreeBuilder } from './xmlTree.ts';

/** Where reading goes on behind a mistake. */
interface Resumption {
  readonly position: number;
  /** `inTag`: the next is an attribute, or the end of the start tag. `inName`: it is the name of a tag. */
  readonly state: 'text' | 'inTag' | 'inName';
}

/** What brings the tokenizer into each state. */
const PREFIXES = { text: '', inTag: '<x ', inName: '<' } as const;

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

const MAX_TAGS = 20_000;

/**
 * Reads a text with htmlparser2's tokenizer, which takes nearly everything, and looks at what it has read as strictly as XML 1.0
 * does. Behind a mistake the tokenizer begins again, at the place where a person goes on reading.
 */
export class XmlReader implements TokenizerCallbacks {
  readonly #text: string;
  readonly #isCut: boolean;
  readonly #problems: ProblemList;
  readonly #tree: TreeBuilder;
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this);
  /** What is added to a position of the tokenizer. */
  #offset = 0;
  /** Behind the last token. */
  #end = 0;
  /** True while the tokenizer reads the name of a tag that is there only to bring it into a state. */
  #skipsName = false;
  #tag: StartTag | undefined;
  #attribute: OpenAttribute | undefined;
  #resumption: Resumption | undefined;
  #hasTextOutside = false;
  /** Beginning of the tag whose name the tokenizer reads next, where white space stands before the name. */
  #tagStart: number | undefined;

  /** @param isCut true when the text was longer. */
  constructor(text: string, maxProblems: number, isCut: boolean) {
    this.#text = text;
    this.#isCut = isCut;
    this.#problems = new ProblemList(maxProblems);
    this.#tree = new TreeBuilder(text, this.#problems, isKnown);
  }

  /** Reads all of it. Called once. */
  read(): Omit<XmlDocument, 'text'> {
    const start = this.#text.startsWith('\uFEFF') ? 1 : 0;
    this.#end = start;
    this.#checkWhole();
    let next: Resumption | undefined = { position: start, state: 'text' };
    while (next !== undefined && !this.#problems.isFull) {
      next = this.#readFrom(next);
    }
    this.#tree.endOfFile(this.#isCut || this.#problems.isFull);
    const { root, elements } = this.#tree;
    if (root === undefined) {
      this.#problems.add(wellFormed.rootMissing(this.#text.length));
    } else {
      undeclaredPrefixes(root, elements).forEach((problem) => this.#problems.add(problem));
    }
    return { root, elements, problems: this.#problems.sorted() };
  }

  /** @returns where to go on behind a mistake; undefined at the end of the file. */
  #readFrom({ position, state }: Resumption): Resumption | undefined {
    this.#resumption = undefined;
    const prefix = PREFIXES[state];
    this.#offset = position - prefix.length;
    this.#skipsName = state === 'inTag';
    this.#end = position;
    this.#tokenizer.reset();
    if (prefix !== '') {
      this.#tokenizer.write(prefix);
    }
    this.#tokenizer.write(this.#text.slice(position));
    this.#tokenizer.end();
    if (this.#isReading && !this.#isCut) {
      this.#endOfFile();
    }
    return this.#resumption;
  }

  /** False when what the tokenizer tells is of no use: reading goes on elsewhere, or has ended. */
  get #isReading(): boolean {
    return this.#resumption === undefined && !this.#problems.isFull;
  }

  #resumeAt(position: number, state: Resumption['state'] = 'text'): void {
    this.#resumption = { position, state };
    this.#tokenizer.pause();
  }

  #checkWhole(): void {
    const line = { start: 0, end: Math.max(this.#text.search(/[\r\n]|$/), 0) };
    const bad = badCharacters(this.#text);
    if (bad !== undefined) {
      this.#problems.add(wellFormed.badCharacter(bad, this.#text.charCodeAt(bad.start)));
    }
    if (this.#isCut) {
      this.#problems.add(wellFormed.tooLarge(line));
    } else if (hasMoreTags(this.#text, MAX_TAGS)) {
      this.#problems.add(wellFormed.tooManyTags(line, MAX_TAGS));
    }
  }

  // What the tokenizer finds. Positions are its own, until `#offset` is added.

  ontext(from: number, to: number): void {
    const start = from + this.#offset;
    // What does not begin where the last token ended is markup that the file ends within.
    if (this.#isReading && this.#tag === undefined && start === this.#end) {
      this.#end = to + this.#offset;
      this.#readText(start, this.#end);
    }
  }

  onopentagname(from: number, to: number): void {
    if (this.#skipsName) {
      this.#skipsName = false;
      return;
    }
    if (this.#isReading) {
      this.#startTag(from + this.#offset, to + this.#offset);
    }
  }

  onattribname(from: number, to: number): void {
    if (this.#isReading && this.#tag !== undefined) {
      this.#startAttribute(this.#tag, from + this.#offset, to + this.#offset);
    }
  }

  onattribdata(from: number, to: number): void {
    if (this.#isReading && this.#attribute !== undefined) {
      this.#attribute.valueStart = from + this.#offset;
      this.#attribute.valueEnd = to + this.#offset;
    }
  }

  onattribend(quote: QuoteType): void {
    const attribute = this.#attribute;
    if (this.#isReading && this.#tag !== undefined && attribute !== undefined) {
      this.#attribute = undefined;
      switch (quote) {
        case QuoteType.NoValue:
          this.#endAttributeWithoutValue(this.#tag, attribute);
          break;
        case QuoteType.Unquoted:
          this.#endUnquotedAttribute(this.#tag, attribute);
          break;
        case QuoteType.Single:
        case QuoteType.Double:
          this.#endQuotedAttribute(this.#tag, attribute);
          break;
      }
    }
  }

  onopentagend(at: number): void {
    if (this.#isReading && this.#tag !== undefined) {
      const end = at + this.#offset;
      this.#checkSlash(this.#tag, this.#tag.end, end);
      this.#endStartTag(this.#tag, end + 1, this.#tag.isClosed);
    }
  }

  onselfclosingtag(at: number): void {
    if (this.#isReading && this.#tag !== undefined) {
      const end = at + this.#offset;
      const slash = this.#text.lastIndexOf('/', end);
      this.#checkSlash(this.#tag, this.#tag.end, slash);
      if (slash !== end - 1 && !this.#tag.isBroken) {
        this.#problems.add(wellFormed.spaceAfterSlash({ start: slash, end: slash + 1 }, { start: slash + 1, end }));
      }
      this.#endStartTag(this.#tag, end + 1, true);
    }
  }

  onclosetag(from: number, to: number): void {
    if (this.#isReading) {
      this.#endTag(from + this.#offset, to + this.#offset);
    }
  }

  oncomment(from: number, to: number, tail: number): void {
    if (this.#isReading) {
      this.#comment(from + this.#offset, to + this.#offset, tail);
    }
  }

  oncdata(from: number, to: number, tail: number): void {
    if (!this.#isReading) {
      return;
    }
    const start = from + this.#offset;
    const end = to + this.#offset;
    if (tail === 0) {
      this.#sectionNotClosed('cdata', this.#end);
      return;
    }
    this.#checkOutside(this.#end, end + 1);
    this.#tree.addText(this.#text.slice(start, end - tail), start, end - tail);
    this.#end = end + 1;
  }

  ondeclaration(from: number, to: number): void {
    if (this.#isReading) {
      this.#declaration(from + this.#offset - 2, to + this.#offset + 1);
    }
  }

  onprocessinginstruction(from: number, to: number): void {
    if (this.#isReading) {
      this.#processingInstruction(from + this.#offset - 2, to + this.#offset + 2);
    }
  }

  onend(): void {
    // `#readFrom` looks at what is left.
  }

  onattribentity(): void {
    // References are resolved by `resolveReferences`.
  }

  ontextentity(): void {
    // References are resolved by `resolveReferences`.
  }

  // Text

  #readText(start: number, end: number): void {
    let from = start;
    if (this.#text.startsWith('<', start)) {
      if (this.#looseLessThan(start)) {
        return;
      }
      from = start + 1;
      this.#tree.addText('<', start, from);
    }
    const text = this.#text.slice(from, end);
    if (!this.#tree.isInside) {
      if (from === start) {
        this.#checkOutside(start, end);
      }
      return;
    }
    const cdataEnd = text.indexOf(']]>');
    if (cdataEnd >= 0) {
      this.#problems.add(wellFormed.looseCdataEnd(from + cdataEnd));
    }
    this.#tree.addText(this.#resolve(from, text), from, end);
  }

  /** A `<` that the tokenizer took for text. @returns true when reading goes on elsewhere. */
  #looseLessThan(start: number): boolean {
    const [empty] = /^<\/\s*>/.exec(this.#text.slice(start, start + MAX_LOOKAHEAD)) ?? [];
    if (empty !== undefined) {
      this.#tree.endWithoutName({ start, end: start + empty.length });
      this.#resumeAt(start + empty.length);
      return true;
    }
    const ahead = this.#text.slice(start, start + MAX_LOOKAHEAD);
    const [, space] = /^<(\s+)\/?[A-Za-z_][-:.\w]*(?:\s+[-:.\w]+\s*=\s*["'][^<]*)?\s*\/?>/.exec(ahead) ?? [];
    if (space !== undefined) {
      const name = start + 1 + space.length;
      this.#problems.add(wellFormed.spaceBeforeName({ start, end: name + 1 }, { start: start + 1, end: name }));
      this.#tagStart = start;
      this.#resumeAt(name, 'inName');
      return true;
    }
    this.#problems.add(
      this.#tree.isInside ? wellFormed.looseLessThan(start) : wellFormed.textOutside({ start, end: start + 1 }),
    );
    return false;
  }

  /** Only white space may stand outside of the root element. */
  #checkOutside(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    if (!this.#tree.isInside && !this.#hasTextOutside && !isBlank(text)) {
      this.#hasTextOutside = true;
      this.#problems.add(wellFormed.textOutside(withoutSpace(this.#text, { start, end })));
    }
  }

  #resolve(start: number, text: string): string {
    return text.includes('&') ? resolveReferences(text, start, (problem) => this.#problems.add(problem)) : text;
  }

  // Start tags

  #startTag(nameStart: number, nameEnd: number): void {
    const start = this.#tagStart ?? nameStart - 1;
    this.#tagStart = undefined;
    const written = this.#text.slice(nameStart, nameEnd);
    const lessThan = written.indexOf('<');
    const whole = lessThan < 0 ? written : written.slice(0, lessThan);
    const leading = isName(whole) ? whole : leadingName(whole);
    if (leading === '') {
      this.#problems.add(
        this.#tree.isInside ? wellFormed.looseLessThan(start) : wellFormed.textOutside({ start, end: nameEnd }),
      );
      this.#hasTextOutside ||= !this.#tree.isInside;
      this.#tree.addText('<', start, start + 1);
      this.#resumeAt(start + 1);
      return;
    }
    const isBad = leading !== whole;
    const name = isBad && /["'=]/.test(whole) ? leading : whole;
    const end = nameStart + whole.length;
    this.#tag = { start, name, nameStart, attributes: [], end, isBroken: isBad, isClosed: false, names: undefined };
    this.#end = end;
    if (isBad) {
      this.#problems.add(wellFormed.badName({ start: nameStart, end }, whole));
    }
    if (lessThan >= 0) {
      this.#endUnfinishedTag(this.#tag, end);
    }
  }

  /** Ends a start tag at the next `<`, or at the end of the file, because it has no `>`. */
  #endUnfinishedTag(tag: StartTag, next: number): void {
    const end = tag.start + this.#text.slice(tag.start, next).trimEnd().length;
    const isClosed = this.#text.charAt(end - 1) === '/' && end - 1 >= tag.end;
    // Its end tag comes before another element of its name begins.
    const rest = this.#text.slice(next, next + MAX_CONTENT_LOOKAHEAD);
    const endTag = rest.search(new RegExp(`</${escaped(tag.name)}\\s*>`));
    const startTag = rest.search(new RegExp(`<${escaped(tag.name)}[\\s/>]`));
    const isOpen = !isClosed && (endTag >= 0 ? startTag < 0 || endTag < startTag : !this.#tree.isInside);
    const closings = isClosed ? ['>'] : isOpen ? ['>', '/>'] : ['/>', '>'];
    this.#problems.add(wellFormed.tagNotClosed({ start: tag.start, end }, tag.name, closings));
    this.#endStartTag(tag, end, !isOpen);
    this.#resumeAt(next);
  }

  #endStartTag(tag: StartTag, end: number, isSelfClosing: boolean): void {
    this.#tag = undefined;
    this.#attribute = undefined;
    this.#end = end;
    this.#tree.start(tag, end, isSelfClosing);
  }

  /** Only white space may stand between attributes. @returns false when there is something else. */
  #checkSlash(tag: StartTag, start: number, end: number): void {
    if (end - start > 0 && !tag.isBroken) {
      const slash = this.#text.slice(start, end).indexOf('/');
      if (slash >= 0) {
        tag.isBroken = true;
        const span = { start: start + slash, end: start + slash + 1 };
        const needsSpace = end - start === 1;
        this.#problems.add(wellFormed.slashMisplaced(span, [{ span, newText: needsSpace ? ' ' : '' }]));
      }
    }
  }

  // Attributes

  #startAttribute(tag: StartTag, start: number, end: number): void {
    const written = this.#text.slice(start, end);
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
      } else if (start === tag.end && !isSpace(this.#text.charCodeAt(start - 1))) {
        this.#problems.add(wellFormed.spaceMissing(name, { start, end: nameEnd }));
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
    this.#problems.add(isStray ? wellFormed.strayInTag(span, name) : wellFormed.badName(span, name));
  }

  #endAttributeWithoutValue(tag: StartTag, { name, start }: OpenAttribute): void {
    const end = start + name.length;
    if (!tag.isBroken) {
      const change = { span: { start: end, end }, newText: '=""' };
      this.#problems.add(wellFormed.valueMissing(name, { start, end }, { start, end }, change));
    }
    this.#addAttribute(tag, new AttributeNode(name, start, '', NaN, NaN), end);
  }

  #endUnquotedAttribute(tag: StartTag, attribute: OpenAttribute): void {
    const { name, start: nameStart, valueStart: start } = attribute;
    const ahead = this.#text.slice(start, start + MAX_VALUE_LOOKAHEAD);
    const typographic = typographicValue(ahead);
    if (typographic !== undefined) {
      const { value, length } = typographic;
      const span = { start, end: start + length };
      const close = typographic.isClosed ? { start: span.end - 1, end: span.end } : undefined;
      this.#report(tag, wellFormed.typographicQuotes(name, span, close));
      const valueEnd = start + 1 + value.length;
      this.#addAttribute(tag, new AttributeNode(name, nameStart, value, start + 1, valueEnd), span.end);
      this.#resumeAt(span.end, 'inTag');
      return;
    }
    const withoutOpening = quotedWithoutOpening(ahead);
    if (withoutOpening !== undefined) {
      const { value, quote } = withoutOpening;
      const end = start + value.length;
      this.#report(tag, wellFormed.openingQuoteMissing(name, { start, end }, quote));
      this.#addAttribute(tag, new AttributeNode(name, nameStart, value, start, end), end + 1);
      this.#resumeAt(end + 1, 'inTag');
      return;
    }
    let written = this.#text.slice(start, attribute.valueEnd);
    const followsAttribute = /^[A-Za-z_][-:.\w]*=["']/.test(written);
    const lessThan = written.indexOf('<');
    if (lessThan >= 0) {
      written = written.slice(0, lessThan);
    } else if (written.endsWith('/') && this.#text.charAt(attribute.valueEnd) === '>') {
      written = written.slice(0, -1);
      tag.isClosed = true;
    }
    if (written === '' || followsAttribute) {
      const nameEnd = nameStart + name.length;
      const equals = this.#text.indexOf('=', nameEnd) + 1;
      const change = { span: { start: equals, end: equals }, newText: '""' };
      const all = { start: nameStart, end: equals };
      this.#report(tag, wellFormed.valueMissing(name, { start: nameStart, end: nameEnd }, all, change));
      this.#addAttribute(tag, new AttributeNode(name, nameStart, '', NaN, NaN), start);
      if (followsAttribute) {
        this.#resumeAt(start, 'inTag');
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
    const text = this.#text.slice(start, end);
    const quote = this.#text.charAt(start - 1) === '"' ? '"' : "'";
    const next = this.#text.charCodeAt(end + 1);
    // The file may end behind the quote.
    const length = belongingQuote(text, Number.isNaN(next) ? SPACE : next);
    if (length !== undefined) {
      this.#endValueWithoutQuote(tag, { ...attribute, valueEnd: start + length }, quote);
      return;
    }
    const lessThan = text.indexOf('<');
    if (lessThan >= 0) {
      this.#problems.add(wellFormed.looseLessThan(start + lessThan));
    }
    const spaced = /[\t\r\n]/.test(text) ? text.replace(/\r\n|[\t\r\n]/g, ' ') : text;
    const value = spaced.includes('&') ? this.#resolveValue(text, spaced, start) : spaced;
    this.#addAttribute(tag, new AttributeNode(name, attribute.start, value, start, end, quote), end + 1);
  }

  /** Problems stand where the text is as it was written; the value has its white space normalised. */
  #resolveValue(text: string, spaced: string, start: number): string {
    this.#resolve(start, text);
    return resolveReferences(spaced, start, ignored);
  }

  #endValueWithoutQuote(tag: StartTag, attribute: OpenAttribute, quote: '"' | "'"): void {
    const { name, start, valueStart, valueEnd } = attribute;
    this.#report(tag, wellFormed.closingQuoteMissing(name, { start: valueStart - 1, end: valueEnd }, quote));
    const value = resolveReferences(this.#text.slice(valueStart, valueEnd), valueStart, ignored);
    this.#addAttribute(tag, new AttributeNode(name, start, value, valueStart, valueEnd, quote), valueEnd);
    this.#resumeAt(valueEnd, 'inTag');
  }

  #report(tag: StartTag, problem: Parameters<ProblemList['add']>[0]): void {
    if (!tag.isBroken) {
      this.#problems.add(problem);
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
    const isSpaceBefore = isSpace(this.#text.charCodeAt(nameSpan.start - 1));
    const end = valueSpan === undefined ? nameSpan.end : valueSpan.end + (quote === undefined ? 0 : 1);
    return { start: nameSpan.start - (isSpaceBefore ? 1 : 0), end };
  }

  // End tags

  #endTag(nameStart: number, nameEnd: number): void {
    const start = this.#tagStart ?? this.#end;
    this.#tagStart = undefined;
    const written = this.#text.slice(nameStart, nameEnd);
    const lessThan = written.indexOf('<');
    const name = lessThan < 0 ? written : written.slice(0, lessThan);
    const nameSpan = { start: nameStart, end: nameStart + name.length };
    const next = this.#text.slice(nameSpan.end).search(/[<>]/) + nameSpan.end;
    const isEnded = next >= nameSpan.end && this.#text.charAt(next) === '>';
    const end = isEnded ? next + 1 : nameSpan.end;
    const slash = this.#text.lastIndexOf('/', nameStart);
    if (nameStart > slash + 1) {
      this.#problems.add(wellFormed.spaceBeforeName({ start, end: nameStart }, { start: slash + 1, end: nameStart }));
    }
    if (!isEnded) {
      this.#problems.add(wellFormed.tagNotClosed({ start, end }, `/${name}`, ['>']));
    } else if (!isBlank(this.#text.slice(nameSpan.end, next))) {
      this.#problems.add(
        wellFormed.strayInEndTag({ start: nameSpan.end, end: next }, this.#text.slice(nameSpan.end, next).trim()),
      );
    }
    this.#tree.end({ name, nameSpan, span: { start, end } });
    this.#end = end;
    if (!isEnded) {
      this.#resumeAt(next < nameSpan.end ? this.#text.length : next);
    }
  }

  // Comments, declarations, processing instructions

  #comment(contentStart: number, at: number, tail: number): void {
    const start = this.#end;
    if (!this.#text.startsWith('<!--', start)) {
      // `<//name>`
      this.#problems.add(wellFormed.badDeclaration({ start, end: at + 1 }, this.#text.slice(start, at + 1)));
      this.#end = at + 1;
      return;
    }
    const content = { start: contentStart, end: at - tail };
    const text = this.#text.slice(content.start, content.end);
    const isClosed = tail === 2;
    const next = text.indexOf('<!--');
    if (!isClosed && tail === 0) {
      this.#sectionNotClosed('comment', start);
    } else if (next >= 0 && text.indexOf('--') === next + 2) {
      this.#sectionNotClosed('comment', start, content.start + next);
    } else {
      this.#end = at + 1;
      if (tail === 3 || text.includes('--') || text.endsWith('-')) {
        const end = at + 1 - '-->'.length;
        const whole = this.#text.slice(content.start, end);
        const hyphens = content.start + Math.max(whole.search(/--|-$/), 0);
        this.#problems.add(
          wellFormed.hyphensInComment({ start: hyphens, end: hyphens + 2 }, { start: content.start, end }, whole),
        );
      }
    }
  }

  /** A comment, CDATA section or processing instruction without its end: its line is taken for all of it. */
  #sectionNotClosed(section: wellFormed.Section, start: number, limit = this.#text.length): void {
    const from = start + SECTION_STARTS[section].length;
    const line = this.#text.slice(from, limit).search(/[\r\n]/);
    const written = this.#text.slice(from, line < 0 ? limit : from + line).trimEnd();
    // A part of the end may be there.
    const text = section === 'comment' ? written.replace(/[->]+$/, '') : written;
    const end = { start: from + text.length, end: from + written.length };
    this.#problems.add(wellFormed.sectionNotClosed(section, { start, end: from }, end));
    this.#resumeAt(Math.max(end.end, from));
  }

  #declaration(start: number, end: number): void {
    this.#end = end;
    const text = this.#text.slice(start, end);
    if (/^<!DOCTYPE/i.test(text)) {
      const subset = text.includes('[') ? this.#text.slice(end - 1).search(/\]\s*>/) : -1;
      const last = subset < 0 ? end : this.#text.indexOf('>', end - 1 + subset) + 1;
      this.#problems.add(wellFormed.doctype({ start, end: last }));
      if (last !== end) {
        this.#resumeAt(last);
      }
      return;
    }
    const first = start + text.indexOf('>') + 1;
    this.#problems.add(wellFormed.badDeclaration({ start, end: first }, this.#text.slice(start, first)));
    if (first !== end) {
      this.#resumeAt(first);
    }
  }

  #processingInstruction(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    const [, target = ''] = /^<\?([^\s?]*)/.exec(text) ?? [];
    if (target.toLowerCase() !== 'xml') {
      this.#end = end;
      if (!isName(target)) {
        this.#problems.add(wellFormed.badDeclaration({ start, end }, text));
      }
      return;
    }
    const greater = text.indexOf('>');
    if (greater < text.length - 1 && text.includes('<', greater)) {
      this.#xmlDeclarationNotClosed(start, start + greater);
      return;
    }
    this.#end = end;
    this.#checkXmlDeclaration({ start, end }, text);
  }

  #xmlDeclarationNotClosed(start: number, greater: number): void {
    this.#problems.add(wellFormed.questionMarkMissing({ start, end: start + '<?xml'.length }, greater));
    this.#resumeAt(greater + 1);
  }

  #checkXmlDeclaration(span: Span, text: string): void {
    const first = this.#text.startsWith('\uFEFF') ? 1 : 0;
    if (span.start !== first) {
      const before = { start: first, end: span.start };
      const isMovable = isBlank(this.#text.slice(first, span.start));
      this.#problems.add(wellFormed.xmlDeclarationNotFirst(span, isMovable ? before : undefined));
      return;
    }
    const problem = xmlDeclarationProblem(span, text) ?? encodingProblem(span, text);
    if (problem !== undefined) {
      this.#problems.add(problem);
    }
  }

  // The end of the file

  /** Looks at markup that the file ends within. */
  #endOfFile(): void {
    const tag = this.#tag;
    const rest = this.#text.slice(this.#end);
    if (tag !== undefined) {
      this.#endOfFileInTag(tag);
    } else if (rest.startsWith('<![CDATA[')) {
      this.#sectionNotClosed('cdata', this.#end);
    } else if (/^<\?xml\s/i.test(rest) && rest.includes('>')) {
      this.#xmlDeclarationNotClosed(this.#end, this.#end + rest.indexOf('>'));
    } else if (rest.startsWith('<?')) {
      this.#sectionNotClosed('instruction', this.#end);
    } else if (rest.startsWith('</')) {
      this.#endTag(this.#end + 2, this.#end + 2 + leadingName(rest.slice(2)).length);
    } else if (rest.startsWith('<!')) {
      this.#problems.add(wellFormed.badDeclaration({ start: this.#end, end: this.#text.length }, rest));
    } else if (rest.startsWith('<')) {
      this.#startTag(this.#end + 1, this.#text.length);
      if (this.#tag !== undefined) {
        this.#endUnfinishedTag(this.#tag, this.#text.length);
      }
    }
  }

  #endOfFileInTag(tag: StartTag): void {
    const attribute = this.#attribute;
    const quote = this.#text.charAt((attribute?.valueStart ?? 0) - 1);
    if (
      attribute !== undefined &&
      attribute.valueStart > attribute.start + attribute.name.length &&
      (quote === '"' || quote === "'")
    ) {
      const { valueStart } = attribute;
      const length = belongingQuote(this.#text.slice(valueStart), NaN) ?? this.#text.length - valueStart;
      this.#attribute = undefined;
      this.#endValueWithoutQuote(tag, { ...attribute, valueEnd: valueStart + length }, quote);
    } else {
      this.#endUnfinishedTag(tag, this.#text.length);
    }
  }
}

const SECTION_STARTS: Readonly<Record<wellFormed.Section, string>> = {
  comment: '<!--',
  cdata: '<![CDATA[',
  instruction: '<?',
};
const SPACE = 0x20;
const MANY_ATTRIBUTES = 16;

function ignored(): void {
  // It has been told already, or is part of a mistake that has been.
}

/** Characters that are looked at to recognise what was meant. */
const MAX_LOOKAHEAD = 500;
const MAX_VALUE_LOOKAHEAD = 2_000;
const MAX_CONTENT_LOOKAHEAD = 100_000;

function hasMoreTags(text: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0 && count <= max; at = text.indexOf('<', at + 1)) {
    count += 1;
  }
  return count > max;
}

function isKnown(name: string): boolean {
  return name === 'widget' || elementsIn(name).length > 0 || elementRule(name) !== undefined;
}

function escaped(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}
