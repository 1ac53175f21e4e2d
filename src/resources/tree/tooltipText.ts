import { toUSVString } from 'node:util';

/** Characters that a tooltip shows. */
const MAX_TOOLTIP_LENGTH = 2000;

/** Text from the service for a tooltip: without control and bidirectional characters, as in labels, but with its line breaks. */
export function tooltipText(text: string): string {
  const short = text.length > MAX_TOOLTIP_LENGTH ? `${toUSVString(text.slice(0, MAX_TOOLTIP_LENGTH))}…` : text;
  return short.replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
    character === '\n' ? '\n' : ' ',
  );
}
