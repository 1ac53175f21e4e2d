import assert from 'node:assert/strict';
import { inspect } from 'node:util';

import { BuildServiceError } from '../../../../src/errors/index.ts';
import { RedirectError } from '../../../../src/service-client/errors/responseErrors.ts';
import { nextHop } from '../../../../src/service-client/http/redirects.ts';
import { Redactor } from '../../../../src/service-client/redaction.ts';
import { parseServiceUrl } from '../../../../src/service-client/serviceUrl.ts';
import {
  accessToken,
  cleanUp,
  createClient,
  captureFailure,
  json,
  serve,
  type TestServer,
} from '../../../support/servers.ts';

const redirector = (getLocation: (path: string) => string | undefined, status = 302): Promise<TestServer> =>
  serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const location = getLocation(pathname);
    if (location === undefined) {
      json(response, { path: pathname });
    } else {
      response.writeHead(status, { location }).end();
    }
  });

const secretIn = (server: TestServer): boolean =>
  server.received.some(
    (request) =>
      request.includes('access_token') ||
      request.includes(encodeURIComponent(accessToken)) ||
      request.includes('authorization'),
  );

async function read(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

describe('the handling of redirects', () => {
  afterEach(cleanUp);

  it('follows a redirect on the same origin, with credentials', async () => {
    const server = await redirector((path) => (path === '/a' ? './b?x=1&access_token=theirs' : undefined));
    const response = await createClient(server).get('/a');
    assert.equal(response.url, `${server.url}/b?x=1`);
    assert.deepEqual(
      server.received.map((request) => request.split(/[\s]/)[1]),
      [`/a?access_token=${encodeURIComponent(accessToken)}`, `/b?x=1&access_token=${encodeURIComponent(accessToken)}`],
    );
  });

  for (const location of [`//evil.example/${accessToken}?x#y`, `//%00/${accessToken}`, `/a?t=${accessToken}#b`]) {
    it(`keeps the host and hides the secret after a redirect to ${location}`, async () => {
      const server = await serve((request, response) => {
        if (request.url?.startsWith('/start')) {
          response.writeHead(302, { location: `${server.url}${location}` }).end();
        } else {
          json(response, { _links: { path: { href: 'b' }, host: { href: '/c' } } });
        }
      });
      const { url, body } = await createClient(server).get('/start');
      assert.equal(url, `${server.url}${location.replace(accessToken, '***').replace(/#.*/, '')}`);
      assert.ok(body.kind === 'json');
      const targets = body.resource.links.map(({ target }) => target);
      assert.deepEqual(targets.at(-1), { kind: 'internal', url: `${server.url}/c` });
      assert.ok(!JSON.stringify(body.resource).includes(accessToken));
    });
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`follows a ${status} to another origin for a download without credentials, but not for a resource`, async () => {
      const elsewhere = await serve((_request, response) =>
        response.writeHead(200, { 'content-type': 'image/png' }).end('bytes'),
      );
      const server = await redirector(() => `${elsewhere.url}/store?signature=a%2Fb&access_token=mine`, status);
      for (const credentials of [
        { type: 'accessToken', accessToken },
        { type: 'authToken', authToken: accessToken },
        { type: 'basic', username: 'ann', password: accessToken },
      ] as const) {
        const client = createClient(server, { credentials });
        const error = await captureFailure(RedirectError, client.get('/a'));
        assert.equal(error.fault, 'elsewhere');
        assert.equal(error.target, `${elsewhere.url}/store?signature=a%2Fb`);
        assert.ok(!JSON.stringify(error).includes('signature'));
        elsewhere.received.length = 0;
        const download = await client.download('/a');
        assert.equal(await read(download.body), 'bytes');
        assert.equal(elsewhere.received.length, 1);
        assert.ok(!secretIn(elsewhere), elsewhere.received.join());
      }
    });
  }

  it('doesn’t follow a redirect that repeats a secret under another name', async () => {
    const elsewhere = await serve((_request, response) => response.end());
    const server = await redirector(
      () => `${elsewhere.url}/?t=${Buffer.from(`x${accessToken}`).toString('base64url')}`,
    );
    const error = await captureFailure(RedirectError, createClient(server).download('/a'));
    assert.equal(error.target, elsewhere.url);
    assert.deepEqual(elsewhere.received, []);
  });

  it('doesn’t follow a redirect to a host named after a secret in any encoding', async () => {
    const token = 'Tok3n-of-Ann-1234';
    const credentials = { type: 'accessToken', accessToken: token } as const;
    const percent = token.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);
    for (const host of [
      `${token}.evil.example`,
      `${token.toLowerCase()}.evil.example`,
      `${percent}.evil.example`,
      `x${Buffer.from(token).toString('hex')}.${token}.example:8080`,
      Buffer.from(token).toString('base64url'),
      `${token.slice(0, 5)}.${token.slice(5, 9)}.${token.slice(9)}.evil.example`,
    ]) {
      for (const location of [`http://${host}/x`, `//${host}/?access_token=1`, `http:\\\\${host}`]) {
        const server = await redirector(() => location);
        const client = createClient(server, { credentials });
        for (const call of [client.get('/a'), client.download('/a')]) {
          const error = await captureFailure(RedirectError, call);
          assert.equal(error.target, undefined);
          assert.doesNotMatch(inspect(error, { showHidden: true }), /tok3n|evil/i);
        }
      }
    }
  });

  it('rejects a Location of more than 8 KiB', async () => {
    const server = await redirector(() => `/${'../'.repeat(3000)}`);
    assert.equal((await captureFailure(RedirectError, createClient(server).get('/a'))).fault, 'invalidLocation');
  });

  it('doesn’t send credentials after leaving the origin, even if a redirect returns to it', async () => {
    let back = '';
    const elsewhere = await serve((_request, response) => response.writeHead(302, { location: back }).end());
    const server = await redirector((path) => ({ '/a': elsewhere.url, '/b': '/c' })[path]);
    back = `${server.url}/b`;
    await read((await createClient(server).download('/a')).body);
    assert.equal(server.received.length, 3);
    // The last redirect stays at the origin, and its request contains none either.
    assert.ok(server.received.slice(1).every((request) => !request.includes('access_token')));
  });

  for (const [name, getLocation, fault] of [
    ['in a loop', (path: string) => (path === '/a' ? '/b' : '/a'), 'loop'],
    ['to itself', () => '/a?access_token=other', 'loop'],
    ['that exceed the limit', (path: string) => `${path}x`, 'tooMany'],
    ['to an empty location', () => '', 'noLocation'],
    ['to an invalid URL', () => 'http://[', 'invalidLocation'],
    ['to a javascript: URL', () => 'javascript:alert(1)', 'invalidLocation'],
    ['to a file: URL', () => 'file:///etc/passwd', 'invalidLocation'],
  ] as const) {
    it(`rejects redirects ${name}`, async () => {
      const server = await redirector(getLocation);
      for (const call of [createClient(server).get('/a'), createClient(server).download('/a')]) {
        assert.equal((await captureFailure(RedirectError, call)).fault, fault);
      }
      assert.ok(server.received.length <= 12);
    });
  }

  it('follows five redirects, but not a sixth', async () => {
    const server = await redirector((path) => (path === '/6' ? undefined : `/${Number(path.slice(1)) + 1}`));
    const client = createClient(server);
    assert.equal((await client.get('/1')).url, `${server.url}/6`);
    assert.equal(server.received.length, 6);
    assert.equal((await captureFailure(RedirectError, client.get('/0'))).fault, 'tooMany');
    assert.equal(server.received.length, 12);
  });

  it('doesn’t resend a request that contains a secret or changes data', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const elsewhere = await serve((_request, response) => json(response, { access_token: 'x' }));
      for (const location of [`${elsewhere.url}/x`, '/x']) {
        const server = await redirector((path) => (path === '/x' ? undefined : location), status);
        const client = createClient(server);
        await captureFailure(
          RedirectError,
          client.exchangeCode({ clientId: 'a', clientSecret: 'secret', code: 'code' }),
        );
        await captureFailure(
          RedirectError,
          client.exchangeAuthenticationToken({ clientId: 'a', clientSecret: 'secret', authToken: 'token' }),
        );
        await captureFailure(RedirectError, client.createAuthenticationToken({ username: 'a', password: 'password' }));
        assert.equal(server.received.length, 3);
        const posted = client.send({ method: 'POST', url: '/api/v1/apps', body: 'data' });
        if (status === 303 && location === '/x') {
          assert.equal((await posted).url, `${server.url}/x`);
          assert.match(server.received[4] ?? '', /^GET \/x/);
        } else {
          await captureFailure(BuildServiceError, posted);
        }
      }
      assert.deepEqual(elsewhere.received, []);
    }
  });

  it('rejects a download link to http: or to a host named after a secret, like a redirect', async () => {
    const elsewhere = await redirector(() => undefined);
    const service = parseServiceUrl('https://build.example');
    const token = 'Tok3n-of-Ann-1234';
    const client = createClient(elsewhere, { service, credentials: { type: 'accessToken', accessToken: token } });
    for (const [link, fault] of [
      [`${elsewhere.url}/admin/reboot`, 'downgrade'],
      ['http://build.example/app.apk', 'downgrade'],
      [`https://${token.slice(0, 8)}.${token.slice(8)}.evil.example/app.apk`, 'secretElsewhere'],
    ] as const) {
      assert.equal((await captureFailure(RedirectError, client.download(link))).fault, fault);
    }
    assert.deepEqual(elsewhere.received, []);
    const plain = await redirector(() => undefined);
    assert.equal(await read((await createClient(plain).download(`${elsewhere.url}/x`)).body), '{"path":"/x"}');
    assert.ok(!secretIn(elsewhere));
  });

  it('rejects a redirect from https to http, even on the same host', () => {
    const hop = { method: 'GET', url: 'https://example.com/a', leftOrigin: false };
    for (const location of ['http://example.com/a', 'http://store.example/x']) {
      assert.throws(
        () => nextHop({ status: 302, location }, [hop], 'anywhere', new Redactor()),
        (error: unknown) => error instanceof RedirectError && error.fault === 'downgrade',
      );
    }
  });
});
