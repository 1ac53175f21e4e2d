import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPasted } from '../../../../src/auth/callback/pastedCallback.ts';

describe('what a person pastes', () => {
  for (const [what, text, expected] of [
    ['a callback URL', 'http://127.0.0.1:1/callback?code=abcd&state=s', { kind: 'url', query: 'code=abcd&state=s' }],
    ['a callback URL of this editor', 'vscode://a.b/auth/callback?code=abcd', { kind: 'url', query: 'code=abcd' }],
    ['a query', '?code=abcd&state=s', { kind: 'url', query: 'code=abcd&state=s' }],
    ['a bare code', '  abcd1234 ', { kind: 'code', code: 'abcd1234' }],
    ['a sentence', 'you are signed in', { kind: 'unusable' }],
    ['nothing', '', { kind: 'unusable' }],
    ['a broken URL', 'http://', { kind: 'unusable' }],
  ] as const) {
    it(`is understood as ${what}`, () => {
      assert.deepEqual(readPasted(text), expected);
    });
  }

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), (text) =>
        assert.doesNotThrow(() => readPasted(text)),
      ),
    );
  });
});
