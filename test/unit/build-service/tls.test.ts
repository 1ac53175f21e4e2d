import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';

import { createCertificate, readCertificate } from '../../../src/build-service/tls.ts';
import { createAuthority } from '../../support/certificates.ts';
import { hiddenFields } from '../../support/consent.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { call, form, member, parseAnswer, type Answer, type Call } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import type { Certificate } from '../../../src/android-package/index.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('local service: TLS', () => {
  let certificate: Certificate;
  let service: InProcessService;
  let port: number;
  let folder: string;
  useFolderForEachTest((made) => (folder = made));
  before(async () => {
    certificate = await createCertificate(Date.now());
    service = await startInProcess({ certificate });
    port = Number(new URL(service.baseUrl).port);
  });
  after(async () => {
    await service.stop();
    assert.deepEqual(service.reports, []);
  });

  const ask = (path: string, options: Call = {}): Promise<Answer> =>
    call(service.baseUrl, path, { ca: certificate.cert, ...options });

  it('creates a new certificate for this computer’s names each time, valid for a month', async () => {
    const now = Date.UTC(2026, 6, 1);
    const [first, second] = await Promise.all([createCertificate(now), createCertificate(now)]);
    const { subjectAltName, validFrom, validTo, ca } = new X509Certificate(first.cert);
    assert.equal(subjectAltName, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    assert.equal(new Date(validFrom).getTime(), now - DAY_MS);
    assert.equal(new Date(validTo).getTime(), now + 30 * DAY_MS);
    assert.equal(ca, false);
    assert.notEqual(first.key, second.key);
    assert.notEqual(new X509Certificate(first.cert).serialNumber, new X509Certificate(second.cert).serialNumber);
  });

  it('returns URLs with the origin of the request', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const answer = await ask(`/api/v1/apps/1001/android?auth_token=${service.authToken}`, {
        headers: { Host: `${name}:${port}` },
      });
      assert.equal(answer.status, 302);
      assert.equal(member(answer.json, 'location'), answer.headers.location);
      assert.equal(new URL(String(answer.headers.location)).origin, `https://${name}:${port}`);
    }
  });

  it('rejects a request line that names the same host without TLS, or another host', async () => {
    for (const [target, status] of [
      [`https://127.0.0.1:${port}/sign-in`, 200],
      [`http://127.0.0.1:${port}/sign-in`, 421],
      [`https://evil.example:${port}/sign-in`, 421],
    ] as const) {
      const socket = connectTls({ port, host: '127.0.0.1', ca: certificate.cert });
      socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
      assert.equal(parseAnswer(await text(socket)).status, status, target);
    }
  });

  it('accepts the sign-in form only from its own origin, and sets a cookie that is never sent without TLS', async () => {
    const page = await ask('/sign-in');
    const [cookie = ''] = page.headers['set-cookie'] ?? [];
    assert.match(cookie, new RegExp(`^__Host-app_build_session_${port}=[0-9a-f]{40};`));
    assert.match(cookie, /; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const { username, password } = service;
    const sent = form({ ...hiddenFields(page.text, '/sign-in'), username, password });
    const submit = (origin: string): Promise<Answer> =>
      ask('/sign-in', { ...sent, headers: { ...sent.headers, Cookie: cookie.split(';', 1)[0] ?? '', Origin: origin } });
    assert.equal((await submit(`http://127.0.0.1:${port}`)).status, 403);
    const answer = await submit(service.baseUrl);
    assert.equal(answer.status, 303);
    const [signedIn = ''] = answer.headers['set-cookie'] ?? [];
    const account = await ask('/account', { headers: { Cookie: signedIn.split(';', 1)[0] ?? '' } });
    assert.equal(account.status, 200);
    // A page without TLS at the same host could set a name without the prefix.
    const planted = (signedIn.split(';', 1)[0] ?? '').replace('__Host-', '');
    assert.equal((await ask('/account', { headers: { Cookie: planted } })).status, 303);
  });

  it('ends handshakes and requests that take too long', async () => {
    const impatient = await startInProcess({ certificate, limits: { headersTimeoutMs: 300, requestTimeoutMs: 300 } });
    const address = { port: Number(new URL(impatient.baseUrl).port), host: '127.0.0.1' };
    assert.equal(await text(connect(address)), '');
    // On a busy computer, the handshake alone may take too long.
    const answer = await waitUntil(async () => {
      const slow = connectTls({ ...address, ca: certificate.cert });
      slow.write('GET /sign-in HTT');
      return (await text(slow).catch(() => '')) || false;
    });
    assert.equal(parseAnswer(answer).status, 408);
    await impatient.stop();
    assert.deepEqual(impatient.reports, []);
  });

  it('reports unreadable files, invalid certificates or keys, and a key that doesn’t match the certificate', async () => {
    const write = async (name: string, content: string): Promise<string> => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const other = await createAuthority();
    const [cert, key, otherKey] = [
      await write('cert.pem', certificate.cert),
      await write('key.pem', certificate.key),
      await write('other.pem', other.key),
    ];
    const noPem = await write('none.pem', 'secret text');
    const missing = join(folder, 'missing.pem');
    for (const [certFile, keyFile, message] of [
      [missing, key, `--cert: ${missing} can’t be read (ENOENT).`],
      [cert, missing, `--key: ${missing} can’t be read (ENOENT).`],
      [cert, folder, `--key: ${folder} can’t be read (EISDIR).`],
      ...[
        [noPem, key],
        [cert, noPem],
        [cert, otherKey],
      ].map(([certFile = '', keyFile = '']): [string, string, string] => [
        certFile,
        keyFile,
        `--cert and --key: ${certFile} must contain a certificate, and ${keyFile} must contain its private key without a passphrase, both in PEM format.`,
      ]),
    ] as const) {
      await assert.rejects(readCertificate(certFile, keyFile), { name: 'StartError', message });
    }
    assert.deepEqual(await readCertificate(cert, key), certificate);
  });
});

describe('local service: TLS of the program', () => {
  let folder: string;
  const services: LocalService[] = [];
  afterEach(() => Promise.all(services.map((service) => service.stop('SIGKILL'))));
  useFolderForEachTest((made) => (folder = made));
  const start = async (...args: string[]): Promise<LocalService> => {
    const service = await startLocalService({ dataFolder: join(folder, 'data'), args });
    services.push(service);
    return service;
  };
  const status = async ({ baseUrl, authToken, certificate }: LocalService): Promise<number> =>
    (await call(baseUrl, `/api/v1/me?auth_token=${authToken}`, { ca: certificate ?? undefined })).status;

  it('ends open connections when it stops, keeps its address after a restart, and uses certificate files', async () => {
    const first = await start('--https');
    assert.match(first.baseUrl, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await status(first), 200);
    assert.ok(!first.certificate?.includes('PRIVATE'));
    const second = await start('--https');
    assert.equal(second.baseUrl, first.baseUrl);
    assert.equal(await second.ended, 0);
    const withoutHandshake = connect(Number(new URL(first.baseUrl).port), '127.0.0.1');
    await once(withoutHandshake, 'connect');
    const closed = once(withoutHandshake.resume(), 'close');
    assert.equal(await first.stop(), 0);
    await closed;

    const certificate = await createCertificate(Date.now());
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    await Promise.all([writeFile(files.cert, certificate.cert), writeFile(files.key, certificate.key)]);
    const again = await start('--https', '--cert', files.cert, '--key', files.key);
    assert.deepEqual([again.baseUrl, again.certificate], [first.baseUrl, certificate.cert]);
    assert.equal(await status(again), 200);
    // Four programs run one after the other.
  }).timeout(60_000);
});
