export type Fact = readonly [name: string, value: string];

export interface Section {
  readonly title: string;
  readonly facts: readonly Fact[];
}

/**
 * What *Collect Diagnostics* writes. The sections are English in every language, for the people who get the report; the introduction
 * and the end are in the user's language.
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
export function toMarkdown({ title, introduction, sections, next }: Report): string {
  const parts = sections.map(
    (section) => `## ${section.title}\n\n${section.facts.map(([name, value]) => `- ${name}: ${value}`).join('\n')}`,
  );
  return `${[`# ${title}`, `> ${introduction}`, ...parts, '---', next].join('\n\n')}\n`;
}
