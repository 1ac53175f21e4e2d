import assert from 'node:assert/strict';
import { eachPercent } from '../../../src/workbench/progress.ts';

describe('percents of something that is done', () => {
  const increments = (all: readonly number[], total: number) => {
    const reported: (number | undefined)[] = [];
    const report = eachPercent((_text, details) => reported.push(details?.increment));
    all.forEach((done) => report('', { done, total }));
    return reported;
  };

  it('are reported once each, with what has come since, however small or large the pieces', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => index + 1);
    assert.deepEqual(increments(pieces, 10_000), Array(100).fill(1));
    assert.deepEqual(increments([1, 30, 30.5, 100], 100), [1, 29, 70]);
    assert.deepEqual(increments([0], 0), []);
  });
});
