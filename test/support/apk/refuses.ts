import assert from 'node:assert/strict';

import { InvalidApkError } from './invalidApkError.ts';

/** Asserts that a reader of packages refuses what it is given, and names this rule. */
export function refuses(read: () => unknown, rule: RegExp): void {
  assert.throws(read, (error) => {
    assert.ok(error instanceof InvalidApkError, String(error));
    assert.match(error.message, rule);
    return true;
  });
}
