import { MAX_TEXT_LENGTH } from '../limits.ts';

/** Matches text that doesn't need cleanup. This is the most common case. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Invisible characters between words: control characters, line and paragraph separators, and two blank symbols (braille
 * blank, null notehead). A sequence of them becomes one space. Line feeds are kept. The limit keeps millions of them
 * from overflowing the engine's stack.
 */
const SEPARATORS = /(?:(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u2800\u{1d159}]){1,100}/gu;

/**
 * Invisible characters, and characters that change the appearance of their neighbors: format characters (especially
 * bidirectional ones), private use, unassigned code points, lone surrogates, and default-ignorable code points
 * (joiners, fillers, tags, variation selectors).
 */
const INVISIBLE = /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const SEPARATOR_OR_INVISIBLE = new RegExp(`\\n|${SEPARATORS.source}|${INVISIBLE.source}`, 'u');

/**
 * Returns text from the service as one plain line of at most {@link MAX_TEXT_LENGTH} characters. Invisible characters
 * are removed, because they can make one label look like another. Entities such as `&quot;` stay, because the text
 * isn't HTML. The result may be empty.
 */
export function label(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH && PRINTABLE_ASCII.test(text)) {
    return text.trim();
  }
  // Visible characters may follow many invisible ones.
  const line = visibleText(text.slice(0, 10 * MAX_TEXT_LENGTH))
    .replace(/ ?\n+ ?|\p{Zs}/gu, ' ')
    .trim();
  // The second call removes a surrogate whose pair was cut in two.
  return line.length > MAX_TEXT_LENGTH ? `${visibleText(line.slice(0, MAX_TEXT_LENGTH - 1))}…` : line;
}

/** Returns text from the service, cleaned up like {@link label} but with any length and with its line breaks. */
export function visibleText(text: string): string {
  return PRINTABLE_ASCII.test(text)
    ? text
    : text.replaceAll('\r\n', '\n').replace(SEPARATORS, ' ').replace(INVISIBLE, '');
}

/** Words separated by single U+0020 spaces. A web page collapses several spaces into one. */
const WORDS = /^\S+(?: \S+)*$/;

/**
 * Reports whether a name is shown verbatim: {@link label} changes only its length, and its only white space is single
 * U+0020 spaces. Any other name can look exactly like a displayable one.
 */
export function isDisplayable(name: string): boolean {
  return WORDS.test(name) && (PRINTABLE_ASCII.test(name) || !SEPARATOR_OR_INVISIBLE.test(name));
}
