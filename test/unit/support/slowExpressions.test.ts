import assert from 'node:assert/strict';

import { slowExpressions } from '../../support/slowExpressions.ts';

/** Expressions that took seconds for a few kilobytes, and what does the same in time that grows with the text. */
const SLOW_AND_LINEAR: readonly (readonly [slow: RegExp, linear: RegExp])[] = [
  [/^\s*:?\s*-?\s*(?:fatal )?\b(error|warning)\b/, /^\s*(?::\s*)?(?:-\s*)?(?:fatal )?\b(error|warning)\b/],
  [/[.=]+$/, /(?<![.=])[.=]+$/],
  [/\s+[A-Za-z_][-:.\w]*\s*=\s*(?:["']|$)/, /\s[A-Za-z_][-:.\w]*\s*=\s*(?:["']|$)/],
  [/\/?>[^<]*[\r\n]\s*<[\w!/?]/, /(?<!\s)\s+<[\w!/?]/],
  [/<widget\b[^>]*?\sid\s*=\s*(["'])(.*?)\1/s, /^<widget\b[^<>]*/],
  [/<!--.*?-->/s, /<!--/],
  [/[?#].*$/, /[?#].*$/s],
];

describe('regular expressions', () => {
  it('that take more than linear time are found, with their place', async () => {
    const slow = SLOW_AND_LINEAR.map(([{ source, flags }], index) => ({ source, flags, place: `slow.ts:${index}` }));
    const linear = SLOW_AND_LINEAR.map(([, { source, flags }], index) => ({
      source,
      flags,
      place: `linear.ts:${index}`,
    }));
    const found = await slowExpressions([...linear, ...slow]);
    assert.deepEqual(
      found.map((problem) => problem.slice(0, problem.indexOf(': '))),
      slow.map(({ place }) => place),
    );
  });
});
