import { freePort, json, serve, serveRaw } from '../../support/servers.ts';
import { createAuthority, createCertificate, DAY_MS, type CertificateDetails } from '../../support/certificates.ts';
import type { FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const authority = await createAuthority();
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const trusting = { carrier: { authorities: () => Promise.resolve([authority.cert]) } };
const withHttps = ({ url }: { readonly url: string }): { readonly url: string } => ({
  url: url.replace('http:', 'https:'),
});

function tlsFault(
  name: string,
  expected: outcome.Outcome,
  details: CertificateDetails,
  options: object = trusting,
): FaultCase {
  return {
    name: `TLS: ${name}`,
    expected,
    arrange: async (context) => {
      const server = await serve((_request, response) => json(response, {}), await createCertificate(details));
      context.bystanders.push(server);
      return () => context.client(server, options).me();
    },
  };
}

/** No connection, or none that can be trusted. */
export const connecting: readonly FaultCase[] = [
  {
    name: 'nothing listens',
    expected: outcome.refused,
    arrange: async (context) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      return () => context.client({ url }).me();
    },
  },
  {
    name: 'nothing listens on any address of a name',
    expected: outcome.refused,
    arrange: async (context) => {
      const url = `http://localhost:${await freePort()}`;
      return () => context.client({ url }).me();
    },
  },
  {
    name: 'the name does not exist',
    expected: outcome.nameNotFound,
    within: 5000,
    arrange: (context) => Promise.resolve(() => context.client({ url: 'https://build.invalid' }).me()),
  },
  {
    name: 'a network that swallows everything',
    // 2001:db8::/32 is for documentation (RFC 3849): what a machine without IPv6 says depends on its system.
    expected: [outcome.connectTimeout, outcome.unreachable, outcome.refused],
    arrange: (context) => Promise.resolve(() => context.client({ url: 'https://[2001:db8::1]:444' }).me()),
  },
  {
    name: 'a service on IPv6 only',
    expected: outcome.value('ann'),
    arrange: async (context) => {
      const server = await serve((_request, response) => json(response, { username: 'ann' }), undefined, '::1');
      return async () => (await context.client(server).currentUser()).username;
    },
  },
  {
    name: 'a service on IPv6 only, asked by a name',
    // A machine may know its own name by IPv4 alone.
    expected: [outcome.value('ann'), outcome.refused],
    arrange: async (context) => {
      const { port } = await serve((_request, response) => json(response, { username: 'ann' }), undefined, '::1');
      return async () => (await context.client({ url: `http://localhost:${port}` }).currentUser()).username;
    },
  },
  {
    name: 'a service on IPv4 only, asked over IPv6',
    expected: outcome.refused,
    arrange: async (context) => {
      const { port } = await serve((_request, response) => json(response, {}));
      return () => context.client({ url: `http://[::1]:${port}` }).me();
    },
  },
  {
    name: 'reset instead of an answer, every time',
    expected: outcome.reset,
    arrange: async (context) => {
      const server = await serveRaw((socket) => socket.resetAndDestroy());
      return () => context.client(server).me();
    },
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
  tlsFault('self-signed', outcome.selfSigned, {}, {}),
  tlsFault('an authority that nobody trusts', outcome.unknownAuthority, { issuer: authority }, {}),
  tlsFault('a chain that lacks its middle', outcome.unknownAuthority, {
    issuer: await createAuthority({ name: 'Middle', issuer: authority }),
  }),
  tlsFault('expired', outcome.expired, { issuer: authority, notBefore: inDays(-2), notAfter: inDays(-1) }),
  tlsFault('not valid yet', outcome.notYetValid, { issuer: authority, notBefore: inDays(1), notAfter: inDays(2) }),
  tlsFault('another host', outcome.wrongHost, { issuer: authority, hosts: ['other.example'] }),
  {
    name: 'TLS: plain HTTP on the port',
    expected: outcome.plainHttp,
    arrange: async (context) => {
      const server = await serve((_request, response) => json(response, {}));
      context.bystanders.push(server);
      return () => context.client(withHttps(server)).me();
    },
  },
  {
    name: 'TLS: the handshake never ends',
    expected: outcome.connectTimeout,
    arrange: async (context) => {
      const server = await serveRaw(() => undefined);
      return () => context.client(withHttps(server)).me();
    },
  },
  {
    name: 'TLS: reset in the handshake',
    expected: outcome.reset,
    arrange: async (context) => {
      const server = await serveRaw((socket) => socket.resetAndDestroy());
      return () => context.client(withHttps(server)).me();
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
