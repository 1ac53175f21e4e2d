import assert from 'node:assert/strict';
import { percentCounter } from '../../../src/workbench/progress.ts';

describe('percents of something that is done', () => {
  it('are told once each, however small the pieces', () => {
    const newPercent = percentCounter();
    const reached = Array.from({ length: 10_000 }, (_, index) => newPercent(index + 1, 10_000)).filter(Boolean);
    assert.deepEqual(
      reached,
      Array.from({ length: 100 }, (_, index) => ({ percent: index + 1, increment: 1 })),
    );
  });

  it('are told with what has come since, however large the pieces', () => {
    const newPercent = percentCounter();
    assert.deepEqual(
      [1, 30, 30.5, 100].map((done) => newPercent(done, 100)?.increment),
      [1, 29, undefined, 70],
    );
    assert.equal(percentCounter()(0, 0), undefined);
  });
});
