import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getCACertificates } from 'node:tls';
import * as vscode from 'vscode';
import { BuildServiceClient, parseServiceUrl, Transport } from '../../src/service-client/index.ts';
import { BuildServiceError } from '../../src/errors/index.ts';
import { Network } from '../../src/extension/workbench/network.ts';
import { createAuthority, createCertificate } from '../support/certificates.ts';
import { startProxy, type ProxyServer } from '../support/proxyServer.ts';
import { cleanUp, json, serve } from '../support/servers.ts';
import { activated } from './support/extension.ts';
import { serviceAt } from './support/signingIn.ts';

const accessToken = 'sEcret-Access-Token';
const user = `Basic ${Buffer.from('ann:pr0xypass').toString('base64')}`;
/** Only the proxies know this name (RFC 6761 §6.2). */
const service = 'https://build.test';

const keys = ['proxy', 'noProxy', 'proxySupport', 'proxyAuthorization', 'proxyStrictSSL', 'systemCertificates'];
type Settings = Readonly<Record<string, unknown>>;

/** `proxy.test.ts` in service-client and `network.test.ts` in workbench test the kinds, names, and failures of proxies. */
describe('network', () => {
  const proxies: Partial<Record<string, ProxyServer>> = {};
  /** URLs of a proxy in each form that settings accept, and of the service at a loopback address. */
  let urls: Readonly<Record<'open' | 'locked' | 'lockedWithUser' | 'socks4' | 'onThisMachine', string>>;
  let authority = '';

  before(async () => {
    const issuer = await createAuthority();
    authority = issuer.cert;
    const certificate = await createCertificate({ issuer, hosts: ['build.test', '127.0.0.1'] });
    const { port, url } = await serve((_request, response) => json(response, { username: 'ann' }), certificate);
    const hosts = { 'build.test:443': port };
    proxies.open = await startProxy({ hosts });
    proxies.locked = await startProxy({ hosts, authorization: user });
    urls = {
      open: proxies.open.url,
      locked: proxies.locked.url,
      lockedWithUser: proxies.locked.url.replace('//', '//ann:pr0xypass@'),
      socks4: proxies.open.url.replace('http:', 'socks4:'),
      onThisMachine: url,
    };
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

  /** Calls the service once, and returns the route and the result. */
  async function outcome({ client, network }: ReturnType<typeof connect>, url: string): Promise<string> {
    const way = await network.proxyFor(new URL(url).origin).then(
      (proxy) => (proxy === undefined ? 'direct' : getName(proxy.url)),
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

  function getName(url: string): string {
    const port = new URL(url).port;
    return (['open', 'locked'] as const).find((name) => new URL(urls[name]).port === port) ?? url;
  }

  for (const [resolver, appRoot] of [
    ["VS Code's resolver", vscode.env.appRoot],
    ['only the settings', '/nowhere'],
  ] as const) {
    describe(resolver, () => {
      for (const [title, settings, url, distrust, expected] of [
        [
          'rejects a proxy of an unknown kind',
          () => ({ proxy: urls.socks4 }),
          () => service,
          false,
          'refused → proxy unusable',
        ],
        [
          'reaches this computer directly',
          () => ({ proxy: urls.open }),
          () => urls.onThisMachine,
          false,
          'direct → answered',
        ],
        [
          'checks certificates even with proxyStrictSSL: false',
          () => ({ proxy: urls.open, proxyStrictSSL: false }),
          () => service,
          true,
          'open → certificate unknownAuthority',
        ],
      ] as const) {
        it(title, async () => {
          await apply(settings());
          const connection = connect(appRoot, url(), distrust);
          const actual = await outcome(connection, url());
          await connection.transport.dispose();
          assert.equal(actual, expected);
          assert.equal(connection.askedForAuthorities() > 0, !expected.endsWith('unusable'));
        });
      }

      it('applies changed settings without a restart', async () => {
        const connection = connect(appRoot, service);
        for (const [settings, expected] of [
          [{ proxy: urls.open }, 'open → answered'],
          [{ proxy: urls.locked }, 'locked → proxy authentication'],
          [{ proxy: urls.locked, proxyAuthorization: user }, 'locked → answered'],
          [{ proxy: urls.lockedWithUser, proxySupport: 'off' }, 'direct → network dns'],
          [{ proxy: urls.lockedWithUser }, 'locked → answered'],
          [{ proxy: urls.open, noProxy: ['build.test'] }, 'direct → network dns'],
        ] as const) {
          Object.values(proxies).forEach((proxy) => proxy?.received.splice(0));
          await apply(settings);
          assert.equal(await outcome(connection, service), expected);
        }
        await connection.transport.dispose();
        const host = (name: 'open' | 'locked'): string => new URL(urls[name]).host;
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
    it(`asks a resolver in ${folder} with the origin only, and uses the settings if it fails`, async () => {
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

  it('trusts the certificates that Node and the system trust', async () => {
    await apply({});
    for (const appRoot of [vscode.env.appRoot, '/nowhere']) {
      const authorities = await connect(appRoot, service).network.authorities();
      const trusted = new Set(authorities);
      assert.ok(getCACertificates('default').every((certificate) => trusted.has(certificate)));
    }
    await apply({ systemCertificates: false });
    assert.equal(await connect(vscode.env.appRoot, service).network.authorities(), undefined);
  });

  it('sends the extension’s own requests through the proxy', async () => {
    const { connections } = await activated();
    await apply({ proxy: urls.open });
    const client = await connections.anonymousClient({ ...serviceAt(service), local: false });
    await assert.rejects(client.me(), { kind: 'certificate', fault: 'unknownAuthority' });
    assert.match(received().join('\n'), /^CONNECT build\.test:443\n/);
  });
});

/** Sets the user's settings under `http.`, and removes all others. */
async function apply(settings: Settings): Promise<void> {
  for (const key of keys) {
    const configuration = vscode.workspace.getConfiguration('http');
    if (configuration.inspect(key)?.globalValue !== settings[key]) {
      await configuration.update(key, settings[key], vscode.ConfigurationTarget.Global);
    }
  }
}
