import { MAX_TEXT_LENGTH } from '../limits.ts';

/** Most texts need no cleaning. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * Invisible characters between words: control characters, line and paragraph separators, and two symbols that have
 * no ink (braille blank, null notehead). A run is shown as a
 * space; line feeds are kept. Without a limit, a run of millions would overflow the stack of the engine.
 */
const SEPARATORS = /(?:(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u2800\u{1d159}]){1,100}/gu;

/**
 * Invisible characters, and those that change how their neighbours look: format characters (bidirectional ones above all), private use, unassigned,
 * half pairs, and what Unicode lets a font leave out (joiners, fillers, tags, variation selectors).
 */
const INVISIBLE = /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

const SEPARATOR_OR_INVISIBLE = new RegExp(`\\n|${SEPARATORS.source}|${INVISIBLE.source}`, 'u');

/**
 * Text from the service as one plain line of at most {@link MAX_TEXT_LENGTH} characters, without those that are not seen: they can
 * make a label look like another one. Empty when nothing is left. Entities such as `&quot;` stay: nothing here is HTML.
 */
export function label(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH && PRINTABLE_ASCII.test(text)) {
    return text.trim();
  }
  // In front of what is seen there may be characters that are not.
  const line = visibleText(text.slice(0, 10 * MAX_TEXT_LENGTH))
    .replace(/ ?\n+ ?|\p{Zs}/gu, ' ')
    .trim();
  // The second call removes half of a pair that was cut in two.
  return line.length > MAX_TEXT_LENGTH ? `${visibleText(line.slice(0, MAX_TEXT_LENGTH - 1))}…` : line;
}

/** Text from the service as {@link label} shows it, but of any length and with its line breaks. */
export function visibleText(text: string): string {
  return PRINTABLE_ASCII.test(text)
    ? text
    : text.replaceAll('\r\n', '\n').replace(SEPARATORS, ' ').replace(INVISIBLE, '');
}

/** Words with one space, U+0020, between two: where a name is shown as a web page, several look like one. */
const WORDS = /^\S+(?: \S+)*$/;

/**
 * True when a name is shown as it is: {@link label} changes nothing but its length, and no other white space looks like that in it.
 * Another name can look exactly like one that is not displayable.
 */
export function isDisplayable(name: string): boolean {
  return WORDS.test(name) && (PRINTABLE_ASCII.test(name) || !SEPARATOR_OR_INVISIBLE.test(name));
}
