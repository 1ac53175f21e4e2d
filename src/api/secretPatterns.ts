import { decodeXML } from 'entities/decode';

/** White space, control and format characters: not seen, or only as a gap. */
const INVISIBLE = '[\\s\\p{Cc}\\p{Cf}]';

/** The text without {@link INVISIBLE} characters. */
export function withoutInvisible(text: string): string {
  return text.replace(new RegExp(INVISIBLE, 'gu'), '');
}

/** Source of a pattern for a value between whose characters invisible ones may stand. Needs the flag `u`. */
export function invisiblySplitPattern(value: string): string {
  return Array.from(value, (character) => character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&')).join(`${INVISIBLE}*`);
}

/** Undoes one layer of escapes of URLs, JSON and HTML. */
export function unescapeOnce(text: string): string {
  if (!/[%\\&]/.test(text)) {
    return text;
  }
  const unescaped = text
    .replace(/(?:%[0-9a-f]{2})+/gi, (octets) => Buffer.from(octets.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(
      /\\(?:u([0-9a-f]{4})|(["\\/])|[bfnrt])/gi,
      (_all, hex: string | undefined, character: string | undefined) =>
        hex === undefined ? (character ?? ' ') : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return unescaped.includes('&') ? decodeXML(unescaped) : unescaped;
}

/**
 * Source of a pattern for a value as URLs, forms, JSON, JavaScript and HTML write it. Each of them escapes other characters, and
 * one may stand inside another: so every character may be written in any way.
 */
export function writtenPattern(secret: string): string {
  // A run of backslashes is one piece: with a quantifier for each backslash, matching would take exponential time.
  return [...secret.matchAll(/\\+|[A-Za-z\d]+|[\s\S]/gu)]
    .map(([piece]) => (/^[A-Za-z\d]/.test(piece) ? piece : `(?:${spellings(piece).join('|')})`))
    .join('');
}

/** Sources of patterns for the ways to write one character, or a run of backslashes. */
function spellings(piece: string): readonly string[] {
  const octets = [...Buffer.from(piece, 'utf8')].map((octet) => `%(?:25){0,2}${hexPattern(octet, 2)}`).join('');
  if (piece.startsWith('\\')) {
    return [`\\\\{${piece.length},${piece.length * 16}}`, octets];
  }
  const point = piece.codePointAt(0) ?? 0;
  const units = Array.from(
    { length: piece.length },
    (_unit, index) => `\\\\{1,15}u${hexPattern(piece.charCodeAt(index), 4)}`,
  ).join('');
  const short = SHORT_ESCAPES[piece];
  const named = HTML_ENTITIES[piece];
  return [
    `${ESCAPED_BY_BACKSLASH.includes(piece) ? '\\\\{0,15}' : ''}${escapeRegExp(piece)}`,
    octets,
    units,
    `&#(?:0*${point}|[xX]0*${hexPattern(point, 1)});`,
    ...(point < 0x100 ? [`\\\\{1,15}x${hexPattern(point, 2)}`] : []),
    ...(short === undefined ? [] : [`\\\\{1,15}${short}`]),
    ...(named === undefined ? [] : [`&${named};`]),
    ...(piece === ' ' ? ['\\+'] : []),
    // Half of a surrogate pair has no UTF-8; it is written as the replacement character.
    ...(point >= 0xd800 && point <= 0xdfff ? ['\uFFFD'] : []),
  ];
}

/** Characters that JSON, JavaScript and shells escape by a backslash before them. */
const ESCAPED_BY_BACKSLASH = '"\'`/';
/** What follows the backslash in JSON and JavaScript. */
const SHORT_ESCAPES: Readonly<Partial<Record<string, string>>> = {
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
};
const HTML_ENTITIES: Readonly<Partial<Record<string, string>>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Source of a pattern for exactly this text. */
export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** Source of a pattern for a number in hexadecimal digits of either case. */
function hexPattern(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** The characters of base64 that depend on the value alone, for each of the three positions at which it can start in a group. */
export function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
