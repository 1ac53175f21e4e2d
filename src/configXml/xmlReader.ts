import { type QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import * as wellFormed from './checks/wellFormed.ts';
import { ProblemList } from './problemList.ts';
import { Reading, type Resumption } from './reading.ts';
import { elementsIn, elementRule } from './rules/ruleTable.ts';
import { SectionReader } from './sectionReader.ts';
import { StartTagReader } from './startTagReader.ts';
import type { XmlDocument } from './xmlDocument.ts';
import { undeclaredPrefixes } from './xmlNamespaces.ts';
import { badCharacters, isBlank, leadingName } from './xmlSyntax.ts';
import { TreeBuilder } from './xmlTree.ts';

/** What brings the tokenizer into each state. */
const PREFIXES = { text: '', inTag: '<x ', inName: '<' } as const;

const MAX_TAGS = 20_000;
/** Characters that are looked at to recognise what was meant. */
const MAX_LOOKAHEAD = 500;

/**
 * Reads a text with htmlparser2's tokenizer, which takes nearly everything, and looks at what it has read as strictly as XML 1.0
 * does. Behind a mistake the tokenizer begins again, at the place where a person goes on reading.
 */
export class XmlReader implements TokenizerCallbacks {
  readonly #isCut: boolean;
  readonly #tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this);
  readonly #reading: Reading;
  readonly #startTag: StartTagReader;
  readonly #section: SectionReader;
  /** What is added to a position of the tokenizer. */
  #offset = 0;
  /** True while the tokenizer reads the name of a tag that is there only to bring it into a state. */
  #skipsName = false;
  /** Beginning of the tag whose name the tokenizer reads next, where white space stands before the name. */
  #tagStart: number | undefined;

  /** @param isCut true when the text was longer. */
  constructor(text: string, maxProblems: number, isCut: boolean) {
    const problems = new ProblemList(maxProblems);
    this.#isCut = isCut;
    this.#reading = new Reading(text, problems, new TreeBuilder(text, problems, isKnown), () =>
      this.#tokenizer.pause(),
    );
    this.#startTag = new StartTagReader(this.#reading);
    this.#section = new SectionReader(this.#reading);
  }

  /** Reads all of it. Called once. */
  read(): Omit<XmlDocument, 'text'> {
    const start = this.#reading.text.startsWith('\uFEFF') ? 1 : 0;
    this.#reading.end = start;
    this.#checkWhole();
    let next: Resumption | undefined = { position: start, state: 'text' };
    while (next !== undefined && !this.#reading.problems.isFull) {
      next = this.#readFrom(next);
    }
    this.#reading.tree.endOfFile(this.#isCut || this.#reading.problems.isFull);
    const { root, elements } = this.#reading.tree;
    if (root === undefined) {
      this.#reading.problems.add(wellFormed.rootMissing(this.#reading.text.length));
    } else {
      undeclaredPrefixes(root, elements).forEach((problem) => this.#reading.problems.add(problem));
    }
    return { root, elements, problems: this.#reading.problems.sorted() };
  }

  /** @returns where to go on behind a mistake; undefined at the end of the file. */
  #readFrom({ position, state }: Resumption): Resumption | undefined {
    const prefix = PREFIXES[state];
    this.#offset = position - prefix.length;
    this.#skipsName = state === 'inTag';
    this.#reading.end = position;
    this.#tokenizer.reset();
    if (prefix !== '') {
      this.#tokenizer.write(prefix);
    }
    this.#tokenizer.write(this.#reading.text.slice(position));
    this.#tokenizer.end();
    if (this.#reading.isActive && !this.#isCut) {
      this.#endOfFile();
    }
    return this.#reading.takeResumption();
  }

  #checkWhole(): void {
    const line = { start: 0, end: Math.max(this.#reading.text.search(/[\r\n]|$/), 0) };
    const bad = badCharacters(this.#reading.text);
    if (bad !== undefined) {
      this.#reading.problems.add(wellFormed.badCharacter(bad, this.#reading.text.charCodeAt(bad.start)));
    }
    if (this.#isCut) {
      this.#reading.problems.add(wellFormed.tooLarge(line));
    } else if (hasMoreTags(this.#reading.text, MAX_TAGS)) {
      this.#reading.problems.add(wellFormed.tooManyTags(line, MAX_TAGS));
    }
  }

  // What the tokenizer finds. Positions are its own, until `#offset` is added.

  ontext(from: number, to: number): void {
    const start = from + this.#offset;
    // What does not begin where the last token ended is markup that the file ends within.
    if (this.#reading.isActive && !this.#startTag.isOpen && start === this.#reading.end) {
      this.#reading.end = to + this.#offset;
      this.#readText(start, this.#reading.end);
    }
  }

  onopentagname(from: number, to: number): void {
    if (this.#skipsName) {
      this.#skipsName = false;
    } else if (this.#reading.isActive) {
      const start = this.#tagStart ?? from + this.#offset - 1;
      this.#tagStart = undefined;
      this.#startTag.start(start, from + this.#offset, to + this.#offset);
    }
  }

  onattribname(from: number, to: number): void {
    if (this.#reading.isActive) {
      this.#startTag.attributeName(from + this.#offset, to + this.#offset);
    }
  }

  onattribdata(from: number, to: number): void {
    if (this.#reading.isActive) {
      this.#startTag.attributeValue(from + this.#offset, to + this.#offset);
    }
  }

  onattribend(quote: QuoteType): void {
    if (this.#reading.isActive) {
      this.#startTag.attributeEnd(quote);
    }
  }

  onopentagend(at: number): void {
    if (this.#reading.isActive) {
      this.#startTag.tagEnd(at + this.#offset);
    }
  }

  onselfclosingtag(at: number): void {
    if (this.#reading.isActive) {
      this.#startTag.selfClosingTagEnd(at + this.#offset);
    }
  }

  onclosetag(from: number, to: number): void {
    if (this.#reading.isActive) {
      this.#endTag(from + this.#offset, to + this.#offset);
    }
  }

  oncomment(from: number, to: number, tail: number): void {
    if (this.#reading.isActive) {
      this.#section.comment(from + this.#offset, to + this.#offset, tail);
    }
  }

  oncdata(from: number, to: number, tail: number): void {
    if (this.#reading.isActive) {
      this.#section.cdata(from + this.#offset, to + this.#offset, tail);
    }
  }

  ondeclaration(from: number, to: number): void {
    if (this.#reading.isActive) {
      this.#section.declaration(from + this.#offset - '<!'.length, to + this.#offset + 1);
    }
  }

  onprocessinginstruction(from: number, to: number): void {
    if (this.#reading.isActive) {
      this.#section.instruction(from + this.#offset - '<?'.length, to + this.#offset + '?>'.length);
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
    if (this.#reading.text.startsWith('<', start)) {
      if (this.#looseLessThan(start)) {
        return;
      }
      from = start + 1;
    }
    const text = this.#reading.text.slice(from, end);
    if (!this.#reading.tree.isInside) {
      if (from === start) {
        this.#reading.checkOutside(start, end);
      }
      return;
    }
    const cdataEnd = text.indexOf(']]>');
    if (cdataEnd >= 0) {
      this.#reading.problems.add(wellFormed.looseCdataEnd(from + cdataEnd));
    }
    this.#reading.tree.addText(this.#reading.resolve(from, text), from, end);
  }

  /** A `<` that the tokenizer took for text. @returns true when reading goes on elsewhere. */
  #looseLessThan(start: number): boolean {
    const [empty] = /^<\/\s*>/.exec(this.#reading.text.slice(start, start + MAX_LOOKAHEAD)) ?? [];
    if (empty !== undefined) {
      this.#reading.tree.endWithoutName({ start, end: start + empty.length });
      this.#reading.resumeAt(start + empty.length);
      return true;
    }
    const ahead = this.#reading.text.slice(start, start + MAX_LOOKAHEAD);
    const [, space] = /^<(\s+)\/?[A-Za-z_][-:.\w]*(?:\s+[-:.\w]+\s*=\s*["'][^<]*)?\s*\/?>/.exec(ahead) ?? [];
    if (space !== undefined) {
      const name = start + 1 + space.length;
      this.#reading.problems.add(wellFormed.spaceBeforeName({ start, end: name + 1 }, { start: start + 1, end: name }));
      this.#tagStart = start;
      this.#reading.resumeAt(name, 'inName');
      return true;
    }
    this.#reading.looseLessThan(start, start + 1);
    return false;
  }

  // End tags

  #endTag(nameStart: number, nameEnd: number): void {
    const start = this.#tagStart ?? this.#reading.end;
    this.#tagStart = undefined;
    const written = this.#reading.text.slice(nameStart, nameEnd);
    const lessThan = written.indexOf('<');
    const name = lessThan < 0 ? written : written.slice(0, lessThan);
    const nameSpan = { start: nameStart, end: nameStart + name.length };
    const next = this.#reading.text.slice(nameSpan.end).search(/[<>]/) + nameSpan.end;
    const isEnded = next >= nameSpan.end && this.#reading.text.charAt(next) === '>';
    const end = isEnded ? next + 1 : nameSpan.end;
    const slash = this.#reading.text.lastIndexOf('/', nameStart);
    if (nameStart > slash + 1) {
      this.#reading.problems.add(
        wellFormed.spaceBeforeName({ start, end: nameStart }, { start: slash + 1, end: nameStart }),
      );
    }
    if (!isEnded) {
      this.#reading.problems.add(wellFormed.tagNotClosed({ start, end }, `/${name}`, ['>']));
    } else if (!isBlank(this.#reading.text.slice(nameSpan.end, next))) {
      this.#reading.problems.add(
        wellFormed.strayInEndTag(
          { start: nameSpan.end, end: next },
          this.#reading.text.slice(nameSpan.end, next).trim(),
        ),
      );
    }
    this.#reading.tree.end({ name, nameSpan, span: { start, end } });
    this.#reading.end = end;
    if (!isEnded) {
      this.#reading.resumeAt(next < nameSpan.end ? this.#reading.text.length : next);
    }
  }

  // The end of the file

  /** Looks at markup that the file ends within. */
  #endOfFile(): void {
    if (this.#startTag.isOpen) {
      this.#startTag.endOfFile();
    } else if (!this.#section.endOfFile()) {
      const { text, end } = this.#reading;
      if (text.startsWith('</', end)) {
        this.#endTag(end + 2, end + 2 + leadingName(text.slice(end + 2)).length);
      } else if (text.startsWith('<', end)) {
        this.#startTag.start(end, end + 1, text.length);
        this.#startTag.endOfFile();
      }
    }
  }
}

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
