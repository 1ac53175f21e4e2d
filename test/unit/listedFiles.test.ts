import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { PARTS } from '../mutation/parts.ts';
import { repositoryRoot } from '../support/repository.ts';
import { leftOut } from '../windows/leftOut.ts';

/** Returns the patterns that don't match a file. */
function withoutFile(patterns: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => globSync(pattern, { cwd: repositoryRoot }).length === 0);
}

describe('the lists of files', () => {
  it('contain only existing sources and tests in the parts that npm run mutation changes', () => {
    assert.deepEqual(withoutFile(Object.values(PARTS).flatMap(({ mutate, spec }) => [...mutate, ...spec])), []);
  });

  it('contain only existing tests among those that Wine can’t run', () => {
    const files = leftOut.flatMap(({ tests }) => Object.keys(tests));
    assert.deepEqual(withoutFile(files.map((file) => `test/unit/${file}`)), []);
  });
});
