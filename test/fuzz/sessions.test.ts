import assert from 'node:assert/strict';

import fc from 'fast-check';

import { parseServiceUrl } from '../../src/service-client/serviceUrl.ts';
import { getSessionToken, deserialize, newSession, serialize } from '../../src/extension/auth/session.ts';
import { holds, words } from './property.ts';

const service = parseServiceUrl('https://build.example.com/pgb');
const good = JSON.parse(
  serialize(newSession(service, 'ada', { type: 'accessToken', accessToken: 't0ken' }, ['a'])),
) as Record<string, unknown>;
const addresses = fc.constantFrom(
  ...words('https://build.example.com http://evil.example http://localhost:1 https://user:pw@h'),
  ...words('file:/// javascript:1 https://h/?x https://h/#x'),
  '',
);
const anything = fc.oneof(
  fc.jsonValue(),
  addresses,
  fc.constantFrom('accessToken', 'authToken', '__proto__'),
  fc.array(fc.string()),
);
const tampered = fc
  .dictionary(fc.oneof(fc.constantFrom(...Object.keys(good)), fc.string()), anything)
  .map((changes) => JSON.stringify({ ...good, ...changes }));

describe('stored sessions', () => {
  holds(
    'reads any stored value as a complete session or none',
    fc.oneof(tampered, fc.json(), fc.string(), fc.string({ unit: 'binary' })),
    (text) => {
      const session = deserialize(text);
      if (session !== undefined) {
        const { service: at, username, accessToken, scopes, account } = session;
        assert.ok(
          new URL(at.href).protocol === 'https:' ||
            ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(at.href).hostname),
        );
        assert.ok(
          username !== '' &&
            accessToken !== '' &&
            account.label !== '' &&
            scopes.every((scope) => typeof scope === 'string'),
        );
        assert.deepEqual(deserialize(serialize(session)), session);
        assert.ok(Object.values(getSessionToken(session)).includes(accessToken));
      }
    },
  );
});
