import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import {
  cleanLine,
  cutLine,
  MAX_LINE_LENGTH,
  NO_STYLE,
  parseLine,
  withoutColours,
} from '../../../../src/builds/logs/logLine.ts';

const ESC = '\u001b';
const parse = (raw: string) => parseLine(cleanLine(raw), NO_STYLE);

describe('a line of a log', () => {
  it('loses what a terminal would act on', () => {
    const rows = [
      ['a window title', `${ESC}]0;title\u0007text`, 'text'],
      ['a link', `${ESC}]8;;command:x${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
      ['the clipboard', `${ESC}]52;c;aGk=\u0007text`, 'text'],
      ['a string that does not end', `text${ESC}]0;title`, 'text'],
      ['a device control string', `${ESC}P1$r0m${ESC}\\text`, 'text'],
      ['eight-bit control sequences', '\u009b31mred\u009d0;title\u009ctext', 'redtext'],
      ['what moves the cursor', `${ESC}[2K${ESC}[1Gtext${ESC}7`, 'text'],
      ['other control characters', 'te\u0000x\bt\u0085', 'te x t '],
      ['what changes the direction of text', 'a\u202eb\u2066c', 'abc'],
      ['line separators', 'a\u2028b', 'a b'],
      ['what was printed over', '10%\r20%\r30%\r', '30%'],
    ] as const;
    for (const [, raw, expected] of rows) {
      assert.equal(parse(raw).line.text, expected);
    }
  });

  it('keeps tabs, which indent', () => {
    assert.equal(parse('\tat x').line.text, '\tat x');
  });

  it('has colours of the theme where its sequences set them, and goes on with those of the line before', () => {
    const { line, after } = parse(
      `a${ESC}[1;31mb${ESC}[0mc${ESC}[38;5;12md${ESC}[39me${ESC}[38;2;1;2;3mf${ESC}[4;103m`,
    );
    assert.equal(line.text, 'abcdef');
    assert.deepEqual(line.styles, [
      { start: 1, end: 2, style: { ...NO_STYLE, bold: true, foreground: 'red' } },
      { start: 3, end: 4, style: { ...NO_STYLE, foreground: 'brightBlue' } },
    ]);
    assert.deepEqual(after, { ...NO_STYLE, underline: true, background: 'brightYellow' });
    assert.deepEqual(parseLine('x', after).line.styles, [{ start: 0, end: 1, style: after }]);
  });

  it('is cut when it is very long', () => {
    const line = cutLine(cleanLine(`${'x'.repeat(MAX_LINE_LENGTH - 2)}${ESC}[31m${'y'.repeat(100_000)}`));
    assert.equal(line, `${'x'.repeat(MAX_LINE_LENGTH - 2)}…`);
  });

  it('of any bytes never throws, is one line, and has styles inside it', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ESC, '\u009b', '[', ']', ';', 'm', '\r', '\u0007', '31', '38;5;', `${ESC}[`, `${ESC}[1;44m`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const raw = pieces.join('').replaceAll('\n', '');
        const cleaned = cleanLine(raw);
        const { line } = parseLine(cleaned, NO_STYLE);
        assert.equal(line.text, withoutColours(cleaned));
        assert.doesNotMatch(line.text, /(?!\t)[\p{Cc}\u2028\u2029]/u);
        assert.equal(line.text, stripVTControlCharacters(line.text));
        let end = 0;
        for (const range of line.styles) {
          assert.ok(range.start >= end && range.end > range.start && range.end <= line.text.length);
          end = range.end;
        }
        assert.equal(cleanLine(cleaned), cleaned, 'what is clean stays as it is');
      }),
    );
  });
});
