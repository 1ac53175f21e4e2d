import assert from 'node:assert/strict';
import fc from 'fast-check';
import { terminalText } from '../../../../src/apps/task/terminalText.ts';

describe('text of a service in a terminal', () => {
  it('keeps colours, tabs and lines', () => {
    assert.equal(terminalText('\u001b[1;31merror\u001b[0m\tx\ny\r\nz'), '\u001b[1;31merror\u001b[0m\tx\r\ny\r\nz');
  });

  it('loses what else a terminal acts on', () => {
    for (const [text, shown] of [
      ['a\u001b]52;c;c2VjcmV0\u0007b', 'ab'],
      ['a\u001b]8;;command:x\u001b\\link\u001b]8;;\u001b\\b', 'alinkb'],
      ['a\u001b[2J\u001b[1;1Hb', 'ab'],
      ['a\u001b]0;title', 'a'],
      ['a\u001bcb\u001b(0c', 'abc'],
      ['a\u009b31mb\u0007\bc\rd', 'a31mbcd'],
      ['a\u202eb\u200bc', 'abc'],
      ['a\u001b', 'a'],
    ] as const) {
      assert.equal(terminalText(text), shown, JSON.stringify(text));
    }
  });

  it('never lets an escape through that is no colour', () => {
    const unit = fc.constantFrom('\u001b', '[', ']', 'm', '1', ';', '\u0007', '\\', 'H', '\u009b', '\n', '\r', 'a', 'P');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        const rest = terminalText(text)
          .replace(/\u001b\[[0-9;:]*m/g, '')
          .replaceAll('\r\n', '');
        assert.doesNotMatch(rest, /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a megabyte of unfinished sequences in no time', () => {
    for (const piece of ['\u001b[', '\u001b]x', '\u001b[1;', '\u001b']) {
      const start = performance.now();
      terminalText(piece.repeat(300_000));
      assert.ok(performance.now() - start < 1_000, JSON.stringify(piece));
    }
  });
});
