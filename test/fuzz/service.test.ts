import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import vm from 'node:vm';

import fc from 'fast-check';

import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { basic, call, form, type Answer } from '../support/serviceRequests.ts';
import { holds, wellFormed } from './property.ts';

const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'v1',
    'me',
    'apps',
    'keys',
    '1',
    '2',
    'android',
    'ios',
    'icon',
    'status',
    'logs',
    'build',
    'collaborators',
    'token',
    'authorize',
    'decision',
    'account',
    'tokens',
    'clients',
    'new',
    'secret',
    'sign-in',
    'sign-out',
    'code-hosting',
    'downloads',
    'stylesheet.css',
    'profile',
    '..',
    '.',
    '',
    '%2e%2e',
    '%2f',
    '%00',
    '%ff',
    '%',
    '__proto__',
    'constructor',
  ),
  fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(wellFormed(text))),
);
const route = fc.oneof(
  { weight: 2, arbitrary: fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '/api/v1',
      '/api/v1/me',
      '/api/v1/apps',
      '/api/v1/apps/1',
      '/api/v1/apps/1/android',
      '/api/v1/apps/1/logs/ios/build',
      '/api/v1/keys/ios/1',
      '/token',
      '/api/v1/token',
      '/authorize',
      '/authorize/token',
      '/authorize/decision',
      '/sign-in',
      '/account',
      '/account/tokens',
      '/account/clients',
      '/account/profile',
      '/downloads/1/android/1/x/y',
    ),
  },
);
const name = fc.oneof(
  fc.constantFrom(
    'callback',
    'access_token',
    'auth_token',
    'client_id',
    'client_secret',
    'code',
    'code_verifier',
    'code_challenge',
    'code_challenge_method',
    'redirect_uri',
    'state',
    'return_to',
    'csrf',
    'decision',
    'name',
    'email',
    '__proto__',
    'toString',
    'a[b]',
  ),
  fc.string({ maxLength: 6 }),
);
const value = fc.oneof(
  fc.constantFrom('', '%', '%zz', '%ff', 'alert', '<script>', '//evil.example', 'a'.repeat(2000), 'null', '1', 'S256'),
  fc.string({ maxLength: 20 }),
  fc.string({ maxLength: 10, unit: 'binary' }),
);
const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 });
const encoded = (entries: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(
    entries.map(([key, content]): [string, string] => [wellFormed(key), wellFormed(content)]),
  ).toString();
const rawQuery = fc.stringMatching(/^[!-"$-~]{0,40}$/);
const query = fc.oneof(pairs.map(encoded), rawQuery);
const contentType = fc.constantFrom(
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json',
  'text/plain',
  ';',
  '',
);
const body = fc.oneof(
  pairs.map((entries) => Buffer.from(encoded(entries))),
  pairs.map((entries) =>
    Buffer.from(
      `${entries.map(([key, content]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${content}\r\n`).join('')}--x--\r\n`,
    ),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
);
const headerValue = fc.oneof(
  fc.constantFrom(
    '*/*',
    'text/html',
    'null',
    'Basic',
    'Basic ====',
    'Basic OjpA',
    'token x',
    'token ',
    'Bearer x',
    'gzip',
    'chunked',
    'same-origin',
    'a=b; c',
    '0',
    '-1',
    'bytes=0-1',
  ),
  fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,30}$/),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'Accept',
    'Authorization',
    'Cookie',
    'Origin',
    'Sec-Fetch-Site',
    'Content-Encoding',
    'Range',
    'If-None-Match',
    'X-Forwarded-Host',
    'X-HTTP-Method-Override',
    'Expect-CT',
    'Referer',
  ),
  headerValue,
  { maxKeys: 4 },
);
const method = fc.constantFrom(
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'PROPFIND',
);

/** Paths whose every answer is JSON, by the contract. */
const isApi = (path: string): boolean => /^\/(api\/v1|token|authorize\/token)(\/|$)/.test(path);

describe('parameters of the local service', () => {
  let service: InProcessService;
  before(async () => {
    service = await startInProcess();
  });
  after(() => service.stop());

  /** What holds for every answer. */
  function check(answer: Answer, verb: string, path: string): void {
    assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
    assert.deepEqual(service.reports, []);
    const { location } = answer.headers;
    assert.ok(location === undefined || new URL(location, service.baseUrl).origin === service.baseUrl, location);
    assert.ok(!answer.text.includes(service.clientSecret) && !answer.text.includes(service.password));
    if (verb === 'HEAD' || !isApi(path) || String(answer.headers['content-type']).startsWith('text/javascript')) {
      return;
    }
    assert.match(String(answer.headers['content-type']), /^application\/json/);
    const json = answer.json as Record<string, unknown>;
    assert.ok(typeof json === 'object', answer.text);
    if (answer.status >= 400) {
      assert.equal(typeof json.error, 'string', answer.text);
    }
  }

  for (const signedIn of [false, true]) {
    holds(
      `any request ${signedIn ? 'with' : 'without'} a token is answered with less than 500, on API paths with JSON`,
      fc.record({ method, route, query, headers, contentType, body }),
      async (input) => {
        const auth = signedIn ? { Authorization: `token ${service.authToken}` } : {};
        const sends = input.method === 'POST' || input.method === 'PUT' || input.method === 'PATCH';
        const path = `${input.route}?${input.query}`;
        const answer = await call(service.baseUrl, path, {
          method: input.method,
          headers: {
            ...input.headers,
            ...auth,
            ...(sends && { 'Content-Type': input.contentType, 'Content-Length': String(input.body.length) }),
          },
          ...(sends && { body: input.body }),
        });
        check(answer, input.method, new URL(service.baseUrl + path).pathname);
      },
      10,
    );
  }

  const callback = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[\w$.]{0,140}$/),
    fc
      .array(
        fc.constantFrom(
          'a',
          '$',
          '_',
          '.',
          '1',
          'cb',
          '(',
          ')',
          '[',
          ']',
          ';',
          '/*',
          '*/',
          '<',
          '\u2028',
          'é',
          '\\u0061',
          '__proto__',
          ' ',
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join('')),
  );
  holds(
    'any callback is the name of a function that gets the JSON, or refused',
    callback,
    async (text) => {
      const answer = await call(
        service.baseUrl,
        `/api/v1/me?auth_token=${service.authToken}&callback=${encodeURIComponent(wellFormed(text))}`,
      );
      check(answer, 'GET', '/api/v1/me');
      if (answer.status === 400) {
        assert.equal(typeof (answer.json as { error: unknown }).error, 'string');
        return;
      }
      assert.equal(answer.status, 200);
      assert.match(text, /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/);
      assert.match(String(answer.headers['content-type']), /^text\/javascript/);
      const [, inside = ''] = /^[^(]*\((.*)\)$/s.exec(answer.text) ?? [];
      assert.equal(answer.text, `${text}(${inside})`);
      // The text between the brackets is one JavaScript value, and the same as JSON.
      assert.deepEqual(JSON.parse(JSON.stringify(vm.runInNewContext(`(${inside})`))), JSON.parse(inside));
    },
    10,
  );

  holds(
    'any OAuth call is granted or refused in the contract’s words',
    fc.tuple(fc.constantFrom('/authorize', '/authorize/token'), pairs, pairs, fc.boolean()),
    async ([path, inQuery, inBody, realClient]) => {
      const client: [string, string][] = realClient
        ? [
            ['client_id', service.clientId],
            ['client_secret', service.clientSecret],
          ]
        : [];
      const answer = await call(
        service.baseUrl,
        `${path}?${encoded([...client, ...inQuery])}`,
        form(Object.fromEntries(inBody.map(([key, content]) => [wellFormed(key), wellFormed(content)]))),
      );
      check(answer, 'POST', '/authorize/token');
      if (inQuery.some(([key]) => key === 'callback')) {
        return;
      }
      const message = (answer.json as { error?: string }).error;
      assert.ok(message === (path === '/authorize' ? 'Invalid authentication token.' : 'invalid request'), answer.text);
    },
    10,
  );

  holds(
    'any basic credentials are right or refused',
    fc.tuple(fc.string(), fc.string({ unit: 'binary' })),
    async ([user, password]) => {
      const answer = await call(service.baseUrl, '/token', { method: 'POST', headers: basic(user, password) });
      check(answer, 'POST', '/token');
      assert.equal(answer.status, 401);
    },
    40,
  );

  const line = fc.constantFrom(
    'GET /api/v1/me HTTP/1.1',
    'GET / HTTP/1.0',
    'POST /token HTTP/1.1',
    'Host: HOST',
    'Host: evil',
    'Content-Length: 5',
    'Content-Length: 5, 6',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: x, chunked',
    'Connection: upgrade',
    'Upgrade: websocket',
    'Expect: 100-continue',
    'X',
    ' folded',
    '5',
    'hello',
    '0',
    '',
    '',
  );
  holds(
    'any bytes are answered with less than 500 or not at all',
    fc.oneof(
      fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    ),
    async (bytes) => {
      const { host, port } = new URL(service.baseUrl);
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.on('data', (piece) => {
        answer += piece.toString('latin1');
      });
      socket.end(Buffer.from(bytes.toString('latin1').replaceAll('HOST', host), 'latin1'));
      await once(socket, 'close');
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)) {
        assert.ok(Number(status) < 500, answer);
      }
      assert.deepEqual(service.reports, []);
    },
    10,
  );
});
