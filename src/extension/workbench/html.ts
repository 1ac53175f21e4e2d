import { escapeUTF8 } from 'entities/escape';
import { visibleText } from '../../service-client/index.ts';

/** Markup in which all text is escaped. Created only by {@link html}. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/**
 * Creates markup with values. Text is stripped of invisible characters and escaped for use in content and quoted
 * attributes. Only {@link Html} values are inserted unchanged.
 */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((all, part, index) => all + toMarkup(values[index - 1] ?? '') + part));
}

function toMarkup(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') {
    return escapeUTF8(visibleText(value));
  }
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join('');
}
