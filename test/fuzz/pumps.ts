/** Repeats short strings until they fill a door. */

/** Returns a string with this number of characters or slightly fewer. */
export type MakeText = (length: number) => string;

/** Replaced by a different number in each repetition. */
const NUMBER = '§';

/**
 * Repeats a piece between a start and an end. If the piece contains {@link NUMBER}, all repetitions differ.
 * @param end also closes the list of the repeated elements
 */
export function within(start: string, piece: string, end = ''): MakeText {
  return (length) => {
    const pieces: string[] = [];
    for (let left = length - start.length - end.length; left >= piece.length; left -= pieces.at(-1)?.length ?? left) {
      pieces.push(piece.replaceAll(NUMBER, String(pieces.length)));
    }
    return start + pieces.join('') + end;
  };
}

/** Repeats an opening string, then a closing string the same number of times. */
export function nested(open: string, close: string, start = '', inner = '', end = ''): MakeText {
  return (length) => {
    const count = Math.floor((length - start.length - inner.length - end.length) / (open.length + close.length));
    return start + open.repeat(count) + inner + close.repeat(count) + end;
  };
}

/** Returns inputs by their piece, given as `[start, piece, end]` or as one piece. */
export function pumps(
  ...rows: readonly (readonly [start: string, piece: string, end?: string])[]
): Readonly<Record<string, MakeText>> {
  return Object.fromEntries(rows.map((row) => [row[0].slice(-40) + row[1].slice(0, 80), within(...row)]));
}

/** Single characters, pairs of them, and beginnings of constructs that a reader looks for but that never end. */
const PIECES: readonly string[] = [
  ...Array.from('aA0 .,:;/\\\'"<>=&#!?%@*_-|+~()[]{}\t\n\r\0\u001b\u200b\u202eé😀'),
  ...['a ', ' \n', '\r\n', 'a.', './', '/../', '//', '/*', '**/', 'a*', '<!', '<!--', ']]>', '<a', '<a ', '</', '/>'],
  ...['="', '&#', '&#x41;', '&amp', '${', '([', '{"', '":', '[[', '](', '0:', '\\"', '\\u0041', '\\\\', '%41', '%25'],
  ...['1:1:', 'a.js:1', ' error', '://', 'a@', 'a://b@', '\u001b[31ma', '\u001b]8;;', 'AKIA', '-----BEGIN ', '-1'],
  ...['"password":', '\\"token\\":\\"', '?access_token', '&auth_token%3D', 'authorization:', 'Bearer ', 'Basic a'],
  ...[
    '/api/v1',
    '{a',
    '{+a}',
    '{a,',
    '_url',
    '@odata.',
    '<a>;rel="',
    "utf-8'",
    '~0~1',
    '__proto__',
    'a=b; ',
    'a[b][]&',
  ],
];

/** Inputs for every door. */
export const ANYTHING: Readonly<Record<string, MakeText>> = {
  ...Object.fromEntries(PIECES.map((piece) => [JSON.stringify(piece), within('', piece)])),
  // If a reader looks for the end of a run from each of its characters, it needs quadratic time.
  ...Object.fromEntries(
    Array.from(' .\r\n=/_-\\*', (piece) => [`${JSON.stringify(piece)}, then another`, within('', piece, 'a\n')]),
  ),
  'different lines': within('', 'a§\n'),
  'names that differ by a letter': (length) => `<${'a'.repeat(length / 2 - 3)}></${'a'.repeat(length / 2 - 4)}b>`,
  'spaces before another character': within('a.js:1', ' ', '!'),
  'deep and wide': within('', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`),
  deep: nested('{"a":[', ']}'),
};
