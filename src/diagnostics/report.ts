import { isIP } from 'node:net';

import { escapeRegExp } from '../api/escaping.ts';
import { visibleText } from '../api/hypermedia/label.ts';
import type { Redactor } from '../api/redaction.ts';

export type Fact = readonly [name: string, value: string];

/** A part of a section. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/**
 * What *Collect Diagnostics* writes. The sections are English in every language, because the people who get the report have to read it;
 * the words for the person who sends it are in that person's language.
 */
interface Report {
  readonly title: string;
  /** A warning to read before sending it. */
  readonly introduction: string;
  readonly sections: readonly Section[];
  /** Where to send it. */
  readonly next: string;
}

/** The report as Markdown that reads well as it is, too. */
export function markdownOf({ title, introduction, sections, next }: Report): string {
  const parts = sections.map((section) => `## ${section.title}\n\n${section.blocks.map(markdownOfBlock).join('\n\n')}`);
  return `${[`# ${title}`, `> ${introduction}`, ...parts, '---', next].join('\n\n')}\n`;
}

function markdownOfBlock(block: Block): string {
  switch (block.kind) {
    case 'text':
      return line(block.text);
    case 'facts':
      return block.facts.map(([name, value]) => `- ${line(name)}: ${line(value)}`).join('\n');
    case 'table':
      return tableOf(block.columns, block.rows);
  }
}

/** Columns are padded, so that they stand below each other in an editor. */
function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => line(cell).replaceAll('|', '\\|')));
  const widths = columns.map((_column, index) => Math.max(3, ...cells.map((row) => row[index]?.length ?? 0)));
  const [head = '', ...body] = cells.map(
    (row) => `| ${widths.map((width, index) => (row[index] ?? '').padEnd(width)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

function line(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

/** A text that identifies a person or a place, and what stands for it. */
export interface IdentifyingText {
  readonly text: string;
  /** Such as `service`. */
  readonly kind: string;
}

const URL_PATTERN = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s|)>\]`]*/gi;
const EMAIL_PATTERN = /(?<![^\s@|<>`(])[^\s@|<>`(]+@[^\s@|<>`)]+/g;
/** Looks like an IP address. */
const ADDRESS_PATTERN = /(?<![\da-f.:])[\da-f]*[.:][\da-f.:]*[\da-f:]/gi;

/** Shorter ones, plain words and numbers are part of what the report says itself. */
const DISTINCTIVE = /^(?![a-z]*$|[\d.:]*$).{5,}$/is;

/**
 * Takes out of a report what identifies a person. The report is made of words of ours and of numbers; this is what still holds when
 * something else gets into it.
 */
export function anonymise(report: string, identifying: readonly IdentifyingText[], redactor: Redactor): string {
  const distinctive = identifying
    .filter(({ text }) => DISTINCTIVE.test(text))
    // The longest first: one may be part of another.
    .sort((left, right) => right.text.length - left.text.length);
  const hidden = distinctive.reduce((rest, { text, kind }) => rest.replace(patternOf(text), `<${kind}>`), report);
  return redactor
    .redact(hidden)
    .replace(URL_PATTERN, '<address>')
    .replace(EMAIL_PATTERN, '<e-mail>')
    .replace(ADDRESS_PATTERN, (found) => (isIP(found) === 0 ? found : '<address>'));
}

/** The text as a whole word, in whatever case. */
function patternOf(text: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(text)}(?![\\p{L}\\p{N}])`, 'giu');
}
