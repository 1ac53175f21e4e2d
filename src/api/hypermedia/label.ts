import { toUSVString } from 'node:util';

/** Characters of the longest text that is of use as a label. */
const MAX_LENGTH = 300;

/** What needs no cleaning, which is most. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Control characters, line and paragraph separators, and the characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/**
 * Text from the service as one plain line: without control and bidirectional characters, which can make a label look
 * like another one. Entities such as `&quot;` stay: nothing here is HTML.
 */
export function label(text: string): string {
  if (text.length <= MAX_LENGTH && PRINTABLE_ASCII.test(text)) {
    return text.trim();
  }
  const short = text.length > MAX_LENGTH ? `${toUSVString(text.slice(0, MAX_LENGTH - 1))}…` : text;
  return short.replace(UNPRINTABLE, ' ').trim();
}
