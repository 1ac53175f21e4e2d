import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import { BuildServiceClient } from '../../src/api/client.ts';
import { BuildServiceError } from '../../src/api/errors/buildServiceError.ts';
import { parseServiceUrl } from '../../src/api/serviceUrl.ts';
import { Transport } from '../../src/api/http/transport.ts';
import { Network } from '../../src/workbench/network.ts';
import { createAuthority, createCertificate } from '../support/certificates.ts';
import { startProxy, type ProxyServer } from '../support/proxyServer.ts';
import { cleanUp, json, serve } from '../support/servers.ts';
import { activated } from './support/extension.ts';
import { serviceAt } from './support/signingIn.ts';

const accessToken = 'sEcret-Access-Token';
const user = `Basic ${Buffer.from('ann:pr0xypass').toString('base64')}`;
/** Nobody but the proxies knows this name (RFC 6761 §6.2). */
const service = 'https://build.test';

const keys = [
  'proxy',
  'noProxy',
  'proxySupport',
  'proxyAuthorization',
  'proxyStrictSSL',
  'systemCertificates',
] as const;
type Settings = Partial<Record<(typeof keys)[number], unknown>>;

/**
 * Proxies by what is special about them; `proxy: 'open'` in a row stands for its URL. How a proxy fails, and which kinds and names
 * there are: test/unit/api/http/proxy.test.ts, test/unit/workbench/network.test.ts. What one connection does when they change
 * is a test of its own.
 */
type ProxyName = 'open' | 'locked' | 'lockedWithUser' | 'socks4';

interface Row {
  readonly title: string;
  readonly proxy?: ProxyName;
  readonly settings?: Settings;
  /** Calls a service at a loopback address, `build.test` by default. */
  readonly onThisMachine?: true;
  /** The test's own authority is not trusted. */
  readonly distrust?: boolean;
  /** `PROXY → what came of it`; `direct` for no proxy. */
  readonly expected: string;
}

const rows: readonly Row[] = [
  { title: 'the proxy is of an unknown kind', proxy: 'socks4', expected: 'refused → proxy unusable' },
  { title: 'https://127.0.0.1', proxy: 'open', onThisMachine: true, expected: 'direct → answered' },
  {
    title: 'unknown authority, proxyStrictSSL: false',
    proxy: 'open',
    distrust: true,
    settings: { proxyStrictSSL: false },
    expected: 'open → certificate unknownAuthority',
  },
];

describe('network', () => {
  const proxies: Partial<Record<string, ProxyServer>> = {};
  const urls: Partial<Record<ProxyName | 'onThisMachine', string>> = {};
  let authority = '';

  before(async () => {
    const issuer = await createAuthority();
    authority = issuer.cert;
    const certificate = await createCertificate({ issuer, hosts: ['build.test', '127.0.0.1'] });
    const { port, url } = await serve((_request, response) => json(response, { username: 'ann' }), certificate);
    const hosts = { 'build.test:443': port };
    proxies.open = await startProxy({ hosts });
    proxies.locked = await startProxy({ hosts, authorization: user });
    Object.assign(urls, {
      ...Object.fromEntries(Object.entries(proxies).map(([name, proxy]) => [name, proxy?.url])),
      lockedWithUser: proxies.locked.url.replace('//', '//ann:pr0xypass@'),
      socks4: proxies.open.url.replace('http:', 'socks4:'),
      onThisMachine: url,
    });
  });

  after(async () => {
    await apply({});
    await Promise.all(Object.values(proxies).map(async (proxy) => proxy?.close()));
    await cleanUp();
  });

  afterEach(() => {
    const heard = received().join('\n');
    assert.ok(!heard.includes(accessToken) && !heard.includes('/api/v1'), 'a proxy learned more than host and port');
    Object.values(proxies).forEach((proxy) => proxy?.received.splice(0));
  });

  const received = (): string[] => Object.values(proxies).flatMap((proxy) => proxy?.received ?? []);

  function connect(appRoot: string, url: string, distrust = false) {
    const lines: string[] = [];
    const log = { info: (line: string) => void lines.push(line), warn: (line: string) => void lines.push(line) };
    const network = new Network(log, appRoot);
    let asked = 0;
    const transport = new Transport({
      retries: { limit: 0 },
      proxyFor: network.proxyFor,
      authorities: async () => {
        asked += 1;
        const own = await network.authorities();
        return distrust ? own : [...(own ?? getCACertificates('default')), authority];
      },
    });
    const client = new BuildServiceClient({
      service: parseServiceUrl(url),
      credentials: { type: 'accessToken', accessToken },
      transport,
    });
    return { client, transport, network, lines, askedForAuthorities: () => asked };
  }

  /** Calls the service once and says which way it went and what came of it. */
  async function outcome({ client, network }: ReturnType<typeof connect>, url: string): Promise<string> {
    const way = await network.proxyFor(new URL(url).origin).then(
      (proxy) => (proxy === undefined ? 'direct' : nameOf(proxy.url)),
      () => 'refused',
    );
    const result = await client.me().then(
      () => 'answered',
      (error: unknown) => {
        assert.ok(error instanceof BuildServiceError);
        assert.ok(!error.message.includes('pr0xypass'));
        const detail = 'failure' in error ? error.failure : 'fault' in error ? error.fault : '';
        return `${error.kind} ${String(detail)}`;
      },
    );
    if (way === 'direct') {
      assert.deepEqual(received(), [], 'a proxy was asked');
    }
    return `${way} → ${result}`;
  }

  function nameOf(url: string): string {
    const port = new URL(url).port;
    return (['open', 'locked'] as const).find((name) => new URL(urls[name] ?? '').port === port) ?? url;
  }

  for (const [resolver, appRoot] of [
    ["VS Code's resolver", vscode.env.appRoot],
    ['the settings alone', '/nowhere'],
  ] as const) {
    describe(resolver, () => {
      for (const { title, proxy, settings, onThisMachine, distrust, expected } of rows) {
        it(title, async () => {
          await apply({ ...settings, ...(proxy && { proxy: urls[proxy] }) });
          const url = (onThisMachine && urls.onThisMachine) ?? service;
          const connection = connect(appRoot, url, distrust);
          const actual = await outcome(connection, url);
          await connection.transport.dispose();
          assert.equal(actual, expected);
          assert.equal(connection.askedForAuthorities() > 0, !expected.endsWith('unusable'));
        });
      }

      it('the settings change while it runs', async () => {
        const connection = connect(appRoot, service);
        const outcomes: string[] = [];
        for (const settings of [
          { proxy: urls.open },
          { proxy: urls.locked },
          { proxy: urls.locked, proxyAuthorization: user },
          { proxy: urls.lockedWithUser, proxySupport: 'off' },
          { proxy: urls.lockedWithUser },
          { proxy: urls.open, noProxy: ['build.test'] },
        ]) {
          Object.values(proxies).forEach((proxy) => proxy?.received.splice(0));
          await apply(settings);
          outcomes.push(await outcome(connection, service));
        }
        await connection.transport.dispose();
        assert.deepEqual(outcomes, [
          'open → answered',
          'locked → proxy authentication',
          'locked → answered',
          'direct → network dns',
          'locked → answered',
          'direct → network dns',
        ]);
        const host = (name: ProxyName): string => new URL(urls[name] ?? '').host;
        assert.deepEqual(connection.lines, [
          `${service}: proxy ${host('open')}`,
          `${service}: proxy ${host('locked')}`,
          `${service}: no proxy`,
          `${service}: proxy ${host('locked')}`,
          `${service}: no proxy`,
        ]);
      });
    });
  }

  for (const folder of ['node_modules.asar', 'node_modules.asar.unpacked']) {
    it(`a resolver in ${folder} is asked with the origin only; when it fails, the settings decide`, async () => {
      await apply({ proxy: urls.open });
      const appRoot = await mkdtemp(path.join(tmpdir(), 'app-build-root-'));
      try {
        await mkdir(path.join(appRoot, folder, '@vscode', 'proxy-agent'), { recursive: true });
        await writeFile(
          path.join(appRoot, folder, '@vscode', 'proxy-agent', 'index.js'),
          `exports.resolveProxyURL = async (url) => { if (url !== '${service}') throw new Error('ann:pr0xypass'); return 'http://found.test:1'; };
           exports.loadSystemCertificates = async () => { throw new Error(); };`,
        );
        const { network, lines } = connect(appRoot, service);
        assert.deepEqual(await network.proxyFor(service), { url: 'http://found.test:1' });
        assert.deepEqual(await network.proxyFor('https://other.test'), { url: urls.open });
        assert.ok(((await network.authorities()) ?? []).length > 0);
        assert.equal(lines.length, 4);
        assert.ok(!lines.join().includes('pr0xypass'));
      } finally {
        await rm(appRoot, { recursive: true });
      }
    });
  }

  it('trusts what Node and the system trust', async () => {
    await apply({});
    for (const appRoot of [vscode.env.appRoot, '/nowhere']) {
      const authorities = await connect(appRoot, service).network.authorities();
      const trusted = new Set(authorities);
      assert.ok(getCACertificates('default').every((certificate) => trusted.has(certificate)));
    }
    await apply({ systemCertificates: false });
    assert.equal(await connect(vscode.env.appRoot, service).network.authorities(), undefined);
  });

  it('the extension itself goes through the proxy', async () => {
    const { connections } = await activated();
    await apply({ proxy: urls.open });
    const client = await connections.anonymousClient({ ...serviceAt(service), local: false });
    await assert.rejects(client.me(), { kind: 'certificate', fault: 'unknownAuthority' });
    assert.match(received().join('\n'), /^CONNECT build\.test:443\n/);
  });
});

/** Makes these the person's settings below `http.`; what is not named is removed. */
async function apply(settings: Settings): Promise<void> {
  for (const key of keys) {
    const configuration = vscode.workspace.getConfiguration('http');
    if (configuration.inspect(key)?.globalValue !== settings[key]) {
      await configuration.update(key, settings[key], vscode.ConfigurationTarget.Global);
    }
  }
}
