import { isIP } from 'node:net';
import type { Redactor } from '../api/redaction.ts';

/** A text that says who somebody is or where they are, and what stands for it. */
export interface IdentifyingText {
  readonly text: string;
  /** Such as `service`. */
  readonly kind: string;
}

const URL_PATTERN = /\b[a-z][a-z0-9+.-]*:\/\/[^\s|)>\]`]*/gi;
const EMAIL_PATTERN = /[^\s@|<>`(]+@[^\s@|<>`)]+/g;
/** What may be an IP address. */
const ADDRESS_PATTERN = /[\da-f]*[.:][\da-f.:]*[\da-f:]/gi;

/** Shorter ones, plain words and numbers are part of what the report says itself: they are hidden in values only. */
const DISTINCTIVE = /^(?![a-z]*$|[\d.:]*$).{5,}$/is;

/**
 * Takes out of a report what identifies somebody. The report is made of words of ours and of numbers; this is what still holds when
 * something else gets into it.
 */
export class Anonymiser {
  readonly #redactor: Redactor;
  /** The longest first: one may be part of another. */
  readonly #identifying: readonly IdentifyingText[];

  constructor(redactor: Redactor, identifying: readonly IdentifyingText[]) {
    this.#redactor = redactor;
    this.#identifying = identifying
      .filter(({ text }) => text.trim() !== '')
      .sort((left, right) => right.text.length - left.text.length);
  }

  /** A text that is not ours, for a place in the report. */
  hideInValue(text: string): string {
    return this.#hide(text, this.#identifying);
  }

  /** The whole report. */
  hide(report: string): string {
    return this.#hide(
      report,
      this.#identifying.filter(({ text }) => DISTINCTIVE.test(text)),
    );
  }

  #hide(text: string, identifying: readonly IdentifyingText[]): string {
    const hidden = identifying.reduce((rest, each) => rest.replace(patternOf(each.text), `<${each.kind}>`), text);
    return this.#redactor
      .redact(hidden)
      .replace(URL_PATTERN, '<address>')
      .replace(EMAIL_PATTERN, '<e-mail>')
      .replace(ADDRESS_PATTERN, (found) => (isIP(found) === 0 ? found : '<address>'));
  }
}

/** The text as a whole word, in whatever case. */
function patternOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
}
