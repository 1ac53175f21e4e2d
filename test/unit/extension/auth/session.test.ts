import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseServiceUrl } from '../../../../src/service-client/index.ts';
import {
  getSessionToken,
  deserialize,
  newSession,
  sameScopes,
  serialize,
} from '../../../../src/extension/auth/session.ts';

const service = parseServiceUrl('https://build.example.com/pgb');

describe('a session', () => {
  it('has a label with the account and service, which distinguishes http from https', () => {
    const accountAt = (url: string) =>
      newSession(parseServiceUrl(url), 'ada', { type: 'accessToken', accessToken: 't0ken' }, []).account;
    assert.deepEqual(accountAt(service.href), {
      id: 'https://build.example.com#ada',
      label: 'ada (build.example.com)',
    });
    assert.equal(accountAt('http://localhost:8443').label, 'ada (http://localhost:8443)');
  });

  it('has a different ID for every account and set of scopes', () => {
    const id = (username: string, scopes: readonly string[]) =>
      newSession(service, username, { type: 'accessToken', accessToken: 't0ken' }, scopes).id;
    assert.notEqual(id('carol', ['admin']), id('carol#admin', []));
    assert.notEqual(id('carol', ['a', 'b']), id('carol', ['a b']));
    assert.notEqual(id('carol', ['']), id('carol', []));
    const text = fc.string({ unit: fc.constantFrom('a', '#', '%', ' ', '2', '3'), maxLength: 4 });
    const username = text.filter((name) => name !== '');
    const account = fc.tuple(username, fc.array(text, { maxLength: 3 }));
    fc.assert(
      fc.property(account, account, ([name, scopes], [otherName, otherScopes]) => {
        assert.equal(
          id(name, scopes) === id(otherName, otherScopes),
          name === otherName && sameScopes(scopes, otherScopes),
        );
      }),
      { numRuns: 2000 },
    );
  });

  for (const token of [
    { type: 'accessToken', accessToken: 't0ken' },
    { type: 'authToken', authToken: 't0ken' },
  ] as const) {
    it(`is restored with its token as credentials: ${token.type}`, () => {
      const session = newSession(service, 'ada', token, ['a', 'b']);
      const read = deserialize(serialize(session));
      assert.deepEqual(read, session);
      assert.deepEqual(getSessionToken(session), token);
    });
  }

  it('isn’t restored after tampering', () => {
    const good = JSON.parse(
      serialize(newSession(service, 'ada', { type: 'accessToken', accessToken: 't0ken' }, [])),
    ) as object;
    for (const change of [
      { service: 'http://build.example.com' },
      { service: 'https://user:pw@build.example.com' },
      { username: '' },
      { username: 7 },
      { service: 7 },
      { accessToken: '' },
      { accessToken: ['t0ken'] },
      { tokenType: 'cookie' },
      { scopes: 'all' },
      { scopes: [1] },
    ]) {
      assert.equal(deserialize(JSON.stringify({ ...good, ...change })), undefined, JSON.stringify(change));
    }
  });
});

describe('scopes', () => {
  it('are compared as sets', () => {
    assert.ok(sameScopes(['a', 'b'], ['b', 'a', 'a']));
    assert.ok(sameScopes([], []));
    assert.ok(!sameScopes(['a'], []));
    assert.ok(!sameScopes(['a'], ['b']));
  });
});
