import assert from 'node:assert/strict';
import { cleanLine } from '../../../../src/builds/logs/logLine.ts';
import { LogText } from '../../../../src/builds/logs/logText.ts';
import { assertLinear } from '../../../support/processorTime.ts';

describe('the text of a log', () => {
  it('drops its first lines when there are too many, with what was found in them', () => {
    const text = new LogText(100);
    text.append('── One\nwww/a.js:1:1: error: a\n');
    for (let line = 2; line <= 100; line += 1) {
      text.append(`line ${line}\n`);
    }
    assert.equal(text.first, 11);
    assert.equal(text.end, 101);
    assert.equal(text.textFrom(99), 'line 99\nline 100\n');
    assert.equal(text.textFrom(0).split('\n')[0], 'line 11');
    assert.deepEqual([text.marks, text.references], [[], []]);
    assert.equal(text.problems.length, 1, 'what is wrong in a file stays wrong');
    assert.equal(text.line(10), undefined);
    assert.equal(text.line(11)?.text, 'line 11');
  });

  it('drops its first lines when they are too long', () => {
    const text = new LogText(1_000, 100);
    text.append(`${'x'.repeat(60)}\n${'y'.repeat(60)}\n`);
    assert.equal(text.textFrom(0), `${'y'.repeat(60)}\n`);
  });

  it('has nothing of what comes before lines that are left out', () => {
    const text = new LogText();
    text.append('── One\nwww/a.js:1:1: error: a\n');
    text.skip(10);
    text.append('b\n');
    assert.deepEqual([text.first, text.end, text.textFrom(0)], [12, 13, 'b\n']);
    assert.deepEqual([text.marks, text.references, text.problems.length], [[], [], 1]);
  });

  it('knows the kind of each line', () => {
    const text = new LogText();
    text.append('a\n── One\nb\nerror: c\nd\n');
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((line) => text.kind(line)?.kind),
      [undefined, 'step', undefined, 'error', undefined, undefined],
    );
  });

  // Each takes the time of a pattern that looks at what it has seen again and again.
  for (const [name, line] of [
    ['paths', 'www/js/app.js:3:5: error: Unexpected token '],
    ['dots', 'a.a.a.a.a.a.'],
    ['slashes', '/a/'.repeat(10)],
    ['brackets', '<a>(['],
    ['escape sequences', '\u001b[3\u001b]8;;'],
    ['spaces', ' '.repeat(30)],
    ['errors', 'error error: '],
    ['times', '00:00:00 12:'],
  ] as const) {
    it(`is read in time that grows with its lines, which are full of ${name}`, () => {
      assertLinear(name, 4_000, (length) => {
        const text = new LogText();
        for (let index = 0; index < 100; index += 1) {
          text.append(`${cleanLine(line.repeat(Math.ceil(length / line.length)))}\n`);
        }
      });
    });
  }
});
