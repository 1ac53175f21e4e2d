import assert from 'node:assert/strict';

import { configFixture, configFixtures, lineOf, problemsOf } from '../../support/configXml.ts';

/** Files of the kinds that people asked about in public, and everything that is said of them. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'quoteMissing.xml': ['4 error quoteMissing: The value of “source” has no closing quote.'],
  'endTagMisspelt.xml': ['6 error endTagMismatch: <author> is closed by </auther>.'],
};

describe('config.xml: broken files', () => {
  for (const name of configFixtures('broken')) {
    it(name, () => {
      const text = configFixture('broken', name);
      assert.deepEqual(
        problemsOf(text, []).map((problem) => lineOf(text, problem)),
        EXPECTED[name],
      );
    });
  }
});
