import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextPollAt, getPauseMs } from '../../../../../../src/extension/apps/builds/watching/buildProgress.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Returns the times of the requests within a period, in milliseconds after the build request. */
function questions(until: number, isActive: boolean): readonly number[] {
  const times: number[] = [];
  for (let askedAt: number | undefined; ; times.push(askedAt)) {
    askedAt = nextPollAt({ startedAt: 0, askedAt, failures: 0, notBefore: 0 }, { isActive, atOnce: false });
    if (askedAt > until) {
      return times;
    }
  }
}

describe('the polling schedule of a build', () => {
  it('polls immediately and often in the first second, then less and less often, and half as often in an inactive window', () => {
    assert.deepEqual(questions(6_000, true), [0, 100, 300, 700, 1_500, 2_500, 3_500, 4_500, 5_500]);
    assert.deepEqual(questions(6_000, false), [0, 100, 300, 700, 1_500, 3_100, 5_100]);
    assert.ok(questions(MINUTE, true).length <= 24);
    const after = (minutes: number, isActive: boolean) =>
      questions((minutes + 1) * MINUTE, isActive).filter((time) => time > minutes * MINUTE).length;
    assert.deepEqual([after(5, true), after(5, false)], [4, 2]);
    assert.ok(questions(DAY, true).filter((time) => time > DAY - 60 * MINUTE).length <= 3);
  });

  it('waits as long as the service asks and after a second at least a second, but never stops', () => {
    const times = fc.integer({ min: 0, max: 10 * DAY });
    const history = fc.record({ startedAt: times, askedAt: times, failures: fc.nat(1_000), notBefore: times });
    fc.assert(
      fc.property(history, fc.boolean(), fc.boolean(), (given, isActive, atOnce) => {
        const next = nextPollAt(given, { isActive, atOnce });
        assert.ok(next >= given.notBefore);
        assert.ok(next >= given.askedAt + 100);
        const isFast =
          given.failures === 0 && given.askedAt >= given.startedAt && given.askedAt < given.startedAt + 900;
        assert.ok(isFast || next >= given.askedAt + 1_000);
        assert.ok(next <= Math.max(given.notBefore, given.askedAt + 30_000 + (10 * DAY) / 60));
      }),
    );
  });

  it('respects the delay of a busy service, up to a day', () => {
    assert.deepEqual([undefined, 0, 30, 1e9].map(getPauseMs), [0, 0, 30_000, DAY]);
  });
});
