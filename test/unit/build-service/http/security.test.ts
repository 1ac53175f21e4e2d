import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';

import { createApp } from '../../../../src/build-service/server.ts';
import { hiddenFields, signIn } from '../../../support/consent.ts';
import { openInProcess, startInProcess, type InProcessService } from '../../../support/inProcessService.ts';
import { useService } from '../../../support/hooks.ts';
import { resetConnect } from '../../../support/servers.ts';
import { call, form, member, parseAnswer, upload, type Answer } from '../../../support/serviceRequests.ts';

const URLENCODED = 'application/x-www-form-urlencoded';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Lists every path of the service with the demo user's token, and some unknown paths. */
const getPaths = ({ service, baseUrl, authToken }: InProcessService): readonly string[] => {
  const routes = createApp(service, baseUrl).routes.filter(({ path }) => !path.includes('*'));
  const paths = new Set(routes.map(({ path }) => path.replace('/apps/:id', '/apps/1001').replace(/:\w+/g, 'ios')));
  return [...paths, '/nothing', '/api/v1/me?callback=cb'].flatMap((path) => [
    path,
    `${path}${path.includes('?') ? '&' : '?'}auth_token=${authToken}`,
  ]);
};

describe('local service: security of connections', () => {
  const service = useService(startInProcess);
  let port: string;
  before(() => {
    ({ port } = new URL(service.baseUrl));
  });

  it('listens on the loopback address only', async () => {
    assert.equal(new URL(service.baseUrl).hostname, '127.0.0.1');
    const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    for (const { address } of addresses.filter(({ internal, family }) => !internal && family === 'IPv4')) {
      await assert.rejects(call(`http://${address}:${port}`, '/'), { code: 'ECONNREFUSED' });
    }
  });

  it('responds only to requests for its own host names', async () => {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      assert.equal((await call(service.baseUrl, '/sign-in', { headers: { Host: host } })).status, 200, host);
    }
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost',
      `localhost.evil.example:${port}`,
      `127.0.0.1:${Number(port) + 1}`,
    ]) {
      for (const path of ['/sign-in', '/api/v1/me', '/stylesheet.css', '/nothing']) {
        const answer = await call(service.baseUrl, path, {
          headers: { Host: host, Authorization: `token ${service.authToken}` },
        });
        assert.equal(answer.status, 421, host + path);
        assert.ok(!answer.text.includes('demo@example.com'));
      }
    }
    const script = await call(service.baseUrl, '/api/v1/me?callback=cb', { headers: { Host: 'evil.example' } });
    assert.equal(script.status, 421);
    assert.match(script.text, /^cb\(\{"error":"This service accepts requests only for 127\.0\.0\.1/);
    const page = await call(service.baseUrl, '/sign-in', { headers: { Host: 'evil.example', Accept: 'text/html' } });
    assert.equal(page.status, 421);
    assert.match(page.text, /<h1>Wrong address/);
  });

  it('rejects a request line that names another host, even if the Host header is valid', async () => {
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: token ${service.authToken}\r\nConnection: close\r\n\r\n`;
    for (const [target, status] of [
      [`http://127.0.0.1:${port}/api/v1/me`, 200],
      ['http://evil.example/api/v1/me', 421],
      [`http://evil.example:${port}/api/v1/me`, 421],
      [`http://127.0.0.1:${Number(port) + 1}/api/v1/me`, 421],
      [`http://127.0.0.1:${port}@evil.example/api/v1/me`, 421],
    ] as const) {
      const answer = await send(`GET ${target} HTTP/1.1\r\n${head}`);
      assert.equal(answer.status, status, target);
      assert.equal(answer.text.includes('demo@example.com'), status === 200, target);
    }
  });

  /** Sends bytes on a separate connection. */
  const send = async (bytes: string): Promise<Answer> => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(bytes);
    return parseAnswer(await text(socket));
  };
  const assertProtected = ({ headers }: Pick<Answer, 'headers'>, what: string): void => {
    assert.equal(headers['cache-control'], 'no-store', what);
    assert.equal(headers['x-content-type-options'], 'nosniff', what);
    assert.equal(headers['referrer-policy'], 'no-referrer', what);
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/, what);
  };

  it('sends its protective headers with every response', async () => {
    const token = `?auth_token=${service.authToken}`;
    const page = await call(service.baseUrl, `/api/v1/apps${token}`, upload('<!doctype html><script>x</script>'));
    const { id } = page.json as { id: number };
    const files = ['1001/icon', '1001/android', `${id}/www`].map(async (path) => {
      const { headers } = await call(service.baseUrl, `/api/v1/apps/${path}${token}`);
      return new URL(headers.location ?? `/api/v1/apps/${path}${token}`, service.baseUrl);
    });
    const downloads = (await Promise.all(files)).map(({ pathname, search }) => pathname + search);
    for (const path of [...getPaths(service), ...downloads]) {
      for (const [method, Accept] of [
        ['GET', '*/*'],
        ['GET', 'text/html'],
        ['POST', 'text/html'],
        ['OPTIONS', '*/*'],
      ] as const) {
        const answer = await call(service.baseUrl, path, { method, headers: { Accept } });
        assertProtected(answer, `${method} ${path} ${Accept}`);
      }
    }
  });

  const host = (): string => `Host: 127.0.0.1:${port}\r\n`;
  const unusual: Readonly<Record<string, () => readonly [request: string, status: number]>> = {
    'invalid HTTP': () => ['hello\r\n\r\n', 400],
    'oversized headers': () => [`GET / HTTP/1.1\r\n${host()}X: ${'a'.repeat(100_000)}\r\n\r\n`, 431],
    'a missing Host': () => ['GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    'a target that isn’t a URL': () => [`GET http://[ HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`, 400],
    'the method CONNECT': () => [`CONNECT evil.example:443 HTTP/1.1\r\n${host()}\r\n`, 405],
    'an unknown expectation': () => [
      `POST /token HTTP/1.1\r\n${host()}Expect: magic\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      401,
    ],
  };
  for (const [name, request] of Object.entries(unusual)) {
    it(`returns JSON with its protective headers for a request with ${name}, and continues`, async () => {
      const [bytes, status] = request();
      const answer = await send(bytes);
      assert.equal(answer.status, status, answer.text);
      assert.notEqual(member(answer.json, 'error'), '');
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      assertProtected(answer, name);
      assert.equal((await call(service.baseUrl, '/sign-in')).status, 200);
    });
  }

  it('survives a CONNECT that is reset', async () => {
    await resetConnect(new URL(service.baseUrl));
    assert.equal((await call(service.baseUrl, '/sign-in')).status, 200);
  });

  for (const [client, version, header] of [
    ['a modern client', '1.1', 'Connection: close\r\n'],
    ['an old client', '1.0', ''],
  ] as const) {
    it(`closes the connection after the response if ${client} asks for it`, async () => {
      for (const request of ['GET /stylesheet.css', 'POST /authorize/token']) {
        const socket = connect(Number(port), '127.0.0.1');
        const body = request.startsWith('POST') ? 'Content-Length: 2\r\n\r\nab' : '\r\n';
        socket.write(`${request} HTTP/${version}\r\n${host()}${header}${body}`);
        assert.equal(parseAnswer(await text(socket)).headers.connection, 'close', request);
      }
    });

    it(`responds to an upload that it doesn’t read, and lets ${client} close the connection earlier`, async () => {
      const socket = connect(Number(port), '127.0.0.1');
      const answer = text(socket);
      socket.write(`POST /nothing HTTP/${version}\r\n${host()}${header}Content-Length: 6\r\n\r\nab`);
      await once(socket, 'data');
      for (const part of ['c', 'd', 'e']) {
        socket.write(part);
        await call(service.baseUrl, '/sign-in');
      }
      assert.ok(socket.writable, 'the socket was closed, so further data would reset it and lose the response');
      socket.write('f');
      assert.equal(parseAnswer(await answer).status, 404);
    });
  }

  it('lets only the consent page send a form to another origin', async () => {
    const { browser, page } = await signIn(service, `/authorize?client_id=${service.clientId}`);
    assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /form-action/);
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.match((await browser.open('/account')).headers.get('content-security-policy') ?? '', /form-action 'self'/);
  });

  it('allows only the copy script, and no script on the consent page', async () => {
    const { browser, page } = await signIn(service, `/authorize?client_id=${service.clientId}`);
    const getPolicy = ({ headers }: Response): string => headers.get('content-security-policy') ?? 'unsafe';
    assert.doesNotMatch(getPolicy(page), /script|unsafe/);
    const account = await browser.open('/account');
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(await account.text()) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    assert.match(script, /clipboard/);
    assert.ok(getPolicy(account).includes(`; script-src 'sha256-${hash}'; form-action`), getPolicy(account));
    assert.doesNotMatch(getPolicy(account), /unsafe/);
  });
});

describe('local service: security of responses', () => {
  const service = useService(openInProcess);

  const credentials = (): { username: string; password: string } => ({
    username: service.username,
    password: service.password,
  });
  const getCookie = ({ headers }: Answer): string => headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';

  it('never sends a CORS header, for any path and method, even after a preflight request', async () => {
    const asking = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const headers = { ...asking, 'Access-Control-Request-Headers': 'authorization' };
    for (const path of getPaths(service)) {
      for (const method of METHODS) {
        const answer = await call(service, path, { method, headers });
        const sent = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
        assert.deepEqual(sent, [], `${method} ${path}`);
        assert.ok(method !== 'OPTIONS' || answer.status >= 400, `${method} ${path}: ${answer.status}`);
      }
    }
  });

  it('responds to every failing API call with JSON, even if the caller accepts only HTML', async () => {
    for (const path of getPaths(service).filter((each) => /^\/(api|token|authorize\/token|instance)/.test(each))) {
      for (const method of METHODS) {
        const answer = await call(service, path, { method, headers: { Accept: 'text/html' } });
        if (answer.status >= 400 && !path.includes('callback')) {
          const what = `${method} ${path}`;
          assert.match(String(answer.headers['content-type']), /^application\/json/, what);
          assert.equal(answer.text === '', method === 'HEAD', what);
          assert.ok(method === 'HEAD' || member(answer.json, 'error') !== '', what);
        }
      }
    }
  });

  describe('with forms', () => {
    let anonymous: Record<string, string>;
    let Cookie: string;
    let csrf: string;
    before(async () => {
      const first = await call(service, '/sign-in');
      anonymous = hiddenFields(first.text, '/sign-in');
      const signedIn = await call(service, '/sign-in', {
        ...form({ ...anonymous, ...credentials() }),
        headers: { Cookie: getCookie(first), Origin: service.baseUrl, 'Content-Type': URLENCODED },
      });
      Cookie = getCookie(signedIn);
      ({ csrf = '' } = hiddenFields((await call(service, '/account', { headers: { Cookie } })).text, '/sign-out'));
      assert.notEqual(csrf, '');
    });

    it('rejects every forged form', async () => {
      const forms = createApp(service.service, service.baseUrl)
        .routes.filter(
          ({ method, path }) => method === 'POST' && !/^\/(api|token|authorize$|authorize\/token)/.test(path),
        )
        .map(({ path }) => path.replace(/:\w+/g, 'x'));
      assert.ok(forms.length >= 14);
      for (const action of forms) {
        const fields = {
          ...{ client_id: service.clientId, decision: 'allow', name: 'x', email: 'x@example.com' },
          ...credentials(),
        };
        for (const [name, headers, token] of [
          ['no token', { Origin: service.baseUrl }, undefined],
          ['a wrong token', { Origin: service.baseUrl }, 'wrong'],
          ['the token of another browser', { Origin: service.baseUrl }, anonymous.csrf],
          ['another origin', { Origin: 'https://evil.example' }, csrf],
          ['another port', { Origin: 'http://127.0.0.1:1' }, csrf],
          ['no origin', {}, csrf],
          ['an opaque origin', { Origin: 'null' }, csrf],
          ['another site', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, csrf],
          ['another port of this site', { Origin: 'null', 'Sec-Fetch-Site': 'same-site' }, csrf],
        ] as const) {
          const answer = await call(service, action, {
            ...form({ ...fields, ...(token !== undefined && { csrf: token }) }),
            headers: { ...headers, Cookie, Accept: 'text/html', 'Content-Type': URLENCODED },
          });
          assert.equal(answer.status, 403, `${action} with ${name}`);
          assert.equal(answer.headers.location, undefined, name);
        }
      }
    });
  });

  it('doesn’t read any part of a form from another website', async () => {
    // If the service read this body, it would reject it for its length.
    const body = 'x'.repeat(300_000);
    for (const [path, status] of [
      ['/sign-in', 403],
      ['/authorize/decision', 403],
      ['/account/profile', 403],
      ['/authorize', 401],
      ['/authorize/token', 400],
    ] as const) {
      const send = async (headers: Readonly<Record<string, string>>): Promise<number> =>
        (await call(service, path, { method: 'POST', headers: { 'Content-Type': URLENCODED, ...headers }, body }))
          .status;
      assert.equal(await send({ Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }), status, path);
      assert.equal(await send({ Origin: 'https://evil.example' }), status, path);
      assert.equal(await send({ Origin: service.baseUrl, 'Sec-Fetch-Site': 'same-origin' }), 413, path);
    }
  });

  it('accepts a form of the service from a browser that hides the origin', async () => {
    const { page, browser } = await signIn(service);
    const answer = await browser.submit(await page.text(), '/sign-out', {});
    assert.equal(answer.status, 303);
    const first = await call(service, '/sign-in');
    const own = await call(service, '/sign-in', {
      ...form({ ...hiddenFields(first.text, '/sign-in'), ...credentials() }),
      headers: {
        ...{ Cookie: getCookie(first), Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
        'Content-Type': URLENCODED,
      },
    });
    assert.equal(own.status, 303);
  });

  it('redirects with 303, never 307 or 308, so that browsers don’t repeat a POST that contains secrets', async () => {
    const { browser, page } = await signIn(service, `/authorize?client_id=${service.clientId}`);
    for (const decision of ['allow', 'deny']) {
      const again = await browser.open(`/authorize?client_id=${service.clientId}`);
      assert.equal((await browser.submit(await again.text(), '/authorize/decision', { decision })).status, 303);
    }
    assert.equal((await browser.submit(await page.text(), '/authorize/decision', { decision: 'maybe' })).status, 400);
  });
});
