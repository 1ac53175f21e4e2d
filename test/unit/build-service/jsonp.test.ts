import assert from 'node:assert/strict';

import { useService } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { basic, call, form } from '../../support/serviceRequests.ts';

const separators = String.fromCodePoint(0x2028, 0x2029);

describe('local service: JSONP', () => {
  const service = useService(openInProcess);

  it('wraps every JSON response, including errors, and keeps the status', async () => {
    const { authToken, clientId, clientSecret, username, password } = service;
    const client = { client_id: clientId, client_secret: clientSecret };
    for (const [path, status, options] of [
      [`/api/v1?auth_token=${authToken}`, 200, {}],
      [`/api/v1/me?auth_token=${authToken}`, 200, {}],
      [`/api/v1/apps?auth_token=${authToken}`, 200, {}],
      [`/api/v1/apps/1001/android?auth_token=${authToken}`, 302, {}],
      [`/api/v1/apps/54?auth_token=${authToken}`, 404, {}],
      ['/api/v1/me?', 401, {}],
      ['/token?', 200, { method: 'POST', headers: basic(username, password) }],
      ['/api/v1/me?', 200, { headers: basic(username, password) }],
      ['/token?', 401, { method: 'POST' }],
      ['/token?', 405, {}],
      ['/authorize?', 200, form({ ...client, auth_token: authToken })],
      ['/authorize?', 401, form(client)],
      ['/authorize/token?', 400, form(client)],
      ['/nothing?', 404, {}],
    ] as const) {
      const answer = await call(service, `${path}&callback=my.$call_1`, options);
      assert.equal(answer.status, status, path);
      const [, json = ''] = /^my\.\$call_1\((.*)\)$/s.exec(answer.text) ?? [];
      assert.equal(typeof JSON.parse(json), 'object', path);
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=UTF-8');
      assert.equal(answer.headers['content-length'], undefined, 'that of the plain answer');
    }
  });

  it('accepts basic credentials, as in the contract, except from a page of another website', async () => {
    const credentials = basic(service.username, service.password);
    for (const path of ['/api/v1', '/api/v1/me', '/api/v1/apps']) {
      const send = (headers: Record<string, string>) =>
        call(service, `${path}?callback=cb`, { headers: { ...credentials, ...headers } });
      const plain = await call(service, path, { headers: credentials });
      for (const headers of [
        {},
        { 'Sec-Fetch-Site': 'none' },
        { 'Sec-Fetch-Site': 'same-origin' },
        { Referer: `${service.baseUrl}/account` },
      ]) {
        const answer = await send(headers);
        assert.deepEqual([answer.status, answer.text], [200, `cb(${plain.text})`], path);
      }
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site', Referer: 'http://127.0.0.1:1/' },
        { Referer: 'https://evil.example/' },
        { Origin: 'null' },
      ]) {
        const answer = await send(headers);
        assert.equal(answer.status, 403, path);
        assert.match(answer.text, /^cb\(\{"error":"Basic authentication isn’t accepted from another website\./);
      }
      assert.equal(
        (await call(service, path, { headers: { ...credentials, 'Sec-Fetch-Site': 'cross-site' } })).status,
        200,
      );
    }
  });

  it('never prompts for a password in a browser that loads the script tag', async () => {
    for (const query of ['callback=cb', 'callback=cb&auth_token=wrong', 'callback=cb&access_token=wrong']) {
      const { status, headers } = await call(service, `/api/v1/me?${query}`);
      assert.equal(status, 401, query);
      assert.equal(headers['www-authenticate'], 'token realm="Application Build Service"', query);
    }
  });

  for (const name of ['', 'a b', 'a()', '.a', 'a[0]', '<script>', 'a\n', 'a'.repeat(256)]) {
    it(`rejects the callback ${JSON.stringify(name.slice(0, 10))} before any other check`, async () => {
      const path = `/api/v1/me?auth_token=${service.authToken}&callback=${encodeURIComponent(name)}`;
      const answer = await call(service, path);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json, { error: 'The callback must be the name of a function.' });
      assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
    });
  }

  it('escapes the line separators that older JavaScript doesn’t allow in a string', async () => {
    const path = `/api/v1/apps/${encodeURIComponent(separators)}?auth_token=${service.authToken}&callback=cb`;
    assert.equal((await call(service, path)).text, 'cb({"error":"app #\\u2028\\u2029 not available"})');
  });
});
