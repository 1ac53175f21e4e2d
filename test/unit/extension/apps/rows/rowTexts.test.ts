import assert from 'node:assert/strict';
import { buildSummary, dayText, timeAgo, timeToEnd } from '../../../../../src/extension/apps/rows/rowTexts.ts';

const now = new Date('2026-03-02T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);

describe('the time since a build ended', () => {
  it('uses the largest unit that fits, in the editor’s language', () => {
    for (const [seconds, text] of [
      [0, 'now'],
      [59, 'now'],
      [60, '1 minute ago'],
      [3599, '59 minutes ago'],
      [3600, '1 hour ago'],
      [86_400, 'yesterday'],
      [8 * 86_400, 'last week'],
      [400 * 86_400, 'last year'],
      [-3600, 'in 1 hour'],
    ] as const) {
      assert.equal(timeAgo(before(seconds), now, 'en'), text);
    }
    assert.equal(timeAgo(before(7200), now, 'de'), 'vor 2 Stunden');
  });
});

describe('the time until something expires', () => {
  it('uses days within a month, and otherwise the largest unit that fits', () => {
    const day = 86_400;
    for (const [seconds, text] of [
      [13 * day, 'in 13 days'],
      [7 * day, 'in 7 days'],
      [7 * day - 1, 'in 6 days'],
      [day, 'tomorrow'],
      [day - 1, 'in 23 hours'],
      [0, 'now'],
      [-day, 'yesterday'],
      [-8 * day, '8 days ago'],
      [31 * day, 'in 31 days'],
      [40 * day, 'next month'],
      [-400 * day, 'last year'],
    ] as const) {
      assert.equal(timeToEnd(before(-seconds), now, 'en'), text);
    }
    assert.equal(timeToEnd(before(-6 * day), now, 'de'), 'in 6 Tagen');
    assert.equal(timeToEnd(before(-6 * day), now, 'no language'), 'in 6 days');
    assert.equal(dayText(now, 'en'), 'Mar 2, 2026');
  });
});

describe('the summary of an app’s builds', () => {
  it('shows a mark for each state, omits unrequested platforms, and shows unknown words as sent', () => {
    const states = ['complete', 'failed', 'building', 'waiting', 'skipped', 'none', 'other'] as const;
    const builds = states.slice(0, 6).map((state, index) => ({ platform: `p${index}`, state, status: 'x' }));
    assert.equal(buildSummary(builds), 'p0 ✓  p1 ✗  p2 …  p3 …  p4 –');
    assert.equal(buildSummary([{ platform: 'tizen', state: 'other', status: 'baking' }]), 'tizen baking');
    assert.equal(buildSummary([]), '');
  });
});
