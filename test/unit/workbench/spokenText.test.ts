import assert from 'node:assert/strict';
import fc from 'fast-check';

import { spokenText } from '../../../src/workbench/texts.ts';

describe('a text for a screen reader', () => {
  it('joins with commas what is told apart by signs, and says nothing twice', () => {
    assert.equal(
      spokenText(['android', 'complete · 3 hours ago · demo build']),
      'android, complete, 3 hours ago, demo build',
    );
    assert.equal(spokenText(['apps', 'apps', undefined, '', ' ']), 'apps');
    assert.equal(spokenText([]), '');
  });

  it('puts no comma behind the end of a sentence', () => {
    assert.equal(spokenText(['Would fail', 'There is no name.', 'Add one.']), 'Would fail, There is no name. Add one.');
    assert.equal(spokenText(['What to do:', 'Add one.']), 'What to do: Add one.');
  });

  it('says each part of any text, and never a separator', () => {
    const part = fc.stringMatching(/^[a-z.!]{0,5}$/);
    fc.assert(
      fc.property(fc.array(fc.array(part).map((parts) => parts.join(' · '))), (parts) => {
        const said = spokenText(parts);
        assert.doesNotMatch(said, / · |^[ ,]|, ,|[ ,]$/);
        for (const each of parts.flatMap((text) => text.split(' · '))) {
          assert.ok(said.includes(each.trim()));
        }
      }),
    );
  });
});
