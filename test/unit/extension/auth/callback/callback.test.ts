import assert from 'node:assert/strict';
import { MAX_QUERY_LENGTH } from '../../../../../src/extension/auth/limits.ts';
import { readCallback, readPastedCallback } from '../../../../../src/extension/auth/callback/callback.ts';

describe('a callback’s query', () => {
  it('keeps the state, and ignores parameters added by VS Code', () => {
    assert.deepEqual(readCallback('vscode-reqid=1&code=Abc123&state=s-1&vscode-scheme=code-oss'), {
      kind: 'code',
      code: 'Abc123',
      state: 's-1',
    });
  });

  for (const error of ['authorization_refused', 'access_denied']) {
    it(`reports that access was denied for error=${error}`, () => {
      assert.deepEqual(readCallback(`error=${error}&state=x`), { kind: 'denied', state: 'x' });
    });
  }

  it('reports the code of any other error', () => {
    assert.deepEqual(readCallback('error=server_error'), { kind: 'failed', error: 'server_error', state: undefined });
  });

  for (const [what, query] of [
    ['an empty query', ''],
    ['only a state', 'state=x'],
    ['an empty code', 'code='],
    ['two codes', 'code=a&code=b'],
    ['two states', 'code=a&state=b&state=b'],
    ['a code and an error', 'code=a&error=authorization_refused'],
    ['a code encoded twice', 'code=%2561bc'],
    ['a code with a line break', 'code=a%0Ab'],
    ['an error with markup', 'error=%3Cb%3E%00'],
    ['a code of 100 kB', `code=${'a'.repeat(100_000)}`],
  ] as const) {
    it(`rejects ${what}`, () => {
      assert.equal(readCallback(query).kind, 'invalid');
    });
  }
});

describe('the length of a callback’s query', () => {
  it('is limited, even if its code is short', () => {
    const fill = (length: number) => 'code=a&x='.padEnd(length, 'y');
    assert.equal(readCallback(fill(MAX_QUERY_LENGTH)).kind, 'code');
    assert.equal(readCallback(fill(MAX_QUERY_LENGTH + 1)).kind, 'invalid');
  });
});

describe('text that the user pastes', () => {
  for (const [what, text, expected] of [
    ['a callback URL', 'http://127.0.0.1:1/callback?code=abcd&state=s', { kind: 'url', query: 'code=abcd&state=s' }],
    ['a callback URL of this editor', 'vscode://a.b/auth/callback?code=abcd', { kind: 'url', query: 'code=abcd' }],
    ['a query', '?code=abcd&state=s', { kind: 'url', query: 'code=abcd&state=s' }],
    ['a bare code', '  abcd1234 ', { kind: 'code', code: 'abcd1234' }],
    ['a sentence as unusable', 'you are signed in', { kind: 'unusable' }],
    ['an empty text as unusable', '', { kind: 'unusable' }],
    ['a broken URL as unusable', 'http://', { kind: 'unusable' }],
  ] as const) {
    it(`recognizes ${what}`, () => {
      assert.deepEqual(readPastedCallback(text), expected);
    });
  }
});
