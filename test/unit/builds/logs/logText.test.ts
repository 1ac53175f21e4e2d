import assert from 'node:assert/strict';
import { LogText } from '../../../../src/builds/logs/logText.ts';

describe('the text of a log', () => {
  it('drops its first lines when there is too much, with what was found in them', () => {
    const text = new LogText(100);
    text.append('error: a\nwww/a.js:1:1: error: b\n');
    assert.deepEqual([text.errors.length, text.references.length, text.first], [2, 1, 0]);
    for (let line = 2; line < 20; line += 1) {
      text.append(`line ${line}\n`);
    }
    assert.deepEqual([text.first, text.end], [9, 20]);
    assert.equal(text.textFrom(18), 'line 18\nline 19\n');
    assert.equal(text.textFrom(0).split('\n')[0], 'line 9');
    assert.deepEqual([text.errors, text.references], [[], []]);
    assert.equal(text.problems.length, 1, 'what is wrong in a file stays wrong');
  });
});
