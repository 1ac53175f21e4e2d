import assert from 'node:assert/strict';
import { MAX_LOG_LENGTH } from '../../../../src/builds/limits.ts';
import { LogText } from '../../../../src/builds/logs/logText.ts';

describe('the text of a log', () => {
  it('drops its first lines when there is too much, with what was found in them', () => {
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
