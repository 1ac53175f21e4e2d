import { visibleText } from '../../api/hypermedia/label.ts';

/** Characters of a line; what is longer is cut. */
export const MAX_LINE_LENGTH = 4_000;
/** Characters of a line that are looked at: some of them are not printed. */
export const MAX_RAW_LENGTH = 2 * MAX_LINE_LENGTH;
/** Parts of a line that look different; what follows looks plain. */
const MAX_STYLES = 100;

/** The colours of a terminal, in the order of their numbers (ECMA-48, SGR 30–37 and 90–97). */
const COLOURS = [
  ...(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const),
  ...(['brightBlack', 'brightRed', 'brightGreen', 'brightYellow'] as const),
  ...(['brightBlue', 'brightMagenta', 'brightCyan', 'brightWhite'] as const),
] as const;

export type Colour = (typeof COLOURS)[number];

export interface TextStyle {
  readonly foreground: Colour | undefined;
  readonly background: Colour | undefined;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
}

/** A part of a line that looks different. Offsets are UTF-16 code units, the end exclusive. */
export interface StyledRange {
  readonly start: number;
  readonly end: number;
  readonly style: TextStyle;
}

export interface LogLine {
  readonly text: string;
  readonly styles: readonly StyledRange[];
}

/** The style of text that has none. */
export const NO_STYLE: TextStyle = {
  foreground: undefined,
  background: undefined,
  bold: false,
  italic: false,
  underline: false,
};

/** The effect of the numbers of a sequence. Colours beyond the sixteen, which themes know, are not among them. */
const CHANGES: ReadonlyMap<number, Partial<TextStyle>> = new Map<number, Partial<TextStyle>>([
  [0, NO_STYLE],
  [1, { bold: true }],
  [22, { bold: false }],
  [3, { italic: true }],
  [23, { italic: false }],
  [4, { underline: true }],
  [24, { underline: false }],
  [39, { foreground: undefined }],
  [49, { background: undefined }],
  ...COLOURS.map((foreground, index) => [foregroundCode(index), { foreground }] as const),
  ...COLOURS.map((background, index) => [foregroundCode(index) + 10, { background }] as const),
]);

const [ESC, BEL, CSI, ST] = [0x1b, 0x07, 0x9b, 0x9c].map((code) => String.fromCharCode(code));
/** `ESC [ 1;31 m`: what sets colours. Captures the numbers. */
const SGR = `${ESC}\\[([\\d;:]{0,40})m`;
/** The first characters of strings that run until they are ended: window titles, links, the clipboard (ECMA-48 §5.6). */
const STRING_STARTS = [0x90, 0x98, 0x9d, 0x9e, 0x9f].map((code) => String.fromCharCode(code)).join('');
/** Any control sequence; an unfinished one goes to the end of the line. */
const SEQUENCES = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[${STRING_STARTS}])[^${BEL}${ESC}${ST}]*(?:${BEL}|${ESC}\\\\|${ST})?`,
    `(?:${ESC}\\[|${CSI})[0-?]*[ -/]*[@-~]?`,
    `${ESC}[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
const ONE_SGR = new RegExp(`^${SGR}$`);
const SPLIT_AT_SGR = new RegExp(SGR);
const EACH_SGR = new RegExp(SGR, 'g');
const CUT_SEQUENCE = new RegExp(`${ESC}[^m]{0,50}$`);

/**
 * A line of a log as a terminal may print it: of its control sequences only those that set colours are left. The log is
 * untrusted: a sequence can set a window's title, make a link, or write to the clipboard. Of a line that was printed over
 * itself, the last state.
 *
 * @param raw without its line break.
 */
export function cleanLine(raw: string): string {
  const last = raw.replace(/(?<!\r)\r+$/, '');
  return last
    .slice(last.lastIndexOf('\r') + 1)
    .slice(0, MAX_RAW_LENGTH)
    .replace(SEQUENCES, (sequence) => (ONE_SGR.test(sequence) ? sequence : ''))
    .split(SPLIT_AT_SGR)
    .map((part, index) => (index % 2 === 0 ? visibleInLine(part) : `${ESC}[${part}m`))
    .join('');
}

/** A line of {@link cleanLine} of at most {@link MAX_LINE_LENGTH} characters. Secrets are hidden before: half a one is not found. */
export function cutLine(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).replace(CUT_SEQUENCE, '')}…` : line;
}

/** The text of a {@link cleanLine}, or of several lines, without what sets colours. */
export function withoutColours(text: string): string {
  return text.replace(EACH_SGR, '');
}

/** The text of a {@link cleanLine} and its colours. @param before the style in which the line before ended. */
export function parseLine(line: string, before: TextStyle): { readonly line: LogLine; readonly after: TextStyle } {
  let text = '';
  let style = before;
  const styles: StyledRange[] = [];
  for (const [index, part] of line.split(SPLIT_AT_SGR).entries()) {
    if (index % 2 === 1) {
      style = styleAfter(style, part);
    } else if (part !== '') {
      if (!isPlain(style) && styles.length < MAX_STYLES) {
        styles.push({ start: text.length, end: text.length + part.length, style });
      }
      text += part;
    }
  }
  return { line: { text, styles }, after: style };
}

/** Tabs are kept: they indent. */
function visibleInLine(text: string): string {
  return text.includes('\t') ? text.split('\t').map(visibleText).join('\t') : visibleText(text);
}

function foregroundCode(index: number): number {
  return index < 8 ? 30 + index : 82 + index;
}

function styleAfter(style: TextStyle, numbers: string): TextStyle {
  const codes = numbers.split(/[;:]/).map(Number);
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code !== 38 && code !== 48) {
      next = { ...next, ...CHANGES.get(code) };
      continue;
    }
    // `38;5;n` is one of 256 colours, the first of which are the sixteen; `38;2;r;g;b` is any.
    const isIndexed = codes[index + 1] === 5;
    const colour = isIndexed ? COLOURS[codes[index + 2] ?? -1] : undefined;
    next = { ...next, ...(code === 38 ? { foreground: colour } : { background: colour }) };
    index += isIndexed ? 2 : 4;
  }
  return next;
}

function isPlain(style: TextStyle): boolean {
  return Object.values(style).every((value) => value === undefined || value === false);
}
