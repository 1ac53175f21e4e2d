import assert from 'node:assert/strict';
import { textsGivenToVscode } from '../../support/shownTexts.ts';
import { SURFACES } from '../../support/surfaces.ts';

describe('what VS Code is given as text', () => {
  it('is known for each place of its API, so that none shows a service’s words unescaped', () => {
    const found = textsGivenToVscode();
    const known = new Set(Object.keys(SURFACES));
    const unknown = [...found]
      .filter(([name]) => !known.has(name))
      .map(([name, files]) => `${name}: ${[...files].join(', ')}`);
    assert.deepEqual(unknown, [], 'add a row to test/support/surfaces.ts');
    assert.deepEqual(
      [...known].filter((name) => !found.has(name)),
      [],
      'rows that nothing uses',
    );
  });
});
