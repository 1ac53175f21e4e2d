import { escapeUTF8 } from 'entities/escape';
import { visibleText } from '../api/hypermedia/label.ts';

/** Markup in which every text is escaped. Made by {@link html} only. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/**
 * Markup with values in it. A text is escaped for content and for attributes between quotes, without what cannot be seen; only
 * other markup goes in as it is.
 */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((all, part, index) => all + markupOf(values[index - 1] ?? '') + part));
}

function markupOf(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') {
    return escapeUTF8(visibleText(value));
  }
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join('');
}
