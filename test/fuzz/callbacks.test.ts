import assert from 'node:assert/strict';

import fc from 'fast-check';

import { readCallback, readPastedCallback } from '../../src/auth/callback/callback.ts';
import { holds, wellFormed } from './property.ts';

const values = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[\w.~-]{0,40}$/),
  fc.constantFrom(
    'authorization_refused',
    'access_denied',
    '%',
    '%2',
    '%zz',
    '%2561',
    '%00',
    '%0D%0A',
    '+',
    '',
    '<script>',
    '\u202e',
    'a'.repeat(513),
  ),
);
const names = fc.oneof(
  fc.constantFrom('code', 'error', 'state', 'CODE', 'code[]', 'c%6fde', 'vscode-reqid', '__proto__', ''),
  fc.string(),
);
const query = fc
  .array(
    fc.tuple(
      names,
      fc.oneof(
        values,
        values.map((value) => encodeURIComponent(wellFormed(value))),
      ),
    ),
    { maxLength: 6 },
  )
  .chain((pairs) =>
    fc
      .constantFrom('&', ';', '&&')
      .map((separator) => pairs.map(([name, value]) => `${name}=${value}`).join(separator)),
  );
const link = fc
  .tuple(
    fc.constantFrom(
      'http://127.0.0.1:1/callback',
      'vscode://app-build.app-build-service/auth/callback',
      'vscode:',
      'javascript://',
      'http://',
      'HTTPS://x',
      '?',
      '',
    ),
    fc.constantFrom('?', '#', '', '/?'),
    query,
  )
  .map((parts) => parts.join(''));

describe('callbacks', () => {
  holds(
    'any query is a code, a refusal, a failure or invalid; what is kept is short and printable',
    fc.oneof(query, fc.string(), fc.webQueryParameters()),
    (text) => {
      const callback = readCallback(text);
      switch (callback.kind) {
        case 'code':
          assert.match(callback.code, /^[\x21-\x7e]{1,512}$/);
          assert.deepEqual(new URLSearchParams(text).getAll('code'), [callback.code]);
          break;
        case 'failed':
          assert.match(callback.error, /^[\x20-\x7e]{1,128}$/);
          break;
        case 'denied':
          assert.ok(!new URLSearchParams(text).has('code'));
          break;
        case 'invalid':
          assert.ok(text.length < 20 || !callback.reason.includes(text));
      }
    },
  );

  holds(
    'a code that a service can issue comes through, with any state',
    fc.tuple(fc.stringMatching(/^[\w.~-]{1,512}$/), fc.string()),
    ([code, state]) => {
      const callback = readCallback(new URLSearchParams({ code, state }).toString());
      assert.deepEqual(
        callback,
        new URLSearchParams({ code, state }).toString().length > 4096
          ? callback
          : { kind: 'code', code, state: wellFormed(state) },
      );
    },
  );

  holds(
    'what a person pastes is a query, a code or unusable',
    fc.oneof(link, query, fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })),
    (text) => {
      const pasted = readPastedCallback(text);
      if (pasted.kind === 'url') {
        readCallback(pasted.query);
      } else if (pasted.kind === 'code') {
        assert.equal(readCallback(`code=${encodeURIComponent(pasted.code)}`).kind, 'code');
      }
    },
  );
});
