/** A sentence for a person: a template with `{0}`, `{1}` … and its arguments, so that it can be translated. */
export interface Sentence {
  readonly template: string;
  readonly args: readonly string[];
}

/** Makes a {@link Sentence}. */
export function sentence(template: string, ...args: string[]): Sentence {
  return { template, args };
}

/** The same sentence with these arguments: for a table of sentences that say something of what is not known yet. */
export function withArguments({ template }: Sentence, ...args: string[]): Sentence {
  return { template, args };
}

/** Fills a sentence's arguments in, untranslated. */
export function plainText({ template, args }: Sentence): string {
  return template.replace(/\{(\d+)\}/g, (placeholder, index: string) => args[Number(index)] ?? placeholder);
}
