import assert from 'node:assert/strict';
import { inspect } from 'node:util';

import fc from 'fast-check';

import { withParameters } from '../../src/service-client/credentials.ts';
import { Redactor, redactUrl } from '../../src/service-client/redaction.ts';
import { toServiceError } from '../../src/service-client/http/failures.ts';
import { holds, wellFormed, words } from './property.ts';

/** Values with a mark that no encoding changes, so that any leaked part of a secret is recognizable. */
const mark = 'Zq7xWv9k';
const around = fc.oneof(
  fc.stringMatching(/^[\w-]{0,20}$/),
  fc.string({ maxLength: 20 }),
  fc.string({ maxLength: 10, unit: 'grapheme' }),
  fc.string({ maxLength: 10, unit: 'binary' }),
  fc.constantFrom(' ', '\n', ...words(`' " \\ & < > % + / ? # = é %41 &amp; \\u0041 😀`)),
);
const secret = fc.tuple(around, around).map(([before, after]) => wellFormed(`${before}${mark}${after}`));

/**
 * How the code, its libraries, and services encode a value in a URL, a form, a header, JSON, HTML, or a message. SECURITY.md promises to
 * recognize these forms.
 */
const forms: Readonly<Record<string, (value: string) => string>> = {
  'as it is': (value) => value,
  'a query by encodeURIComponent': (value) => `https://h/?q=${encodeURIComponent(value)}`,
  'a query by withParameters': (value) => withParameters('https://h/', { q: value }),
  'a query by URLSearchParams': (value) => `q=${new URLSearchParams([['q', value]]).toString().slice(2)}`,
  'an encoded query in a query': (value) => `?u=${encodeURIComponent(`https://h/?q=${encodeURIComponent(value)}`)}`,
  JSON: (value) => JSON.stringify({ q: value }),
  HTML: (value) =>
    value
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
      .replace(/'/g, '&#39;'),
  base64: (value) => Buffer.from(`user:${value}`).toString('base64'),
  base64url: (value) => Buffer.from(`user:${value}`).toString('base64url'),
};

describe('redaction', () => {
  for (const [name, write] of Object.entries(forms)) {
    holds(
      `hides a known secret in ${name}`,
      fc.tuple(secret, fc.stringMatching(/^[a-y ]{0,10}$/), fc.stringMatching(/^[a-y ]{0,10}$/)),
      ([value, before, after]) => {
        const redactor = new Redactor();
        redactor.add(value);
        const redacted = redactor.redact(`${before} ${write(value)} ${after}`);
        assert.ok(!redacted.includes(mark), redacted);
        // A service may repeat the value in its error.
        const error = toServiceError({ status: 400, headers: {} }, { error: `no: ${write(value)}` }, redactor);
        assert.ok(!inspect(error, { depth: Infinity, showHidden: true }).includes(mark), inspect(error));
        assert.ok(!redacted.includes(Buffer.from(`user:${value}`).toString('base64')), redacted);
      },
    );
  }

  const names = fc.constantFrom(
    ...words('access_token auth_token client_secret password token code state ACCESS_TOKEN'),
  );
  holds(
    'hides the value of any field with the name of a secret, even if the value isn’t known',
    fc.tuple(names, fc.stringMatching(/^[\w.~%-]{0,10}$/)),
    ([parameter, rest]) => {
      const value = `${mark}${rest}`;
      for (const text of [
        `https://h/?x=1&${parameter}=${value}&y=2`,
        `${parameter}=${value}`,
        JSON.stringify({ [parameter]: value }),
        JSON.stringify({ body: JSON.stringify({ [parameter]: value }) }),
        encodeURIComponent(`https://h/?${parameter}=${value}`),
        redactUrl(`https://h/?${parameter}=${value}`),
      ]) {
        assert.ok(!new Redactor().redact(text).includes(mark), text);
      }
    },
  );
});
