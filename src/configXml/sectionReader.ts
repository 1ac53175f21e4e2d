import * as wellFormed from './checks/wellFormed.ts';
import type { Reading } from './reading.ts';
import { encodingProblem, xmlDeclarationProblem } from './xmlDeclaration.ts';
import type { Span } from './xmlDocument.ts';
import { isBlank, isName } from './xmlSyntax.ts';

const SECTION_STARTS: Readonly<Record<wellFormed.Section, string>> = {
  comment: '<!--',
  cdata: '<![CDATA[',
  instruction: '<?',
};

/** Reads comments, CDATA sections, declarations and processing instructions. */
export class SectionReader {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** @param tail how many characters of the end stand before `end`; none when there is no end. */
  cdata(start: number, at: number, tail: number): void {
    const { text, tree, end } = this.#reading;
    if (tail === 0) {
      this.#sectionNotClosed('cdata', end);
      return;
    }
    this.#reading.checkOutside(end, at + 1);
    tree.addText(text.slice(start, at - tail), start, at - tail);
    this.#reading.end = at + 1;
  }

  /** @param at the `>` at its end. @param tail how many characters of the end stand before that; none when there is no end. */
  comment(contentStart: number, at: number, tail: number): void {
    const start = this.#reading.end;
    if (!this.#reading.text.startsWith('<!--', start)) {
      // `<//name>`
      this.#reading.problems.add(
        wellFormed.badDeclaration({ start, end: at + 1 }, this.#reading.text.slice(start, at + 1)),
      );
      this.#reading.end = at + 1;
      return;
    }
    const content = { start: contentStart, end: at - tail };
    const text = this.#reading.text.slice(content.start, content.end);
    const next = text.indexOf('<!--');
    // Another one begins in it, and nothing that may be its end stands before.
    const isBeforeAnother = next >= 0 && text.indexOf('--') === next + 2;
    if (tail === 0 || isBeforeAnother) {
      this.#sectionNotClosed('comment', start, isBeforeAnother ? content.start + next : undefined);
    } else {
      this.#reading.end = at + 1;
      if (tail === 3 || text.includes('--') || text.endsWith('-')) {
        const end = at + 1 - '-->'.length;
        const whole = this.#reading.text.slice(content.start, end);
        const hyphens = content.start + Math.max(whole.search(/--|-$/), 0);
        this.#reading.problems.add(
          wellFormed.hyphensInComment({ start: hyphens, end: hyphens + 2 }, { start: content.start, end }, whole),
        );
      }
    }
  }

  /** A comment, CDATA section or processing instruction without its end: its line is taken for all of it. */
  #sectionNotClosed(section: wellFormed.Section, start: number, limit = this.#reading.text.length): void {
    const from = start + SECTION_STARTS[section].length;
    const line = this.#reading.text.slice(from, limit).search(/[\r\n]/);
    const written = this.#reading.text.slice(from, line < 0 ? limit : from + line).trimEnd();
    // A part of the end may be there.
    const text = section === 'comment' ? written.replace(/[->]+$/, '') : written;
    const end = { start: from + text.length, end: from + written.length };
    this.#reading.problems.add(wellFormed.sectionNotClosed(section, { start, end: from }, end));
    this.#reading.resumeAt(Math.max(end.end, from));
  }

  declaration(start: number, end: number): void {
    this.#reading.end = end;
    const text = this.#reading.text.slice(start, end);
    if (/^<!DOCTYPE/i.test(text)) {
      const subset = text.includes('[') ? this.#reading.text.slice(end - 1).search(/\]\s*>/) : -1;
      const last = subset < 0 ? end : this.#reading.text.indexOf('>', end - 1 + subset) + 1;
      this.#reading.problems.add(wellFormed.doctype({ start, end: last }));
      if (last !== end) {
        this.#reading.resumeAt(last);
      }
      return;
    }
    const first = start + text.indexOf('>') + 1;
    this.#reading.problems.add(
      wellFormed.badDeclaration({ start, end: first }, this.#reading.text.slice(start, first)),
    );
    if (first !== end) {
      this.#reading.resumeAt(first);
    }
  }

  instruction(start: number, end: number): void {
    const text = this.#reading.text.slice(start, end);
    const [, target = ''] = /^<\?([^\s?]*)/.exec(text) ?? [];
    if (target.toLowerCase() !== 'xml') {
      this.#reading.end = end;
      if (!isName(target)) {
        this.#reading.problems.add(wellFormed.badDeclaration({ start, end }, text));
      }
      return;
    }
    const greater = text.indexOf('>');
    if (greater < text.length - 1 && text.includes('<', greater)) {
      this.#xmlDeclarationNotClosed(start, start + greater);
      return;
    }
    this.#reading.end = end;
    this.#checkXmlDeclaration({ start, end }, text);
  }

  #xmlDeclarationNotClosed(start: number, greater: number): void {
    this.#reading.problems.add(wellFormed.questionMarkMissing({ start, end: start + '<?xml'.length }, greater));
    this.#reading.resumeAt(greater + 1);
  }

  #checkXmlDeclaration(span: Span, text: string): void {
    const first = this.#reading.text.startsWith('\uFEFF') ? 1 : 0;
    if (span.start !== first) {
      const before = { start: first, end: span.start };
      const isMovable = isBlank(this.#reading.text.slice(first, span.start));
      this.#reading.problems.add(wellFormed.xmlDeclarationNotFirst(span, isMovable ? before : undefined));
      return;
    }
    const problem = xmlDeclarationProblem(span, text) ?? encodingProblem(span, text);
    if (problem !== undefined) {
      this.#reading.problems.add(problem);
    }
  }

  /** The file ends within one of them. @returns false when it does not. */
  endOfFile(): boolean {
    const { text, end } = this.#reading;
    const rest = text.slice(end);
    if (rest.startsWith('<![CDATA[')) {
      this.#sectionNotClosed('cdata', end);
    } else if (/^<\?xml\s/i.test(rest) && rest.includes('>')) {
      this.#xmlDeclarationNotClosed(end, end + rest.indexOf('>'));
    } else if (rest.startsWith('<?')) {
      this.#sectionNotClosed('instruction', end);
    } else if (rest.startsWith('<!')) {
      this.#reading.problems.add(wellFormed.badDeclaration({ start: end, end: text.length }, rest));
    } else {
      return false;
    }
    return true;
  }
}
