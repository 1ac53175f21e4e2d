import assert from 'node:assert/strict';

import fc from 'fast-check';

import { redact, Redactor, redactUrl } from '../../../src/api/redaction.ts';

describe('redaction', () => {
  for (const [text, expected] of [
    ['GET /api/v1?access_token=abc&x=1', 'GET /api/v1?access_token=***&x=1'],
    ['client_id=a&client_secret=abc&code=def', 'client_id=a&client_secret=***&code=***'],
    ['https://h/cb?code=abc#x', 'https://h/cb?code=***#x'],
    ['url=https%3A%2F%2Fh%2F%3Faccess_token%3Dabc%26x%3D1', 'url=https%3A%2F%2Fh%2F%3Faccess_token%3D***%26x%3D1'],
    ['{"access_token":"a\\"bc","username":"ann"}', '{"access_token":"***","username":"ann"}'],
    ['{"password": 12345}', '{"password": "***"}'],
    ['{"token":"abc', '{"token":"***"'],
    ['"{\\"auth_token\\":\\"abc\\",\\"a\\":1}"', '"{\\"auth_token\\":\\"***\\",\\"a\\":1}"'],
    ['Authorization: Basic dTpw\nAccept: x', 'Authorization: ***\nAccept: x'],
    ['set-cookie: a=b; Path=/', 'set-cookie: ***'],
    ['{"authorization":"token abc"}', '{"authorization":"***"}'],
    ['sent Bearer abcdefghij.k', 'sent Bearer ***'],
    ['sent Basic dTpwYXNzd29yZA==', 'sent Basic ***'],
    ['Basic authentication is not available', 'Basic authentication is not available'],
    ['see https://user:p@ss@host/x', 'see https://***@host/x'],
    ['exit code=1 of 2', 'exit code=*** of 2'],
    ['Invalid authentication token.', 'Invalid authentication token.'],
    ['ann@example.com', 'ann@example.com'],
  ] as const) {
    it(text, () => assert.equal(redact(text), expected));
  }

  it('takes known values out in every encoding and position', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 30, unit: 'grapheme' }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          // A value that is made of asterisks, or that its surroundings repeat, cannot be told from the replacement.
          fc.pre(
            !'***'.includes(secret.trim()) &&
              !before.includes(secret) &&
              !after.includes(secret) &&
              !secret.includes('*'),
          );
          for (const form of [
            secret,
            encodeURIComponent(secret),
            new URLSearchParams([['q', secret]]).toString().slice(2),
            JSON.stringify(secret).slice(1, -1),
          ]) {
            assert.ok(!redact(before + form + after, [secret]).includes(form), form);
          }
          const encoded = Buffer.from(`${before}${secret}${after}`).toString('base64');
          const offset = Buffer.byteLength(before);
          const inner = encoded.slice(
            Math.ceil((offset * 4) / 3),
            Math.floor(((offset + Buffer.byteLength(secret)) * 4) / 3),
          );
          assert.ok(!redact(`x ${encoded}`, [secret]).includes(inner));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throws, and is stable', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ unit: 'binary' })), (text, secrets) => {
        const once = redact(text, secrets);
        assert.equal(typeof redact(once), 'string');
      }),
    );
  });

  it('needs linear time', () => {
    const start = process.cpuUsage();
    for (const piece of ['token=', '"token":"\\', 'Basic ', 'a://', '\\\\', '%3Ftoken%3D']) {
      redact(piece.repeat(100_000 / piece.length), ['some secret']);
    }
    const { user, system } = process.cpuUsage(start);
    assert.ok((user + system) / 1000 < 3000);
  });

  it('ignores values that are too short to be secrets', () => {
    assert.equal(redact('a b c', ['a', '']), 'a b c');
  });

  it('shows a URL without values', () => {
    const redactor = new Redactor();
    redactor.add('pathsecret');
    assert.equal(
      redactUrl('https://u:p@h.example/a/pathsecret?x=1&access_token=abc#f', redactor),
      'https://h.example/a/***?x=***&access_token=***',
    );
    assert.equal(redactUrl('/api?token=abc'), '/api?token=***');
  });
});
