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

/** Shorter ones, plain words and numbers are part of what the report says itself. */
const DISTINCTIVE = /^(?![a-z]*$|[\d.:]*$).{5,}$/is;

/**
 * Takes out of a report what identifies somebody. The report is made of words of ours and of numbers; this is what still holds when
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
  const escaped = text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
}
