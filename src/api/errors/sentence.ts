import { valueText, type Value } from './valueText.ts';

/** A sentence for a person: a template with `{0}`, `{1}` … and its arguments, so that it can be translated. */
export interface Sentence {
  readonly template: string;
  readonly args: readonly Value[];
}

/** Makes a {@link Sentence}. */
export function sentence(template: string, ...args: Value[]): Sentence {
  return { template, args };
}

/** The same sentence with these arguments: for a table of sentences that say something of what is not known yet. */
export function withArguments({ template }: Sentence, ...args: Value[]): Sentence {
  return { template, args };
}

/** A value that stands alone, such as the size of a file. */
export function valueAlone(value: Value): Sentence {
  return { template: '{0}', args: [value] };
}

/** Fills a sentence's arguments in, untranslated. */
export function plainText({ template, args }: Sentence): string {
  return template.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? placeholder : valueText(value, 'en');
  });
}
