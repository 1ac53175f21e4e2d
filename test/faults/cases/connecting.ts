import { freePort, json, serve, serveRaw } from '../../support/servers.ts';
import { createAuthority, createCertificate, type CertificateDetails } from '../../support/certificates.ts';
import type { FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const day = 24 * 60 * 60 * 1000;
const authority = await createAuthority();
const inDays = (days: number): Date => new Date(Date.now() + days * day);
const trusting = { carrier: { authorities: () => Promise.resolve([authority.cert]) } };
const securely = ({ url }: { readonly url: string }): { readonly url: string } => ({
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
    arrange: async (stage) => {
      const server = await serve((_request, response) => json(response, {}), await createCertificate(details));
      stage.bystanders.push(server);
      return () => stage.client(server, options).me();
    },
  };
}

/** No connection, or none that can be trusted. */
export const connecting: readonly FaultCase[] = [
  {
    name: 'nothing listens',
    expected: outcome.refused,
    arrange: async (stage) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      return () => stage.client({ url }).me();
    },
  },
  {
    name: 'nothing listens on any address of a name',
    expected: outcome.refused,
    arrange: async (stage) => {
      const url = `http://localhost:${await freePort()}`;
      return () => stage.client({ url }).me();
    },
  },
  {
    name: 'the name does not exist',
    expected: outcome.nameNotFound,
    within: 5000,
    arrange: (stage) => Promise.resolve(() => stage.client({ url: 'https://build.invalid' }).me()),
  },
  {
    name: 'a network that swallows everything',
    // 2001:db8::/32 is for documentation (RFC 3849): what a machine without IPv6 says depends on its system.
    expected: [outcome.connectTimeout, outcome.unreachable, outcome.refused],
    arrange: (stage) => Promise.resolve(() => stage.client({ url: 'https://[2001:db8::1]:444' }).me()),
  },
  {
    name: 'a service on IPv6 only',
    expected: outcome.value('ann'),
    arrange: async (stage) => {
      const server = await serve((_request, response) => json(response, { username: 'ann' }), undefined, '::1');
      return async () => (await stage.client(server).currentUser()).username;
    },
  },
  {
    name: 'a service on IPv6 only, asked by a name',
    // A machine may know its own name by IPv4 alone.
    expected: [outcome.value('ann'), outcome.refused],
    arrange: async (stage) => {
      const { port } = await serve((_request, response) => json(response, { username: 'ann' }), undefined, '::1');
      return async () => (await stage.client({ url: `http://localhost:${port}` }).currentUser()).username;
    },
  },
  {
    name: 'a service on IPv4 only, asked over IPv6',
    expected: outcome.refused,
    arrange: async (stage) => {
      const { port } = await serve((_request, response) => json(response, {}));
      return () => stage.client({ url: `http://[::1]:${port}` }).me();
    },
  },
  {
    name: 'reset instead of an answer, every time',
    expected: outcome.reset,
    arrange: async (stage) => {
      const server = await serveRaw((socket) => socket.resetAndDestroy());
      return () => stage.client(server).me();
    },
  },
  {
    name: 'closed instead of an answer, once',
    expected: outcome.value('ann, 2 requests'),
    arrange: async (stage) => {
      let calls = 0;
      const server = await serve((request, response) => {
        calls += 1;
        if (calls === 1) {
          request.socket.destroy();
        } else {
          json(response, { username: 'ann' });
        }
      });
      return async () => `${(await stage.client(server).currentUser()).username}, ${calls} requests`;
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
    arrange: async (stage) => {
      const server = await serve((_request, response) => json(response, {}));
      stage.bystanders.push(server);
      return () => stage.client(securely(server)).me();
    },
  },
  {
    name: 'TLS: the handshake never ends',
    expected: outcome.connectTimeout,
    arrange: async (stage) => {
      const server = await serveRaw(() => undefined);
      return () => stage.client(securely(server)).me();
    },
  },
  {
    name: 'TLS: reset in the handshake',
    expected: outcome.reset,
    arrange: async (stage) => {
      const server = await serveRaw((socket) => socket.resetAndDestroy());
      return () => stage.client(securely(server)).me();
    },
  },
  {
    name: 'TLS: a version that is no longer safe',
    expected: outcome.otherTls,
    arrange: async (stage) => {
      const certificate = await createCertificate({ issuer: authority });
      const server = await serve((_request, response) => json(response, {}), {
        ...certificate,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
      });
      return () => stage.client(server, trusting).me();
    },
  },
  {
    name: 'TLS: wants a certificate of ours',
    // With TLS 1.3 the alert races with the end of the connection (RFC 8446 §4.4.2.4).
    expected: [outcome.otherTls, outcome.reset],
    arrange: async (stage) => {
      const certificate = await createCertificate({ issuer: authority });
      const server = await serve((_request, response) => json(response, {}), {
        ...certificate,
        requestCert: true,
        rejectUnauthorized: true,
      });
      return () => stage.client(server, trusting).me();
    },
  },
  {
    name: 'TLS: cut in the middle of the answer',
    expected: outcome.truncated,
    arrange: async (stage) => {
      const server = await serve(
        (request, response) => {
          response.writeHead(200, { 'content-length': 100 });
          response.write('{', () => request.socket.destroy());
        },
        await createCertificate({ issuer: authority }),
      );
      return () => stage.client(server, trusting).me();
    },
  },
];
