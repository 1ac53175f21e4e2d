/** Characters and names of XML 1.0 (fifth edition). */
import type { Span } from './xmlDocument.ts';

const NAME_START = [
  ':A-Z_a-z',
  '\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}',
  '\\u{200C}-\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}',
  '\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}',
].join('');
const NAME = `[${NAME_START}][\\u{300}-\\u{36F}\\u{203F}-\\u{2040}\\u{B7}.0-9${NAME_START}-]*`;
const ASCII_NAME = /^[:A-Z_a-z][-.:\w]*$/;
const ANY_NAME = new RegExp(`^${NAME}$`, 'u');
const LEADING_NAME = new RegExp(`^${NAME}`, 'u');

/** True for what may name an element or an attribute (§2.3 “Name”). */
export function isName(text: string): boolean {
  return ASCII_NAME.test(text) || ANY_NAME.test(text);
}

/** The name that a text begins with, or an empty text. */
export function leadingName(text: string): string {
  return LEADING_NAME.exec(text)?.[0] ?? '';
}

/** True for a text of nothing but white space (§2.3 “S”), or nothing. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (!isSpace(text.charCodeAt(index))) {
      return false;
    }
  }
  return true;
}

/** @param code a UTF-16 code unit; NaN behind the end of a text. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Rare characters: those that XML does not allow, and all surrogates. */
const RARE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/;
const NOT_ALLOWED = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]+/u;

/** The first characters that XML does not allow (§2.2 “Char”), as long as they follow each other. */
export function badCharacters(text: string): Span | undefined {
  const match = RARE.test(text) ? NOT_ALLOWED.exec(text) : null;
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

/** A span without the white space around it. */
export function withoutSpace(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  while (from < to && isSpace(text.charCodeAt(from))) {
    from += 1;
  }
  while (to > from && isSpace(text.charCodeAt(to - 1))) {
    to -= 1;
  }
  return { start: from, end: to };
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * What a reference stands for (§4.1, §4.6).
 *
 * @param name without `&` and `;`, such as `amp` or `#xE9`.
 * @returns undefined for an entity that XML itself does not declare, and for a number that is no character.
 */
export function resolveReference(name: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(name) ?? [];
  if (hexadecimal === undefined && decimal === undefined) {
    return ENTITIES.get(name);
  }
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '';
  return character === '' || badCharacters(character) !== undefined ? undefined : character;
}
