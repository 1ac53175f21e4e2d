import assert from 'node:assert/strict';
import fc from 'fast-check';

import { nextPollAt, pauseMs, type Attention } from '../../../../src/builds/watching/watch.ts';

const ACTIVE: Attention = { active: true, atOnce: false };
const AWAY: Attention = { active: false, atOnce: false };
const MINUTE = 60_000;

/** Times of the questions within a while, in milliseconds after the request. */
function questions(until: number, attention: Attention): readonly number[] {
  const times: number[] = [];
  for (let askedAt = 0; ; times.push(askedAt)) {
    askedAt = nextPollAt({ startedAt: 0, askedAt, failures: 0, notBefore: 0 }, attention);
    if (askedAt > until) {
      return times;
    }
  }
}

describe('the schedule of questions about a build', () => {
  it('asks after a second, then ever less often, and four times a minute after the first', () => {
    assert.deepEqual(questions(6_000, ACTIVE), [1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
    assert.ok(questions(MINUTE, ACTIVE).length <= 20);
    const later = questions(6 * MINUTE, ACTIVE).filter((time) => time > 5 * MINUTE);
    assert.equal(later.length, 4);
  });

  it('asks half as often where nobody is at work, and as soon at first', () => {
    assert.equal(questions(MINUTE, AWAY)[0], 1_000);
    assert.equal(questions(7 * MINUTE, AWAY).filter((time) => time > 5 * MINUTE).length, 4);
  });

  it('asks once in five minutes about a build that does not end', () => {
    const day = 24 * 60 * MINUTE;
    assert.equal(questions(day, ACTIVE).filter((time) => time > day - 60 * MINUTE).length, 12);
  });

  it('asks never before the service wants it, never more often than once a second, and always again', () => {
    const times = fc.integer({ min: 0, max: 10 * 24 * 60 * MINUTE });
    const history = fc.record({ startedAt: times, askedAt: times, failures: fc.nat(1_000), notBefore: times });
    fc.assert(
      fc.property(history, fc.boolean(), fc.boolean(), (given, active, atOnce) => {
        const next = nextPollAt(given, { active, atOnce });
        assert.ok(next >= given.notBefore);
        assert.ok(next >= given.askedAt + 1_000);
        assert.ok(next <= Math.max(given.notBefore, given.askedAt + 5 * MINUTE));
      }),
    );
  });

  it('leaves a busy service alone as long as it says, or ever longer', () => {
    assert.equal(pauseMs(30, 1), 30_000);
    assert.equal(pauseMs(0, 1), 1_000);
    assert.equal(pauseMs(1e9, 1), 60 * MINUTE);
    assert.deepEqual(
      [1, 2, 3, 100].map((failures) => pauseMs(undefined, failures)),
      [15_000, 30_000, MINUTE, 5 * MINUTE],
    );
  });
});
