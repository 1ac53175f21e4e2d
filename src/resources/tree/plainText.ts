import { toUSVString } from 'node:util';

/** All that a tooltip shows of a text. */
const longest = 2000;

/** Text from the service as plain lines: without the characters that labels go without. */
export function plainLines(text: string): string {
  const short = text.length > longest ? `${toUSVString(text.slice(0, longest))}…` : text;
  return short.replace(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (character) =>
    character === '\n' ? '\n' : ' ',
  );
}
