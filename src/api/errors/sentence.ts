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

/** An argument of a sentence: a text as it is, or a number, a size or a list, which each language writes its own way. */
export type Value = string | number | { readonly bytes: number } | readonly string[];

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * A value as people of this language write it. Sizes are in decimal units, as file managers show them: `12.3 MB`.
 *
 * @param language BCP 47, such as `de`; English for what is none
 */
export function valueText(value: Value, language: string): string {
  if (typeof value === 'string') {
    return value;
  }
  const locale = knownLanguage(language);
  if (typeof value === 'number') {
    return value.toLocaleString(locale);
  }
  return 'bytes' in value
    ? bytesText(value.bytes, locale)
    : new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }).format(value);
}

/** A language that `Intl` takes: English for what is none. */
export function knownLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function bytesText(bytes: number, locale: string): string {
  const power = Math.min(bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1);
  const digits = power === 0 ? 0 : 1;
  return (bytes / 1000 ** power).toLocaleString(locale, {
    style: 'unit',
    unit: BYTE_UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
