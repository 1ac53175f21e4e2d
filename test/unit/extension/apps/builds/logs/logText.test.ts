import assert from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { MAX_LOG_LENGTH } from '../../../../../../src/extension/apps/builds/limits.ts';
import { cleanLine, errorInLine, LogText } from '../../../../../../src/extension/apps/builds/logs/logText.ts';

const ESC = '\u001b';

describe('a line of a log', () => {
  it('removes control sequences, text-direction marks, and overwritten text', () => {
    const rows = [
      ['a window title', `${ESC}]0;title\u0007text`, 'text'],
      ['a link', `${ESC}]8;;command:x${ESC}\\link${ESC}]8;;${ESC}\\`, 'link'],
      ['a clipboard write', `${ESC}]52;c;aGk=\u0007text`, 'text'],
      ['an unterminated string', `text${ESC}]0;title`, 'text'],
      ['a device control string', `${ESC}P1$r0m${ESC}\\text`, 'text'],
      ['eight-bit control sequences', '\u009b31mred\u009d0;title\u009ctext', 'redtext'],
      ['colors', `${ESC}[1;31mred${ESC}[0m`, 'red'],
      ['cursor movements', `${ESC}[2K${ESC}[1Gtext${ESC}7`, 'text'],
      ['other control characters', 'te\u0000x\bt\u0085', 'te x t '],
      ['text-direction marks', 'a\u202eb\u2066c', 'abc'],
      ['line separators', 'a\u2028b', 'a b'],
      ['overwritten text', '10%\r20%\r30%\r', '30%'],
    ] as const;
    for (const [, raw, expected] of rows) {
      assert.equal(cleanLine(raw), expected);
    }
    assert.equal(cleanLine('\tat x'), '\tat x', 'tabs indent');
  });

  it('converts any text to one line without control characters', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ESC, '\u009b', '[', ']', ';', 'm', '\r', '\u0007', '31', '38;5;', `${ESC}[`, `${ESC}[1;44m`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const line = cleanLine(pieces.join('').replaceAll('\n', ''));
        assert.doesNotMatch(line, /(?!\t)[\p{Cc}\u2028\u2029]/u);
        assert.equal(line, stripVTControlCharacters(line));
        assert.equal(cleanLine(line), line);
      }),
    );
  });

  it('recognizes errors in the formats that build tools print', () => {
    const rows = [
      ['error: no such thing', true],
      ['www/app.js:3:5: error: Unexpected token', true],
      ['src/a.ts(3,5): error TS2304: Cannot find name', true],
      ['FAILURE: Build failed with an exception.', true],
      ['npm ERR! code 1', true],
      ['** BUILD FAILED **', true],
      ['e: file:///a/b.kt:3:5 Unresolved reference', true],
      ['[03:04:05] ERROR in the build', true],
      ['Malformed config.xml: the element name is missing or empty.', true],
      ['0 errors', false],
      ['No error: all is well here', false],
      ['errors.js was packed', false],
      ['warning: no icon', false],
    ] as const;
    for (const [line, isError] of rows) {
      assert.equal(errorInLine(line) !== undefined, isError, line);
    }
    assert.equal(errorInLine('2026-01-02T03:04:05.678Z ##[error]It failed'), 'It failed');
  });
});

describe('the text of a log', () => {
  it('drops the first lines of a long log, and the errors found in them', () => {
    const text = new LogText();
    text.append('error: a\nwww/a.js:1:1: error: b\n');
    assert.deepEqual([text.errors.length, text.references.length, text.first], [2, 1, 0]);
    const tenth = MAX_LOG_LENGTH / 10 - 1;
    for (let line = 2; line < 20; line += 1) {
      text.append(`${`line ${line} `.padEnd(tenth, 'x')}\n`);
    }
    assert.deepEqual([text.first, text.end], [11, 20]);
    assert.match(text.textFrom(18), /^line 18 x+\nline 19 x+\n$/);
    assert.match(text.textFrom(0), /^line 11 /);
    assert.deepEqual([text.errors, text.references], [[], []]);
    assert.equal(text.problems.length, 1, 'what is wrong in a file stays wrong');
  });
});
