import assert from 'node:assert/strict';

import fc from 'fast-check';

import { hideSecretsInJson } from '../../../src/service-client/jsonRedaction.ts';
import { redact, Redactor, redactUrl } from '../../../src/service-client/redaction.ts';

describe('redaction', () => {
  for (const [text, expected] of [
    ['GET /api/v1?access_token=abc&x=1', 'GET /api/v1?access_token=***&x=1'],
    ['client_id=a&client_secret=abc&code=def', 'client_id=a&client_secret=***&code=***'],
    ['https://h/cb?code=abc#x', 'https://h/cb?code=***#x'],
    ['https://h/x;access_token=abc;a=1', 'https://h/x;access_token=***;a=1'],
    ['https://h/x{#a}access_token=abc', 'https://h/x{#a}access_token=***'],
    ['url=https%3A%2F%2Fh%2Fx%3Baccess_token%3Dabc%26x', 'url=https%3A%2F%2Fh%2Fx%3Baccess_token%3D***%26x'],
    ['url=https%3A%2F%2Fh%2F%23access_token%3Dabc', 'url=https%3A%2F%2Fh%2F%23access_token%3D***'],
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
    it(`redacts ${text}`, () => assert.equal(redact(text), expected));
  }

  it('hides a value shorter than eight characters only after the name of a secret', () => {
    const redactor = new Redactor();
    redactor.add('1234', 'open', '');
    const text = 'open door 1234, zipcode=1234 x_1234';
    assert.equal(redactor.hideSecrets(text), text);
    for (const [named, hidden] of [
      ['access_token=1234&a=1234', 'access_token=***&a=1234'],
      ['a "password": "1234"', 'a "password": "***"'],
      ["{'TOKEN' : 'open'}", "{'TOKEN' : '***'}"],
      ['?u=%3Fauth_token%3D1234', '?u=%3Fauth_token%3D***'],
      ['?u=%3Bauth_token%3D1234;{#a}token=1234', '?u=%3Bauth_token%3D***;{#a}token=***'],
      ['token=12345', 'token=12345'],
    ] as const) {
      assert.equal(redactor.hideSecrets(named), hidden);
    }
  });

  it('forgets a value once every caller that added it has forgotten it', () => {
    const redactor = new Redactor();
    const [first, second] = [redactor.add('pass-phrase', 'pass-phrase'), redactor.add('pass-phrase')];
    first();
    first();
    assert.equal(redactor.redact('a pass-phrase'), 'a ***');
    second();
    assert.equal(redactor.redact('a pass-phrase'), 'a pass-phrase');
  });

  it('hides values in the strings of JSON and leaves everything else unchanged', () => {
    const redactor = new Redactor();
    redactor.add('12345678', '1234', 'username', 'true', 'a-token-of-16-chars');
    for (const [json, hidden] of [
      ['{"username": "a username", "n": 12345678}', '{"username": "a ***", "n": 12345678}'],
      ['[true, 1234, 12345678e2, "true", "1234"]', '[true, 1234, 12345678e2, "true", "1234"]'],
      ['{"password" : "1234", "x": "1234"}', '{"password" : "***", "x": "1234"}'],
      ['{"password": 1234, "code": ["1234"], "y": "true"}', '{"password": 1234, "code": ["***"], "y": "true"}'],
      ['{"a":"\\username","a":"\\n12345678\\u0000"}', '{"a":"\\***","a":"\\n***\\u0000"}'],
      ['"\\u0075sername"', '"***"'],
      ['{"of a-token-of-16-chars": {"a-token-of-16-chars":1}}', '{"***": {"***":1}}'],
      ['12345678', '12345678'],
    ] as const) {
      const input = json.replaceAll('\\username', '\\\\username').replaceAll('\\***', '\\\\***');
      const expected = hidden.replaceAll('\\***', '\\\\***');
      assert.equal(hideSecretsInJson(input, redactor).text, expected);
    }
  });

  it('changes nothing except strings in any JSON, for any secrets', () => {
    const withoutStrings = (json: string): string => json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    fc.assert(
      fc.property(fc.json(), fc.array(fc.string({ maxLength: 12 })), fc.integer(), (json, secrets, number) => {
        const redactor = new Redactor();
        redactor.add(...secrets, String(number), json.slice(3, 12), json.slice(5, 9));
        const { text: hidden } = hideSecretsInJson(json, redactor);
        assert.equal(withoutStrings(hidden), withoutStrings(json));
        JSON.parse(hidden);
      }),
      { numRuns: 500 },
    );
  });

  it('finds a value in each common encoding, and in JSON with any escape', () => {
    const secret = 'pä"ss<w0rd&+%2B\\/ z';
    const redactor = new Redactor();
    redactor.add(secret);
    const json = JSON.stringify(secret).slice(1, -1);
    for (const spelling of [
      secret,
      json,
      json.replaceAll('/', '\\/'),
      encodeURIComponent(secret),
      encodeURIComponent(secret).replace(/%../g, (octet) => octet.toLowerCase()),
      encodeURIComponent(encodeURIComponent(secret)),
      new URLSearchParams([['', secret]]).toString().slice(1),
      secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      secret.replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`),
    ]) {
      assert.ok(redactor.containsSecret(`a ${spelling} z`), spelling);
      assert.equal(redactor.hideSecrets(`a ${spelling} z`), 'a *** z');
    }
    for (const before of ['', 'a', 'ab']) {
      assert.ok(redactor.containsSecret(Buffer.from(`${before}${secret}`).toString('base64')));
    }
    const escaped = secret.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    assert.equal(hideSecretsInJson(`["a ${escaped} z"]`, redactor).text, '["a *** z"]');
  });

  it('truncates text that is too long for a log without leaving part of a secret', () => {
    const secret = `S3cret${'x'.repeat(60)}`;
    const redactor = new Redactor();
    redactor.add(secret);
    for (let before = 32 * 1024 - 80; before < 32 * 1024 + 20; before += 1) {
      for (const written of [secret, encodeURIComponent(JSON.stringify(secret))]) {
        const text = redactor.redact(`${'a '.repeat(before / 2)}${written}${' z'.repeat(40_000)}`);
        assert.ok(text.length <= 32 * 1024 + 1);
        assert.ok(!/S3|x/.test(text));
      }
    }
  });

  it('removes the user and the fragment from a URL, and masks its query values', () => {
    const redactor = new Redactor();
    redactor.add('pathsecret');
    assert.equal(
      redactUrl('https://u:p@h.example/a/pathsecret?x=1&access_token=abc#f', redactor),
      'https://h.example/a/***?x=***&access_token=***',
    );
    assert.equal(redactUrl('/api?token=abc'), '/api?token=***');
    assert.equal(redactUrl('https://h.example/x;access_token=abc?a=1'), 'https://h.example/x;access_token=***');
  });
});
