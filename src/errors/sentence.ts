/** A translatable sentence for the user: a template with `{0}`, `{1}` … and its arguments. */
export interface Sentence {
  readonly template: string;
  readonly args: readonly SentenceValue[];
}

/** Creates a {@link Sentence}. */
export function sentence(template: string, ...args: SentenceValue[]): Sentence {
  return { template, args };
}

/**
 * Returns the sentence with different arguments. Used for tables of sentences whose arguments aren't known in advance.
 */
export function withArguments({ template }: Sentence, ...args: SentenceValue[]): Sentence {
  return { template, args };
}

/** Returns a sentence that contains only a value, such as a file size. */
export function valueAlone(value: SentenceValue): Sentence {
  return { template: '{0}', args: [value] };
}

/** Returns the English text of a sentence with its arguments filled in. */
export function formatSentence({ template, args }: Sentence): string {
  return template.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? placeholder : formatValue(value, 'en');
  });
}

/**
 * An argument of a sentence: a string that's inserted verbatim, or a number, size, or list that's formatted for the
 * language.
 */
export type SentenceValue = string | number | { readonly bytes: number } | readonly string[];

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * Formats a value for a language. Sizes are in decimal units, as in file managers: `12.3 MB`.
 *
 * @param language BCP 47 tag, such as `de`. Invalid tags fall back to English.
 */
export function formatValue(value: SentenceValue, language: string): string {
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

/** Returns a language tag that `Intl` accepts. Invalid tags fall back to English. */
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
