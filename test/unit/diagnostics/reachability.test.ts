import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { ProxyError } from '../../../src/api/errors/proxyError.ts';
import { Redactor } from '../../../src/api/redaction.ts';
import { probeService } from '../../../src/api/serviceProbe.ts';
import { parseServiceUrl } from '../../../src/api/serviceUrl.ts';
import type { Proxy } from '../../../src/api/http/transport.ts';
import { rangeOf } from '../../../src/diagnostics/connectionSteps.ts';
import { stepsTowards, type Route } from '../../../src/diagnostics/reachability.ts';
import { createAuthority, createCertificate, DAY_MS, type CertificateDetails } from '../../support/certificates.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { startProxy, type ProxyOptions } from '../../support/proxyServer.ts';
import { addCleanup, cleanUp, freePort, json, serve, serveRaw, transport } from '../../support/servers.ts';

const authority = await createAuthority({ name: 'ACME Internal CA' });
/** Nobody but the proxies knows this name (RFC 6761 §6.2). */
const HOST = 'build.test';
/** The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;
const UNKNOWN_NAME = 'no-such-name.invalid';
const SIGN_IN = `Basic ${Buffer.from('annika:pr0xypass').toString('base64')}`;

interface Way {
  readonly proxy?: Proxy;
  readonly proxyFailure?: Error;
  readonly proxyFor?: Route['proxyFor'];
  readonly isTrusted?: boolean;
  readonly signal?: AbortSignal;
  /** Of a step, in milliseconds. */
  readonly timeout?: number;
  /** What asks the service; a real request when absent. */
  readonly probe?: Route['probe'];
}

/** `name: result` for each step towards a service. */
async function results(url: string, { proxy, proxyFailure, isTrusted = true, ...way }: Way = {}) {
  const proxyFor = () => (proxyFailure === undefined ? Promise.resolve(proxy) : Promise.reject(proxyFailure));
  const authorities = () => Promise.resolve(isTrusted ? [authority.cert] : undefined);
  const carrier = transport({ proxyFor, authorities, retries: { limit: 0 } });
  const steps = await stepsTowards(
    {
      service: parseServiceUrl(url),
      proxyFor,
      authorities,
      probe: (service, signal) => probeService(service, { transport: carrier, redactor: new Redactor(), signal }),
      ...way,
    },
    way.signal ?? new AbortController().signal,
    { step: way.timeout ?? NEVER_MS, total: NEVER_MS },
  );
  for (const { name, result, milliseconds } of steps) {
    assert.ok(milliseconds === undefined ? result.startsWith('not ') : milliseconds >= 0, name);
    assert.ok(!/127\.0\.0\.1|\[|:\d|\.test|\.invalid|ACME|annika|pr0xy/.test(result), `${result} identifies somebody`);
  }
  return steps.map(({ name, result }) => `${name}: ${result}`);
}

async function secureService(details: CertificateDetails = { issuer: authority }) {
  return serve(
    (_request, response) => json(response, { error: 'not signed in' }, 401),
    await createCertificate(details),
  );
}

async function proxyTo(port: number, options: Partial<ProxyOptions> = {}) {
  const proxy = await startProxy({ hosts: { [`${HOST}:443`]: port }, ...options });
  addCleanup(() => proxy.close());
  return proxy;
}

const ADDRESS = 'Name: no name but an address: loopback';
const DIRECT = 'Proxy: none, a direct connection';
const PLAIN = 'TLS: not used: plain HTTP, for this machine only';
const OWN_AUTHORITY = /^TLS: TLSv1\.[23], certificate of an authority that only this computer knows/;

describe('the steps towards a service', () => {
  afterEach(cleanUp);

  it('the local service', async () => {
    const service = await startInProcess();
    addCleanup(service.stop);
    assert.deepEqual(await results(service.baseUrl), [
      ADDRESS,
      DIRECT,
      'Connection: made',
      PLAIN,
      'First answer: a build service',
    ]);
  });

  it('nothing listens there', async () => {
    assert.deepEqual(await results(`http://127.0.0.1:${await freePort()}`), [
      ADDRESS,
      DIRECT,
      'Connection: refused: nothing listens there',
      'First answer: network refused',
    ]);
  });

  it('a name that does not exist', async () => {
    assert.deepEqual(
      (await results(`https://${UNKNOWN_NAME}`)).map((step) => step.replace(/(not found).*/, '$1')),
      ['Name: not found', DIRECT, 'Connection: not found', 'First answer: network dns'],
    );
  });

  it('the name of this machine', async () => {
    const { port } = await serve((_request, response) => json(response, { error: 'no' }, 401));
    const [name, ...rest] = await results(`http://localhost:${port}`);
    assert.match(name ?? '', /^Name: loopback \([01] IPv4, [01] IPv6\)$/);
    assert.deepEqual(rest, [DIRECT, 'Connection: made', PLAIN, 'First answer: a build service']);
  });

  it('a web page, another service, a redirect', async () => {
    const answers: Record<string, [number, Record<string, string>, string]> = {
      'a web page (status 200)': [200, { 'content-type': 'text/html' }, '<title>ACME Intranet</title>'],
      'another service, or one that cannot answer (status 503)': [503, {}, '{"error":"ACME is closed"}'],
      'redirect elsewhere': [302, { location: 'https://build.test/' }, ''],
    };
    for (const [expected, [status, headers, body]] of Object.entries(answers)) {
      const { url } = await serve((_request, response) => response.writeHead(status, headers).end(body));
      assert.equal((await results(url)).at(-1), `First answer: ${expected}`);
    }
  });

  it('TLS that is trusted, and by whose word', async () => {
    const { url, received } = await secureService();
    const steps = await results(url);
    assert.match(steps[3] ?? '', OWN_AUTHORITY);
    assert.deepEqual(steps.toSpliced(3, 1), [ADDRESS, DIRECT, 'Connection: made', 'First answer: a build service']);
    assert.equal(received.length, 1, 'one request is enough');
    assert.doesNotMatch(received.join(), /authorization|_token/i);
  });

  it('TLS that is not trusted, and why', async () => {
    const before = (days: number) => new Date(Date.now() - days * DAY_MS);
    const cases: readonly (readonly [string, string, CertificateDetails, Way?])[] = [
      ['self-signed', 'selfSigned', {}],
      ['the authority is not known to this computer', 'unknownAuthority', { issuer: authority }, { isTrusted: false }],
      ['expired', 'expired', { issuer: authority, notBefore: before(2), notAfter: before(1) }],
      ['not valid yet', 'notYetValid', { issuer: authority, notBefore: before(-1), notAfter: before(-2) }],
      ['it is for another host name', 'wrongHost', { issuer: authority, hosts: [HOST] }],
    ];
    for (const [words, fault, details, way] of cases) {
      const { url, received } = await secureService(details);
      assert.deepEqual((await results(url, way)).slice(3), [
        `TLS: not trusted: ${words}`,
        `First answer: certificate ${fault}`,
      ]);
      assert.deepEqual(received, []);
    }
    const { port } = await serveRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    assert.deepEqual((await results(`https://127.0.0.1:${port}`)).slice(3), [
      'TLS: not trusted: what answers does not speak TLS',
      'First answer: certificate plainHttp',
    ]);
  });

  it('a proxy', async () => {
    const { port } = await secureService({ issuer: authority, hosts: [HOST] });
    const { url } = await proxyTo(port);
    const [name, proxy, connection, tunnel, tls, answer] = await results(`https://${HOST}`, { proxy: { url } });
    assert.match(name ?? '', /^Name: not found/);
    assert.deepEqual(
      [proxy, connection, tunnel, answer],
      [
        'Proxy: http proxy, without a sign-in',
        'Connection to the proxy: made',
        'Tunnel through the proxy: open',
        'First answer: a build service',
      ],
    );
    assert.match(tls ?? '', OWN_AUTHORITY);
  });

  it('a proxy that is reached over TLS, with a user in its address', async () => {
    const { port } = await secureService({ issuer: authority, hosts: [HOST] });
    const proxy = await proxyTo(port, {
      authorization: SIGN_IN,
      tls: await createCertificate({ issuer: authority, hosts: ['localhost'] }),
    });
    const url = proxy.url.replace('//', '//annika:pr0xypass@');
    const steps = (await results(`https://${HOST}`, { proxy: { url } })).slice(1);
    assert.deepEqual(
      steps.map((step) => step.replace(/: TLSv1\.\d.*/, '')),
      [
        'Proxy: https proxy, with a sign-in',
        'Connection to the proxy: made',
        'TLS with the proxy',
        'Tunnel through the proxy: open',
        'TLS',
        'First answer: a build service',
      ],
    );
  });

  it('a proxy that asks for a sign-in, refuses, is down, or is none', async () => {
    const { port } = await secureService({ issuer: authority, hosts: [HOST] });
    const locked = await proxyTo(port, { authorization: SIGN_IN });
    const forbidding = await proxyTo(port, { status: 403 });
    const gone = `http://127.0.0.1:${await freePort()}`;
    const other = await serveRaw((socket) => socket.end('220 ready\r\n\r\n'));
    const cases: readonly (readonly [Proxy, string, string])[] = [
      [{ url: locked.url }, 'Tunnel through the proxy: the proxy asks for a sign-in (407), and none is set', '407'],
      [
        { url: locked.url, authorization: 'Basic eDp5' },
        'Tunnel through the proxy: the proxy does not accept the sign-in that is set (407)',
        '407',
      ],
      [
        { url: locked.url, authorization: `${SIGN_IN}\r\nx: y` },
        'Tunnel through the proxy: the sign-in that is set for the proxy has characters that cannot be sent',
        '',
      ],
      [
        { url: forbidding.url },
        'Tunnel through the proxy: the proxy does not connect to the service (403)',
        'proxy refused',
      ],
      [{ url: gone }, 'Connection to the proxy: refused: nothing listens there', 'proxy down'],
      [{ url: other.url }, 'Tunnel through the proxy: the proxy does not answer as a proxy does', ''],
    ];
    for (const [proxy, last, answer] of cases) {
      const steps = await results(`https://${HOST}`, { proxy });
      assert.equal(steps.at(-2), last);
      assert.ok(steps.at(-1)?.includes(answer), steps.at(-1));
    }
    assert.ok(!locked.received.join().includes('"x":'), 'a header of its own');
  });

  it('a SOCKS proxy is not looked through; a proxy that cannot be used ends the way', async () => {
    const { port } = await serveRaw(() => undefined);
    const url = `socks5://127.0.0.1:${port}`;
    const probe = () => Promise.resolve({ kind: 'service' } as const);
    const steps = await results(`https://${HOST}`, { proxy: { url }, probe });
    assert.deepEqual(steps.slice(1, 4), [
      'Proxy: socks5 proxy, without a sign-in',
      'Connection to the proxy: made',
      'TLS: not tried through a SOCKS proxy: the first answer tells',
    ]);
    const unusable = await results(`https://${HOST}`, { proxyFailure: new ProxyError('unusable', 'acme.test') });
    assert.deepEqual(unusable.slice(1), ['Proxy: proxy unusable', 'First answer: proxy unusable']);
  });

  it('a step that does not answer ends after its time', async () => {
    const never = () => new Promise<never>(() => undefined);
    assert.deepEqual(await results('https://127.0.0.1', { proxyFor: never, probe: never, timeout: 50 }), [
      ADDRESS,
      'Proxy: no answer in time',
      'First answer: no answer in time',
    ]);
  });

  it('what does not answer ends with the report', async () => {
    /** A server that says nothing, and a signal that aborts once both connections have sent something. */
    const silent = async () => {
      const report = new AbortController();
      const connections = new Set<Socket>();
      const { port } = await serveRaw((socket) => {
        if (connections.add(socket).size === 2) {
          report.abort();
        }
      });
      return { host: `127.0.0.1:${port}`, signal: report.signal };
    };
    const service = await silent();
    assert.deepEqual(await results(`https://${service.host}`, service), [
      ADDRESS,
      DIRECT,
      'Connection: made',
      'TLS: no answer in time',
      'First answer: no answer in time',
    ]);
    const { host, signal } = await silent();
    const throughProxy = await results(`https://${HOST}`, { proxy: { url: `http://${host}` }, signal });
    assert.equal(throughProxy.at(-2), 'Tunnel through the proxy: no answer in time');
    assert.match(
      (await results(`https://${host}`, { signal: AbortSignal.abort() })).at(-1) ?? '',
      /no answer in time$/,
    );
  });

  it('knows which network an address belongs to', () => {
    const ranges = {
      loopback: ['127.0.0.1', '127.9.9.9', '::1'],
      private: [
        '10.1.2.3',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.0.1',
        '169.254.1.1',
        '100.64.0.1',
        'fd00::1',
        'fe80::1',
      ],
      public: ['8.8.8.8', '172.32.0.1', '192.169.0.1', '100.128.0.1', '2606:4700::1'],
    };
    for (const [range, addresses] of Object.entries(ranges)) {
      for (const address of addresses) {
        assert.equal(rangeOf(address), range, address);
      }
    }
  });
});
