import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';

import type { LoggedExchange } from '../../../src/service-client/client.ts';
import {
  BodyTooLargeError,
  InvalidResponseError,
  RedirectError,
} from '../../../src/service-client/errors/responseErrors.ts';
import { InvalidInputError } from '../../../src/errors/index.ts';
import { Redactor } from '../../../src/service-client/redaction.ts';
import { ServiceError } from '../../../src/service-client/errors/serviceError.ts';
import { readableMessage } from '../../../src/service-client/http/failures.ts';
import { accessToken, cleanUp, createClient, captureFailure, json, serve } from '../../support/servers.ts';

const exchange = { clientId: 'client', clientSecret: 'cl1ent-s3cret', code: 'c0de' };

const UNEXPLAINED = '.';

describe('the client', () => {
  afterEach(cleanUp);

  it('sends the headers that the contract requires, and no cookie or referrer', async () => {
    const server = await serve((_request, response) => json(response, { username: 'ann', email: 'ann@example.com' }));
    assert.deepEqual(await createClient(server).currentUser(), { username: 'ann', email: 'ann@example.com' });
    const [received = ''] = server.received;
    assert.ok(received.startsWith(`GET /api/v1/me?access_token=${encodeURIComponent(accessToken)}\n`));
    assert.match(received, /"accept":"application\/json/);
    assert.match(received, /"cache-control":"no-store"/);
    assert.match(received, /"user-agent":"app-build-service"/);
    assert.doesNotMatch(received, /cookie|referer|authorization/);
  });

  it('exchanges tokens and codes by POST, with the parameters in the query', async () => {
    const server = await serve((request, response) =>
      json(response, request.url?.startsWith('/token') ? { token: 'simple' } : { access_token: 'granted' }),
    );
    const client = createClient(server);
    assert.equal(await client.createAuthenticationToken({ username: 'ann', password: 'pa:ss' }), 'simple');
    assert.equal(await client.exchangeCode(exchange), 'granted');
    assert.equal(await client.exchangeAuthenticationToken({ ...exchange, authToken: 'simple token' }), 'granted');
    assert.deepEqual(
      server.received.map((request) => request.split('\n')[0]),
      [
        'POST /token',
        'POST /authorize/token?client_id=client&client_secret=cl1ent-s3cret&code=c0de',
        'POST /authorize?client_id=client&client_secret=cl1ent-s3cret&auth_token=simple%20token',
      ],
    );
    assert.ok(server.received.every((request) => request.includes('"content-length":"0"')));
    assert.ok(server.received[0]?.includes(`Basic ${Buffer.from('ann:pa:ss').toString('base64')}`));
  });

  it('keeps the service’s path prefix', async () => {
    const server = await serve((_request, response) =>
      json(response, { link: '/api/v1/me', apps: { link: '/api/v1/apps' } }),
    );
    const client = createClient({ url: `${server.url}/build/` });
    const { body } = await client.home();
    await client.get('/api/v1/apps');
    await client.get('/build/api/v1/apps');
    assert.ok(
      server.received.every((request) => request.startsWith('GET /build/api/v1')),
      server.received.join(),
    );
    assert.ok(body.kind === 'json' && JSON.stringify(body.resource).includes(`${server.url}/build/api/v1/apps`));
    assert.equal(
      client.authorizeUrl({ clientId: 'a b', state: 's&t' }),
      `${server.url}/build/authorize?client_id=a%20b&state=s%26t`,
    );
  });

  it('treats any 2xx status as success, even with an error object in the body', async () => {
    const server = await serve((request, response) => {
      if (request.url?.startsWith('/none')) {
        response.writeHead(204).end();
      } else {
        json(response, { error: { android: 'failed' } }, 202);
      }
    });
    const client = createClient(server);
    assert.equal((await client.get('/none')).body.kind, 'none');
    const response = await client.send({
      method: 'post',
      url: '/api/v1/apps',
      body: 'data=1',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: 'x' },
    });
    assert.equal(response.status, 202);
    assert.equal(response.body.kind, 'json');
    assert.match(server.received[1] ?? '', /^POST \/api\/v1\/apps/);
    assert.doesNotMatch(server.received[1] ?? '', /cookie/);
  });

  it('detects the type of a body from its media type and its content', async () => {
    const bodies: Record<string, readonly [string, Uint8Array | string]> = {
      '/bom': ['application/json', '\uFEFF{"a":12345678901234567890}'],
      '/html-json': ['text/html; charset=utf-8', '{"a":1}'],
      '/html': ['text/html', '<p>page</p>'],
      '/latin': ['text/plain; charset="iso-8859-1"', Buffer.from('caf\u00e9', 'latin1')],
      '/png': ['image/png', Buffer.from([0x89, 0x50, 0])],
      '/untyped': ['', Buffer.from([0xff, 0])],
      '/empty': ['application/json', ''],
    };
    const server = await serve((request, response) => {
      const [type, body] = bodies[new URL(request.url ?? '', 'http://x').pathname] ?? ['', ''];
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body);
    });
    const client = createClient(server);
    const read = async (path: string) => (await client.get(path)).body;
    const bom = await read('/bom');
    assert.ok(bom.kind === 'json' && bom.text === '{"a":12345678901234567890}');
    assert.equal((await read('/html-json')).kind, 'json');
    assert.deepEqual(await read('/html'), { kind: 'text', text: '<p>page</p>' });
    assert.deepEqual(await read('/latin'), { kind: 'text', text: 'caf\u00e9' });
    assert.equal((await read('/png')).kind, 'binary');
    assert.equal((await read('/untyped')).kind, 'binary');
    assert.equal((await read('/empty')).kind, 'none');
  });

  it('measures the whole call, including redirects', async () => {
    const received: number[] = [];
    const server = await serve((request, response) => {
      received.push(performance.now());
      if (request.url?.startsWith('/start')) {
        response.writeHead(302, { location: '/end' }).end();
      } else {
        json(response, {});
      }
    });
    const start = performance.now();
    const { milliseconds } = await createClient(server).get('/start');
    const [first = NaN, second = NaN] = received;
    assert.ok(milliseconds >= second - first && milliseconds <= performance.now() - start, `${milliseconds} ms`);
  });

  describe('failed requests', () => {
    for (const [name, status, headers, body, expected] of [
      ['a message', 404, {}, '{"error":"app #54 not available"}', ': app #54 not available'],
      [
        'HTML escaped in JSON',
        400,
        {},
        '{"error":"try removing &quot;a&amp;b&#64;&quot;\\u202e\\n<b>"}',
        ': try removing "a&b@" <b>',
      ],
      ['an error object', 500, {}, '{"error":{"a":1}}', UNEXPLAINED],
      ['a page', 404, { 'content-type': 'text/html' }, '<!DOCTYPE html><h1>Not Found</h1>', UNEXPLAINED],
      ['broken gzip', 400, { 'content-encoding': 'gzip' }, 'not gzip', UNEXPLAINED],
      ['no body', 999, {}, '', UNEXPLAINED],
      ['an odd status', 304, {}, '', UNEXPLAINED],
      ['null', 400, {}, 'null', UNEXPLAINED],
    ] as const) {
      it(`reports an error response with ${name}`, async () => {
        const server = await serve((_request, response) => response.writeHead(status, headers).end(body));
        const error = await captureFailure(ServiceError, createClient(server).me());
        assert.equal(error.message, `The service returned an error (${status})${expected}`);
        assert.equal(error.status, status);
      });
    }

    it('reports a rejected token exchange as a failure, even with status 200', async () => {
      for (const status of [200, 400]) {
        const server = await serve((_request, response) => json(response, { error: 'invalid request' }, status));
        const error = await captureFailure(ServiceError, createClient(server).exchangeCode(exchange));
        assert.equal(error.serviceMessage, 'invalid request');
      }
    });

    it('rejects a link to another origin or scheme without sending a request', async () => {
      const server = await serve((_request, response) => json(response, {}));
      const client = createClient(server);
      assert.equal(
        (await captureFailure(RedirectError, client.get('https://elsewhere.example/?access_token=x&a=1'))).target,
        'https://elsewhere.example/?a=1',
      );
      assert.equal(
        (await captureFailure(RedirectError, client.get(server.url.replace('127.0.0.1', 'localhost')))).fault,
        'elsewhere',
      );
      for (const url of [
        'javascript:alert(1)',
        `blob:${server.url}/x`,
        'file:///etc/passwd',
        'apps',
        '//evil.example',
        '',
      ]) {
        await captureFailure(InvalidInputError, client.get(url));
      }
      await captureFailure(
        InvalidInputError,
        client.get({
          rel: 'x',
          target: { kind: 'template', template: '{x}', base: server.url, variables: ['x'] },
          pointer: '',
        }),
      );
      await captureFailure(InvalidInputError, client.send({ method: 'GET /x', url: '/x' }));
      await captureFailure(
        InvalidInputError,
        client.send({ method: 'GET', url: '/x', headers: { 'x-a': 'b\r\nc: d' } }),
      );
      assert.deepEqual(server.received, []);
    });
  });

  it('reveals no secret in errors, the log, or URLs', async () => {
    const secrets = [accessToken, 'pa55word-1', exchange.clientSecret, exchange.code, 's1mple-token'];
    // This hostile service repeats the whole request in its error.
    const server = await serve((request, response) => {
      const basic = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64').toString();
      const echo = [request.url, decodeURIComponent(request.url ?? ''), request.headers.authorization, basic].join(' ');
      response.setHeader('location', `/loop?again=${encodeURIComponent(request.url ?? '')}`);
      json(
        response,
        {
          error: `${echo} ${Buffer.from(`ab${decodeURIComponent(request.url ?? '')}`).toString('base64')} ${accessToken.replace(/./g, (character) => `&#${character.charCodeAt(0)};`)}`,
        },
        request.url?.includes('redirect') ? 302 : 403,
      );
    });
    const exchanges: LoggedExchange[] = [];
    const client = createClient(server, { onExchange: (one) => exchanges.push(one) });
    const errors = await Promise.all([
      captureFailure(ServiceError, client.me()),
      captureFailure(ServiceError, client.get(`/api/v1/x?token=${encodeURIComponent(accessToken)}`)),
      captureFailure(ServiceError, client.createAuthenticationToken({ username: 'ann', password: 'pa55word-1' })),
      captureFailure(ServiceError, client.exchangeCode(exchange)),
      captureFailure(ServiceError, client.exchangeAuthenticationToken({ ...exchange, authToken: 's1mple-token' })),
      captureFailure(RedirectError, client.get('/redirect')),
    ]);
    const seen = inspect([errors, exchanges], { depth: 20, showHidden: true });
    for (const secret of secrets) {
      // A short secret is hidden only under its name.
      const base64 = secret.length < 8 ? [] : [Buffer.from(secret).toString('base64').slice(0, -4)];
      for (const form of [secret, encodeURIComponent(secret), ...base64]) {
        assert.ok(!seen.includes(form), `${form} in ${seen}`);
      }
    }
    assert.ok(exchanges.length >= 6 && exchanges.every((one) => one.path.startsWith('/')));
  });

  it('removes secrets from a message before and after decoding it', () => {
    const redactor = new Redactor();
    redactor.add('pa&lt;ssword', 'w<rdw<rd');
    assert.equal(readableMessage('a pa&lt;ssword w&lt;rdw&lt;rd z', redactor), 'a *** *** z');
    assert.equal(readableMessage('x'.repeat(600), redactor)?.length, 500);
    assert.equal(readableMessage(' \u0000\u202e ', redactor), undefined);
  });

  it('hides a secret in use and leaves the other data unchanged', async () => {
    const escaped = accessToken.replace(
      /./g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-echo': accessToken })
        .end(`{"a": "${accessToken}", "b": "${escaped}", "d": 10000000000000000001}`),
    );
    const { body, headers } = await createClient(server).get('/x');
    assert.equal(body.kind === 'json' && body.text, '{"a": "***", "b": "***", "d": 10000000000000000001}');
    assert.equal(headers['x-echo'], '***');
  });

  it('decompresses gzip and deflate within the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 32), { level: 1 });
    const server = await serve((request, response) => {
      const big = request.url?.startsWith('/bomb') === true;
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(
        big ? bomb : request.url?.startsWith('/cut') ? gzipSync('{"a":1}').subarray(0, -9) : gzipSync('{"a":1}'),
      );
    });
    const client = createClient(server);
    const { body } = await client.get('/fine');
    assert.deepEqual(body.kind === 'json' && body.value, { a: 1 });
    const error = await captureFailure(BodyTooLargeError, client.get('/bomb'));
    assert.equal(error.sizeBytes, undefined);
    assert.equal((await captureFailure(InvalidResponseError, client.get('/cut'))).fault, 'encoding');
  });
});
