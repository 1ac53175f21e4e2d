import { json, serve, serveRaw } from '../../support/servers.ts';
import { createAuthority, createCertificate } from '../../support/certificates.ts';
import type { FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const authority = await createAuthority();
const trusting = { carrier: { authorities: () => Promise.resolve([authority.cert]) } };
/** No connection, or none that can be trusted. What needs no damaged connection is in test/unit/api/http. */
export const connecting: readonly FaultCase[] = [
  {
    name: 'a network that swallows everything',
    // 2001:db8::/32 is for documentation (RFC 3849): what a machine without IPv6 says depends on its system.
    expected: [outcome.connectTimeout, outcome.unreachable, outcome.refused],
    arrange: (context) => Promise.resolve(() => context.client({ url: 'https://[2001:db8::1]:444' }).me()),
  },
  {
    name: 'closed instead of an answer, once',
    expected: outcome.value('ann, 2 requests'),
    arrange: async (context) => {
      let calls = 0;
      const server = await serve((request, response) => {
        calls += 1;
        if (calls === 1) {
          request.socket.destroy();
        } else {
          json(response, { username: 'ann' });
        }
      });
      return async () => `${(await context.client(server).currentUser()).username}, ${calls} requests`;
    },
  },
  {
    name: 'TLS: a chain that lacks its middle',
    expected: outcome.unknownAuthority,
    arrange: async (context) => {
      const middle = await createAuthority({ name: 'Middle', issuer: authority });
      const certificate = await createCertificate({ issuer: middle });
      const server = await serve((_request, response) => json(response, {}), certificate);
      context.bystanders.push(server);
      return () => context.client(server, trusting).me();
    },
  },
  {
    name: 'TLS: reset in the handshake',
    expected: outcome.reset,
    arrange: async (context) => {
      const server = await serveRaw((socket) => socket.resetAndDestroy());
      return () => context.client({ url: server.url.replace('http:', 'https:') }).me();
    },
  },
  {
    name: 'TLS: a version that is no longer safe',
    expected: outcome.otherTls,
    arrange: async (context) => {
      const certificate = await createCertificate({ issuer: authority });
      const server = await serve((_request, response) => json(response, {}), {
        ...certificate,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
      });
      return () => context.client(server, trusting).me();
    },
  },
  {
    name: 'TLS: wants a certificate of ours',
    // With TLS 1.3 the alert races with the end of the connection (RFC 8446 §4.4.2.4).
    expected: [outcome.otherTls, outcome.reset],
    arrange: async (context) => {
      const certificate = await createCertificate({ issuer: authority });
      const server = await serve((_request, response) => json(response, {}), {
        ...certificate,
        requestCert: true,
        rejectUnauthorized: true,
      });
      return () => context.client(server, trusting).me();
    },
  },
  {
    name: 'TLS: cut in the middle of the answer',
    expected: outcome.truncated,
    arrange: async (context) => {
      const server = await serve(
        (request, response) => {
          response.writeHead(200, { 'content-length': 100 });
          response.write('{', () => request.socket.destroy());
        },
        await createCertificate({ issuer: authority }),
      );
      return () => context.client(server, trusting).me();
    },
  },
];
