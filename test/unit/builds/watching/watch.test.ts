import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextPollAt, pauseMs } from '../../../../src/builds/watching/buildProgress.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Times of the questions within a while, in milliseconds after the request. */
function questions(until: number, isActive: boolean): readonly number[] {
  const times: number[] = [];
  for (let askedAt = 0; ; times.push(askedAt)) {
    askedAt = nextPollAt({ startedAt: 0, askedAt, failures: 0, notBefore: 0 }, { isActive, atOnce: false });
    if (askedAt > until) {
      return times;
    }
  }
}

describe('the schedule of questions about a build', () => {
  it('asks after a second, then less and less often, and half as often where nobody works', () => {
    assert.deepEqual(questions(6_000, true), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
    assert.ok(questions(MINUTE, true).length <= 20);
    const after = (minutes: number, isActive: boolean) =>
      questions((minutes + 1) * MINUTE, isActive).filter((time) => time > minutes * MINUTE).length;
    assert.deepEqual([after(5, true), after(5, false)], [4, 2]);
    assert.ok(questions(DAY, true).filter((time) => time > DAY - 60 * MINUTE).length <= 3);
  });

  it('never asks before the service wants it or more often than once a second, and always again', () => {
    const times = fc.integer({ min: 0, max: 10 * DAY });
    const history = fc.record({ startedAt: times, askedAt: times, failures: fc.nat(1_000), notBefore: times });
    fc.assert(
      fc.property(history, fc.boolean(), fc.boolean(), (given, isActive, atOnce) => {
        const next = nextPollAt(given, { isActive, atOnce });
        assert.ok(next >= given.notBefore);
        assert.ok(next >= given.askedAt + 1_000);
        assert.ok(next <= Math.max(given.notBefore, given.askedAt + 30_000 + (10 * DAY) / 60));
      }),
    );
  });

  it('leaves a busy service alone as long as it says, at most a day', () => {
    assert.deepEqual([undefined, 0, 30, 1e9].map(pauseMs), [0, 0, 30_000, DAY]);
  });
});
