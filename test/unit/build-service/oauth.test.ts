import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

import { approve, registerClient, signIn } from '../../support/consent.ts';
import { useService } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { basic, call, form, member, type Answer } from '../../support/serviceRequests.ts';

const callbackUrl = 'http://127.0.0.1:1/callback?vscode-reqid=1&vscode-scheme=code';

describe('local service: OAuth', () => {
  const service = useService(() => openInProcess({ callbackUrl }));

  const authorizeUrl = (more = ''): string => `${service.baseUrl}/authorize?client_id=${service.clientId}${more}`;
  const newCode = async (more = ''): Promise<string> =>
    new URL(await approve(service, authorizeUrl(more))).searchParams.get('code') ?? '';
  const clientCredentials = (): Record<string, string> => ({
    client_id: service.clientId,
    client_secret: service.clientSecret,
  });
  const exchange = (fields: Record<string, string>): Promise<Answer> =>
    call(service, '/authorize/token', form({ ...clientCredentials(), ...fields }));
  const me = (token: string): Promise<Answer> => call(service, `/api/v1/me?access_token=${token}`);
  const assertRefused = ({ status, json }: Answer): void => {
    assert.deepEqual(json, { error: 'invalid request' });
    assert.equal(status, 400);
  };
  /** Registers another of the demo user's clients on the account page. */
  const otherClient = async (): Promise<Record<string, string>> => {
    const { clientId, clientSecret } = await registerClient((await signIn(service)).browser);
    return { client_id: clientId, client_secret: clientSecret };
  };

  it('returns a simple token for a user name and a password, unchanged until it’s reset', async () => {
    const headers = basic(service.username, service.password);
    const first = await call(service, '/token', { method: 'POST', headers });
    assert.equal(first.status, 200);
    const token = member(first.json, 'token');
    assert.deepEqual(first.json, { token });
    assert.match(token, /^[\w-]{20}$/);
    assert.equal((await call(service, `/api/v1/me?auth_token=${token}`)).status, 200);
    // Clients send junk in the body and use this path too.
    const second = await call(service, '/api/v1/token', { method: 'POST', headers, body: '&junk' });
    assert.deepEqual(second.json, first.json);
    const byToken = await call(service, `/token?auth_token=${token}`, { method: 'POST' });
    assert.deepEqual([byToken.status, byToken.json], [401, { error: 'Authentication required.' }]);
  });

  it('returns to the callback URL with a code and the received state', async () => {
    const location = await approve(service, authorizeUrl());
    assert.match(location, /^http:\/\/127\.0\.0\.1:1\/callback\?vscode-reqid=1&vscode-scheme=code&code=[a-zA-Z0-9]+$/);
    const state = 'a b&c=d/ä"<';
    const echoed = new URL(await approve(service, authorizeUrl(`&state=${encodeURIComponent(state)}`)));
    assert.equal(echoed.searchParams.get('state'), state);
  });

  it('returns with authorization_refused after a denial', async () => {
    assert.equal(await approve(service, authorizeUrl(), { deny: true }), `${callbackUrl}&error=authorization_refused`);
    assert.equal(
      await approve(service, authorizeUrl('&state=s'), { deny: true }),
      `${callbackUrl}&error=authorization_refused&state=s`,
    );
  });

  it('exchanges a code for an access token of the user who allowed it', async () => {
    for (const [user, name] of [
      [undefined, 'demo'],
      ['octo-demo', 'octo-demo'],
    ] as const) {
      const location = await approve(service, authorizeUrl(), user === undefined ? {} : { user });
      const answer = await exchange({ code: new URL(location).searchParams.get('code') ?? '' });
      assert.equal(answer.status, 200);
      const token = member(answer.json, 'access_token');
      assert.deepEqual(answer.json, { access_token: token });
      assert.equal(member((await me(token)).json, 'username'), name);
    }
  });

  it('reads parameters from the query, and from form bodies as real clients send them', async () => {
    const query = new URLSearchParams({ ...clientCredentials(), code: await newCode() });
    assert.equal((await call(service, `/authorize/token?${query.toString()}`, { method: 'POST' })).status, 200);
    const { body = '', ...rest } = form({
      ...clientCredentials(),
      code: await newCode(),
      grant_type: 'authorization_code',
    });
    assert.equal((await call(service, '/authorize/token/', { ...rest, body: `&${body.toString()}` })).status, 200);
    const multipart = new FormData();
    for (const [name, value] of Object.entries({ ...clientCredentials(), code: await newCode() })) {
      multipart.set(name, value);
    }
    const url = new URL('/authorize/token', service.baseUrl);
    assert.equal((await service.fetch(url, { method: 'POST', body: multipart })).status, 200);
  });

  it('rejects invalid parameters without using up the code', async () => {
    const code = await newCode();
    for (const fields of [
      { client_id: '' },
      { client_id: 'unknown' },
      { client_secret: '' },
      { client_secret: 'wrong' },
      { code: '' },
      { code: 'wrong' },
      { client_id: '__proto__', client_secret: '' },
    ]) {
      assertRefused(await exchange({ code, ...fields }));
    }
    assertRefused(await call(service, '/authorize/token', { method: 'POST' }));
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'multipart/form-data']) {
      const malformed = { method: 'POST', headers: { 'Content-Type': type }, body: '{' };
      assertRefused(await call(service, '/authorize/token', malformed));
      assert.equal((await call(service, '/authorize', malformed)).status, 401);
    }
    assert.equal((await exchange({ code })).status, 200);
  });

  it('accepts a code once, even if two requests arrive at the same time', async () => {
    const code = await newCode();
    const answers = await Promise.all([exchange({ code }), exchange({ code }), exchange({ code })]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    assertRefused(await exchange({ code }));
  });

  it('revokes the token when its client presents the code again, but not for another client', async () => {
    const code = await newCode();
    const token = member((await exchange({ code })).json, 'access_token');
    assertRefused(await exchange({ code, ...(await otherClient()) }));
    assertRefused(await exchange({ code, client_secret: 'wrong' }));
    assert.equal((await me(token)).status, 200);
    const other = member((await exchange({ code: await newCode() })).json, 'access_token');
    assertRefused(await exchange({ code }));
    assert.equal((await me(token)).status, 401);
    assert.equal((await me(other)).status, 200);
  });

  it('accepts a code for 60 seconds', async () => {
    const own = await openInProcess();
    try {
      const client = { client_id: own.clientId, client_secret: own.clientSecret };
      const expected = [
        [59_999, 200],
        [60_000, 400],
        [61_000, 400],
      ] as const;
      for (const [milliseconds, status] of expected) {
        const location = await approve(own, `${own.baseUrl}/authorize?client_id=${own.clientId}`);
        own.advance(milliseconds);
        const code = new URL(location).searchParams.get('code') ?? '';
        assert.equal((await call(own, '/authorize/token', form({ ...client, code }))).status, status);
      }
    } finally {
      await own.stop();
    }
  });

  it('requires a client’s PKCE verifier to match its challenge', async () => {
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const sent = `&code_challenge=${challenge}&code_challenge_method=S256`;
    assert.equal((await exchange({ code: await newCode(sent), code_verifier: verifier })).status, 200);
    assertRefused(await exchange({ code: await newCode(sent) }));
    const code = await newCode(sent);
    assertRefused(await exchange({ code, code_verifier: 'w'.repeat(43) }));
    assertRefused(await exchange({ code, code_verifier: verifier }));
    assertRefused(await exchange({ code: await newCode(), code_verifier: verifier }));
  });

  it('requires the redirect_uri of the request, and rejects one if the request had none', async () => {
    const sent = `&redirect_uri=${encodeURIComponent(callbackUrl)}`;
    assert.equal((await exchange({ code: await newCode(sent), redirect_uri: callbackUrl })).status, 200);
    assertRefused(await exchange({ code: await newCode(sent) }));
    const code = await newCode(sent);
    assertRefused(await exchange({ code, redirect_uri: `${callbackUrl}&x=1` }));
    // This attempt uses up the code, like one with a wrong verifier.
    assertRefused(await exchange({ code, redirect_uri: callbackUrl }));

    assert.equal((await exchange({ code: await newCode() })).status, 200);
    assert.equal((await exchange({ code: await newCode(), redirect_uri: callbackUrl })).status, 200);
    assertRefused(await exchange({ code: await newCode(), redirect_uri: 'https://evil.example/' }));
  });

  it('exchanges a simple token for an access token', async () => {
    const query = new URLSearchParams({ ...clientCredentials(), auth_token: service.authToken });
    for (const answer of [
      await call(service, `/authorize?${query.toString()}`, { method: 'POST' }),
      await call(service, '/authorize/', form({ ...clientCredentials(), auth_token: service.authToken })),
    ]) {
      assert.equal(answer.status, 200);
      assert.equal((await me(member(answer.json, 'access_token'))).status, 200);
    }
  });

  it('rejects an invalid simple token, client ID, or client secret', async () => {
    for (const fields of [
      { auth_token: '' },
      { auth_token: 'wrong' },
      { client_id: 'unknown' },
      { client_secret: 'wrong' },
      { client_secret: '' },
    ]) {
      const answer = await call(
        service,
        '/authorize',
        form({ ...clientCredentials(), auth_token: service.authToken, ...fields }),
      );
      assert.deepEqual(answer.json, { error: 'Invalid authentication token.' });
      assert.equal(answer.status, 401);
    }
  });

  const faults: Readonly<Record<string, string>> = {
    'an unknown client': '/authorize?client_id=unknown',
    'a missing client': '/authorize',
    'an unregistered redirect_uri': '/authorize?client_id=ID&redirect_uri=https%3A%2F%2Fevil.example%2F',
    'a redirect_uri that only starts like the registered one': `/authorize?client_id=ID&redirect_uri=${encodeURIComponent(`${callbackUrl}&x=1`)}`,
    'a plain PKCE challenge': `/authorize?client_id=ID&code_challenge=${'c'.repeat(43)}&code_challenge_method=plain`,
    'a malformed PKCE challenge': '/authorize?client_id=ID&code_challenge=short&code_challenge_method=S256',
  };
  for (const [name, path] of Object.entries(faults)) {
    it(`shows a page without redirecting for ${name}`, async () => {
      const answer = await call(service, path.replace('ID', service.clientId), {
        headers: { Accept: 'text/html' },
      });
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.location, undefined);
      assert.match(answer.headers['content-type'] ?? '', /^text\/html/);
    });
  }

  it('accepts the registered redirect_uri, and ignores unknown parameters', async () => {
    const more = `&redirect_uri=${encodeURIComponent(callbackUrl)}&response_type=code&scope=x&callback=%3Cscript%3E`;
    assert.match(await approve(service, authorizeUrl(more)), /&code=[a-zA-Z0-9]+$/);
  });
});
