import { createAuthority, createCertificate } from '../../support/certificates.ts';
import { json, serve } from '../../support/servers.ts';
import { secrets, textOf, type FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const authority = await createAuthority();
const redirected =
  (location: string | undefined, status = 302): Parameters<typeof serve>[0] =>
  (_request, response) =>
    response.writeHead(status, location === undefined ? {} : { location }).end();

function redirect(name: string, expected: outcome.Outcome, location: (path: string) => string | undefined): FaultCase {
  return {
    name,
    expected,
    arrange: async (context) => {
      const server = await serve((request, response) =>
        redirected(location(new URL(request.url ?? '', 'http://x').pathname))(request, response),
      );
      return () =>
        context
          .client(server)
          .get('/a')
          .finally(() => {
            if (server.received.length > 6) {
              throw new Error(`${server.received.length} requests`);
            }
          });
    },
  };
}

/** A POST that carries secrets is answered with a redirect. */
function posted(
  status: number,
  call: 'exchangeCode' | 'exchangeAuthenticationToken' | 'createAuthenticationToken',
): FaultCase {
  return {
    name: `${status} on ${call}`,
    expected: outcome.unsafeMethod,
    arrange: async (context) => {
      const other = await context.elsewhere((_request, response) =>
        json(response, { access_token: 'stolen', token: 'stolen' }),
      );
      const server = await serve(redirected(`${other.url}/x`, status));
      return () => context.client(server)[call](secrets);
    },
  };
}

/** Where a redirect may lead, and with what. */
export const redirects: readonly FaultCase[] = [
  redirect('a loop of two', outcome.redirectLoop, (path) => (path === '/a' ? '/b' : '/a')),
  redirect('to itself with another token', outcome.redirectLoop, () => '/a?access_token=other'),
  redirect('a loop that grows', outcome.tooManyRedirects, (path) => `${path}x`),
  redirect('without Location', outcome.noLocation, () => undefined),
  redirect('an empty Location', outcome.noLocation, () => ''),
  redirect('file:', outcome.invalidLocation, () => 'file:///etc/passwd'),
  redirect('javascript:', outcome.invalidLocation, () => 'javascript:alert(1)'),
  redirect('data:', outcome.invalidLocation, () => 'data:application/json,{}'),
  redirect('blob: of the same origin', outcome.invalidLocation, () => 'blob:http://127.0.0.1/x'),
  redirect('no URL', outcome.invalidLocation, () => 'http://['),
  {
    name: 'a resource on another origin',
    expected: outcome.elsewhere,
    arrange: async (context) => {
      const other = await context.elsewhere((_request, response) => json(response, {}));
      const server = await serve(redirected(`${other.url}/x`));
      return () => context.client(server).get('/a');
    },
  },
  {
    name: 'a download on another origin gets no credentials',
    expected: outcome.value('bytes'),
    arrange: async (context) => {
      const other = await context.elsewhere((_request, response) => response.end('bytes'));
      const server = await serve(redirected(`${other.url}/x?access_token=${secrets.accessToken}`));
      return async () => textOf((await context.client(server).download('/a')).body);
    },
  },
  {
    name: 'another origin and back: still no credentials',
    expected: outcome.value('/b'),
    arrange: async (context) => {
      let back = '';
      const other = await context.elsewhere((_request, response) => response.writeHead(302, { location: back }).end());
      const server = await serve((request, response) =>
        request.url === '/b'
          ? response.end(request.url)
          : redirected(request.url?.startsWith('/a?') ? other.url : undefined)(request, response),
      );
      back = `${server.url}/b`;
      return async () => textOf((await context.client(server).download('/a')).body);
    },
  },
  {
    name: 'another origin, with the token under another name',
    expected: outcome.elsewhere,
    arrange: async (context) => {
      const other = await context.elsewhere((_request, response) => response.end('bytes'));
      const server = await serve(
        redirected(`${other.url}/?ticket=${Buffer.from(`x${secrets.accessToken}`).toString('base64url')}`),
      );
      return () => context.client(server).download('/a');
    },
  },
  {
    name: 'https to http',
    expected: outcome.downgrade,
    arrange: async (context) => {
      const other = await context.elsewhere((_request, response) => response.end('bytes'));
      const server = await serve(redirected(other.url), await createCertificate({ issuer: authority }));
      return () =>
        context.client(server, { carrier: { authorities: () => Promise.resolve([authority.cert]) } }).download('/a');
    },
  },
  ...([301, 302, 303, 307, 308] as const).map((status) => posted(status, 'exchangeCode')),
  posted(307, 'exchangeAuthenticationToken'),
  posted(307, 'createAuthenticationToken'),
];
