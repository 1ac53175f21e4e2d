import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shareableJson, shareableText } from '../../../../src/commands/forExtensions/shareable.ts';

describe('what another extension gets of a resource', () => {
  const share = (value: unknown) => shareableJson(JSON.stringify(value));

  it('has no credentials in addresses', () => {
    const address = 'https://ann:pw@example.com/a?page=2&access_token=abc&state=open#auth_token=x';
    assert.equal(shareableText(address), 'https://example.com/a?page=2&access_token=&state=open#auth_token=');
    assert.deepEqual(share({ repo: ['git clone https://t0ken@git.example/x.git'] }), {
      repo: ['git clone https://git.example/x.git'],
    });
  });

  it('has nothing under a secret’s name, and all else as it was', () => {
    const rest = {
      state: 'complete',
      code: 7,
      link: '/api/v1/apps/1',
      keys: { ios: { locked: false } },
      list: [1, null],
    };
    assert.deepEqual(
      share({
        ...rest,
        token: 'a',
        auth: [{ access_token: { value: 'b' }, client_secret: 3, password: null }],
        Token: [],
      }),
      { ...rest, token: '***', auth: [{ access_token: '***', client_secret: '***', password: null }], Token: '***' },
    );
  });

  it('is the same JSON where there is no secret, and safe for a document of any shape and depth', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const shared = shareableJson(json);
        if (!/token|secret|pass|auth|cookie|_pw|[@?#&;]/i.test(json)) {
          assert.deepEqual(shared, JSON.parse(json));
        }
      }),
    );
    assert.equal((shareableJson('{"__proto__":"x"}') as Record<string, unknown>).__proto__, 'x');
    const depth = 200_000;
    assert.ok(Array.isArray(shareableJson('['.repeat(depth) + ']'.repeat(depth))));
  });
});
