import assert from 'node:assert/strict';
import dns from 'node:dns';
import { mock } from 'node:test';

import { BuildServiceError, formatSentence } from '../../../../src/errors/index.ts';
import {
  CertificateError,
  NetworkError,
  type CertificateFault,
} from '../../../../src/service-client/errors/connectionErrors.ts';
import { toBuildServiceError } from '../../../../src/service-client/http/failures.ts';
import type { ProxyServer } from '../../../../src/service-client/http/transport.ts';
import { createAuthority, createCertificate, type CertificateDetails } from '../../../support/certificates.ts';
import { cleanUp, createClient, captureFailure, json, serve } from '../../../support/servers.ts';

const day = 24 * 60 * 60 * 1000;
const authority = await createAuthority();
const middle = await createAuthority({ name: 'Middle', issuer: authority });
const ago = (days: number): Date => new Date(Date.now() - days * day);
const trusting = { carrier: { authorities: () => Promise.resolve([authority.cert]) } };

describe('a TLS connection', () => {
  afterEach(async () => {
    mock.restoreAll();
    await cleanUp();
  });

  const faults: readonly (readonly [CertificateFault, object, CertificateDetails, RegExp])[] = [
    ['selfSigned', {}, {}, /self-signed/],
    ['unknownAuthority', {}, { issuer: authority }, /authority that this computer doesn’t trust/],
    ['expired', trusting, { issuer: authority, notBefore: ago(2), notAfter: ago(1) }, /has expired/],
    ['notYetValid', trusting, { issuer: authority, notBefore: ago(-1), notAfter: ago(-2) }, /isn’t valid yet/],
    ['wrongHost', trusting, { issuer: authority, hosts: ['other.example'] }, /another host name/],
  ];
  for (const [fault, options, details, sentence] of faults) {
    it(`explains the certificate problem “${fault}”`, async () => {
      const server = await serve((_request, response) => json(response, {}), await createCertificate(details));
      const error = await captureFailure(CertificateError, createClient(server, options).me());
      assert.equal(error.fault, fault);
      assert.match(error.message, sentence);
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${server.port}`));
      assert.ok(error.next !== undefined && formatSentence(error.next) !== '');
      assert.deepEqual(server.received, []);
    });
  }

  for (const [what, details, server, expected] of [
    ['an incomplete certificate chain', { issuer: middle }, {}, /unknownAuthority/],
    ['an insecure TLS version', { issuer: authority }, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }, /other/],
    // In TLS 1.3, the alert races with the end of the connection (RFC 8446 §4.4.2.4).
    [
      'a server that requires a client certificate',
      { issuer: authority },
      { requestCert: true, rejectUnauthorized: true },
      /other|reset/,
    ],
  ] as const) {
    it(`rejects ${what}`, async () => {
      const tls = { ...(await createCertificate(details)), ...server };
      const { url, received } = await serve((_request, response) => json(response, {}), tls);
      const error = await captureFailure(
        BuildServiceError,
        createClient({ url }, { carrier: { ...trusting.carrier, retries: { limit: 0 } } }).me(),
      );
      assert.match(
        error instanceof CertificateError ? error.fault : error instanceof NetworkError ? error.failure : '',
        expected,
      );
      assert.deepEqual(received, []);
    });
  }

  it('connects to the IPv6 loopback under a path prefix', async () => {
    const certificate = await createCertificate({ issuer: authority, hosts: ['::1'] });
    const server = await serve((_request, response) => json(response, { username: 'ann' }), certificate, '::1');
    assert.match(server.url, /^https:\/\/\[::1\]:/);
    assert.equal((await createClient({ url: `${server.url}/build/` }, trusting).currentUser()).username, 'ann');
    assert.match(server.received[0] ?? '', /^GET \/build\/api\/v1\/me\?/);
  });

  for (const [name, dead] of [
    ['refuses connections', { address: '::1', family: 6 }],
    // TEST-NET-1 (RFC 5737) isn't routed.
    ['does not respond', { address: '192.0.2.1', family: 4 }],
  ] as const) {
    it(`reaches a host whose first address ${name}`, async () => {
      const certificate = await createCertificate({ issuer: authority, hosts: ['build.test'] });
      const server = await serve((_request, response) => json(response, { username: 'ann' }), certificate);
      const answer = (
        _host: string,
        _options: unknown,
        callback: (error: null, addresses: readonly dns.LookupAddress[]) => void,
      ): void => callback(null, [dead, { address: '127.0.0.1', family: 4 }]);
      const lookup = mock.method(dns, 'lookup', answer);
      assert.equal(
        (await createClient({ url: `https://build.test:${server.port}` }, trusting).currentUser()).username,
        'ann',
      );
      assert.equal(lookup.mock.callCount(), 1);
    });
  }

  it('reads the certificate authorities again after a failure', async () => {
    let asked = 0;
    const server = await serve(
      (_request, response) => json(response, { username: 'ann' }),
      await createCertificate({ issuer: authority }),
    );
    const client = createClient(server, {
      carrier: {
        authorities: () => {
          asked += 1;
          return asked === 1 ? Promise.reject(new Error('no store')) : Promise.resolve([authority.cert]);
        },
      },
    });
    await assert.rejects(client.me());
    assert.equal((await client.currentUser()).username, 'ann');
  });

  it('needs certificate authorities only for TLS, including a TLS proxy', async () => {
    const server = await serve((_request, response) => json(response, { username: 'ann' }));
    const proxy = await serve(
      (_request, response) => json(response, { username: 'bea' }),
      await createCertificate({ issuer: authority }),
    );
    let asked = 0;
    const authorities = () => {
      asked += 1;
      return Promise.resolve([authority.cert]);
    };
    const proxies: ProxyServer[] = [];
    const proxyFor = () => Promise.resolve(proxies[0]);
    const client = createClient(server, { carrier: { authorities, proxyFor } });
    assert.equal((await client.currentUser()).username, 'ann');
    assert.equal(asked, 0);
    proxies.push(proxy);
    assert.equal((await client.currentUser()).username, 'bea');
    proxies[0] = { url: proxy.url, authorization: 'Basic dTpw' };
    assert.equal((await client.currentUser()).username, 'bea');
    assert.equal(asked, 1);
  });

  it('distinguishes TLS errors from other errors', () => {
    for (const [code, message, fault] of [
      ['ECONNRESET', '', undefined],
      ['ERR_SSL_WRONG_VERSION_NUMBER', '', 'plainHttp'],
      ['EPROTO', 'error:0A00010B:SSL routines::wrong version number', 'plainHttp'],
      ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', '', 'other'],
      ['CERT_REVOKED', '', 'other'],
    ] as const) {
      const error = toBuildServiceError(Object.assign(new Error(message), { code }), { host: 'h', responded: false });
      assert.equal(error instanceof CertificateError ? error.fault : undefined, fault, code);
    }
  });
});
