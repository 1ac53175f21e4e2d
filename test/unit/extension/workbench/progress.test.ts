import assert from 'node:assert/strict';
import { eachPercent } from '../../../../src/extension/workbench/progress.ts';

describe('progress in percent', () => {
  const increments = (all: readonly number[], total: number) => {
    const reported: (number | undefined)[] = [];
    const report = eachPercent((_text, details) => reported.push(details?.increment));
    all.forEach((done) => report('', { done, total }));
    return reported;
  };

  it('reports each percent once with the increase, however small or large the steps', () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => index + 1);
    assert.deepEqual(increments(pieces, 10_000), Array(100).fill(1));
    assert.deepEqual(increments([1, 30, 30.5, 100], 100), [1, 29, 70]);
    assert.deepEqual(increments([0], 0), []);
  });
});
