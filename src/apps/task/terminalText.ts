/** Escape sequences that set colours and weight (ECMA-48 SGR). */
const COLOUR = String.raw`\u001b\[[0-9;:]{0,40}m`;

/**
 * Any other escape sequence: CSI, OSC and the other strings up to their end or that of the text, and the short ones. They
 * could write the clipboard, make links, or move what was printed before.
 */
const SEQUENCE = String.raw`\u001b(?:\[[\u0020-\u003f]*[\u0040-\u007e]?|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|[\u0020-\u002f]*[\u0030-\u007e]?)`;

/** Characters that are not printed; C1 controls begin sequences of their own. Tab, line feed and the escape of a colour stay. */
const CONTROL = String.raw`[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]`;

/** What hides or reorders the text around it, such as bidirectional overrides. */
const INVISIBLE = String.raw`[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]`;

const PATTERN = new RegExp(`(${COLOUR})|${SEQUENCE}|${CONTROL}|${INVISIBLE}`, 'gu');

/** Text of a service for a terminal: colours stay, everything else that a terminal acts on is taken out, lines end in CR LF. */
export function terminalText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(PATTERN, (_match, colour: string | undefined) => colour ?? '')
    .replaceAll('\n', '\r\n');
}
