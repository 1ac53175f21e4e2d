import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';

import { CancelledError, formatSentence } from '../../../src/errors/index.ts';
import type { LoggedExchange } from '../../../src/service-client/http/requestPipeline.ts';
import type { TransportOptions } from '../../../src/service-client/http/transport.ts';
import { Redactor } from '../../../src/service-client/redaction.ts';
import { probeService, type ServiceProbe, type ServiceProbeOptions } from '../../../src/service-client/serviceProbe.ts';
import { parseServiceUrl } from '../../../src/service-client/serviceUrl.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { startOddService } from '../../support/oddService.ts';
import { OriginalService } from '../../support/originalService.ts';
import { startProxy } from '../../support/proxyServer.ts';
import {
  accessToken,
  addCleanup,
  cleanUp,
  captureFailure,
  freePort,
  json,
  serve,
  serveRaw,
  transport,
} from '../../support/servers.ts';

const PAGE = { 'content-type': 'text/html; charset=utf-8' };

describe('the probe of an address', () => {
  afterEach(cleanUp);

  const probe = (
    url: string,
    { carrier, ...options }: Partial<ServiceProbeOptions> & { readonly carrier?: TransportOptions } = {},
  ) =>
    probeService(parseServiceUrl(url), {
      transport: transport({ retries: { delay: 1 }, ...carrier }),
      redactor: new Redactor(),
      ...options,
    });
  /** Returns the text that the user reads. */
  const getText = (found: ServiceProbe): string =>
    found.kind === 'service' ? '' : [found.what, ...(found.next ? [found.next] : [])].map(formatSentence).join(' ');
  const answering = async (answer: (response: ServerResponse) => void) =>
    probe((await serve((_request, response) => answer(response))).url);

  for (const [name, start] of [
    ['the local service', () => startInProcess()],
    ['the simulated original service', () => OriginalService.start()],
    ['a service with a small part of the contract', () => startOddService()],
  ] as const) {
    it(`recognizes ${name}, without credentials and in one request`, async () => {
      const service = await start();
      addCleanup(() => ('stop' in service ? service.stop() : service.close()));
      const exchanges: LoggedExchange[] = [];
      const found = await probe('baseUrl' in service ? service.baseUrl : service.url, {
        onExchange: (exchange) => exchanges.push(exchange),
      });
      assert.deepEqual(found, { kind: 'service' });
      assert.deepEqual(
        exchanges.map(({ method, path, status }) => [method, path, status]),
        [['GET', '/api/v1/me', 401]],
      );
    });
  }

  it('recognizes a service under a path, after a redirect on its origin, and with anonymous access', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/build/api/v1/me') {
        json(response, { error: 'Missing authentication.' }, 401);
      } else if (request.url === '/moved/api/v1/me') {
        response.writeHead(302, { location: '/build/api/v1/me' }).end();
      } else {
        json(response, { username: 'ann', email: 'ann@example.com' });
      }
    });
    for (const path of ['/build', '/build/api/v1/', '/moved', '']) {
      assert.equal((await probe(server.url + path)).kind, 'service', path);
    }
    for (const received of server.received) {
      assert.doesNotMatch(received, /authorization|cookie|token/i);
    }
  });

  it('reports a web page by its title, as plain text without secrets or invisible characters', async () => {
    const redactor = new Redactor();
    redactor.add(accessToken);
    const title = `Sign in &amp; relax \u202e ${accessToken} ${'x'.repeat(200)}`;
    const server = await serve((_request, response) =>
      response.writeHead(200, PAGE).end(`<!DOCTYPE html><html><head><title lang=en>${title}</title>`),
    );
    const found = await probe(server.url, { redactor });
    assert.equal(found.kind, 'webPage');
    assert.match(getText(found), /^127\.0\.0\.1:\d+ is a web page, not a build service: “Sign in & relax/);
    assert.ok(!getText(found).includes(accessToken));
    assert.ok(!getText(found).includes('\u202e'));
    assert.ok(getText(found).length < 400, getText(found));
  });

  for (const status of [200, 401, 404, 503]) {
    it(`reports a web page without a title, status ${status}`, async () => {
      const found = await answering((response) => response.writeHead(status, PAGE).end('<p>Hello'));
      assert.equal(found.kind, 'webPage');
      assert.match(getText(found), /^127\.0\.0\.1:\d+ is a web page, not a build service\. Your network might/);
    });
  }

  for (const [name, status, body, text] of [
    ['a different JSON API', 200, '{"swagger":"2.0"}', /responds, but not like a build service \(status 200\)/],
    ['a list', 200, '[{"username":"ann"}]', /not like a build service/],
    ['a 401 without JSON', 401, 'Unauthorized', /requires a sign-in, but not the way a build service does/],
    ['a 401 with an error that isn’t text', 401, '{"error":{"code":1}}', /not the way a build service does/],
    ['a 404 without JSON', 404, 'not found', /no build service is running at this address/],
    ['a service that is down temporarily', 503, '{"error":"Down for maintenance."}', /503: Down for maintenance\./],
    ['an empty response', 204, '', /not like a build service \(status 204\)/],
  ] as const) {
    it(`reports ${name}`, async () => {
      const found = await answering((response) => response.writeHead(status).end(status === 204 ? undefined : body));
      assert.equal(found.kind, 'somethingElse');
      assert.match(getText(found), text);
    });
  }

  it('identifies a web page by the beginning of an endless or stalled body', async () => {
    const endless = await serve((_request, response) => {
      response.writeHead(200, PAGE);
      response.write('<title>Without end</title>');
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16 * 1024))) {
          // The service writes until the buffer is full.
        }
      };
      response.on('drain', more);
      more();
    });
    assert.match(getText(await probe(endless.url)), /“Without end”/);
    const stalling = await serve((_request, response) => {
      response.writeHead(200, PAGE).write('<title>Half of it</title>');
    });
    // The stall's time limit begins with the response, however late it arrives.
    assert.match(getText(await probe(stalling.url, { carrier: { timeouts: { idle: 100 } } })), /“Half of it”/);
  });

  it('waits no longer than its time limit, and stops when it’s canceled', async () => {
    const silent = await serve(() => undefined);
    const found = await probe(silent.url, { carrier: { timeouts: { headers: 100 } } });
    assert.equal(found.kind, 'nothing');
    assert.match(getText(found), /took too long|didn’t respond in time/);
    const asked = new AbortController();
    const cancelled = await serve(() => asked.abort());
    await captureFailure(CancelledError, probe(cancelled.url, { signal: asked.signal }));
    const stalling = await serve((_request, response) => void response.writeHead(401).write('{"error":'));
    const answered = new AbortController();
    const { signal } = answered;
    await captureFailure(CancelledError, probe(stalling.url, { signal, onExchange: () => answered.abort() }));
  });

  it('reports that the server is down, that its name is unknown, or that it doesn’t use HTTP', async () => {
    const refused = await probe(`http://127.0.0.1:${await freePort()}`);
    assert.equal(refused.kind, 'nothing');
    assert.match(getText(refused), /^Can’t reach 127\.0\.0\.1:\d+\. Check that the service is running/);
    const unknown = await probe('https://build.invalid');
    assert.equal(unknown.kind, 'nothing');
    assert.match(getText(unknown), /build\.invalid/);
    const raw = await serveRaw((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    assert.match(getText(await probe(raw.url)), /isn’t HTTP/);
  });

  it('reports a proxy or network that requires a sign-in, and a proxy that is down', async () => {
    const proxy = await startProxy({ authorization: 'Basic nobody' });
    addCleanup(() => proxy.close());
    const carrier = { proxyFor: () => Promise.resolve({ url: proxy.url }) };
    const found = await probe('https://build.example.com', { carrier });
    assert.equal(found.kind, 'proxySignIn');
    assert.match(getText(found), /requires a user name and password \(407\).*http\.proxyAuthorization/);
    for (const status of [407, 511]) {
      const network = await answering((response) => response.writeHead(status, PAGE).end('<title>Hotel</title>'));
      assert.equal(network.kind, 'proxySignIn');
      assert.match(getText(network), /Open any web page in a browser, sign in there/);
    }
    const down = { proxyFor: async () => ({ url: `http://127.0.0.1:${await freePort()}` }) };
    const nothing = await probe('https://build.example.com', { carrier: down });
    assert.equal(nothing.kind, 'nothing');
    assert.match(getText(nothing), /proxy 127\.0\.0\.1:\d+ isn’t responding/);
  });

  it('doesn’t follow a redirect to another server, but offers its address if it’s a service', async () => {
    const elsewhere = await serve((_request, response) => json(response, { error: 'Which collaborator?' }, 401));
    const at = (location: string) => answering((response) => response.writeHead(301, { location }).end());
    const moved = await at(`${elsewhere.url}/base/api/v1/me`);
    assert.equal(moved.kind, 'redirect');
    assert.equal('service' in moved && moved.service?.href, `${elsewhere.url}/base`);
    assert.match(getText(moved), /^This address redirects to another server, 127\.0\.0\.1:\d+\.$/);
    for (const location of [`${elsewhere.url}/portal?from=build`, 'http://portal.invalid/api/v1/me']) {
      const portal = await at(location);
      assert.equal(portal.kind, 'redirect');
      assert.equal('service' in portal && portal.service, undefined);
      assert.match(getText(portal), /Your network might require its own sign-in first/);
    }
    assert.deepEqual(elsewhere.received, []);
    assert.match(getText(await at('/api/v1/me')), /redirects in a loop/);
  });
});
