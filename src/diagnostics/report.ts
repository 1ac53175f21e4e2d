import { visibleText } from '../api/hypermedia/label.ts';

/** What a fact is about, and the fact. */
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
 * What *Collect Diagnostics* writes. The sections are English in every language, because whoever gets the report has to read it;
 * the words for the person who sends it are in that person's language.
 */
interface Report {
  readonly title: string;
  /** What the person should know before sending it. */
  readonly introduction: string;
  readonly sections: readonly Section[];
  /** What the person can do with it. */
  readonly next: string;
}

/** The report as Markdown that reads well as it is, too. */
export function markdownOf({ title, introduction, sections, next }: Report): string {
  const parts = sections.map((section) => `## ${section.title}\n\n${section.blocks.map(textOf).join('\n\n')}`);
  return `${[`# ${title}`, `> ${introduction}`, ...parts, '---', next].join('\n\n')}\n`;
}

function textOf(block: Block): string {
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
