/**
 * A service that responds with every kind of failure and repeats every secret that it received, in each common encoding. It repeats
 * codes and passwords, which are valid for one call, only to that call.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import { createCertificate } from '../../support/certificates.ts';
import { serve, serveRaw } from '../../support/servers.ts';

/** Encodes a secret in each form that SECURITY.md lists. */
export const spellings: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  percent: encodeURIComponent,
  'percent twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  form: (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  base64: (secret) => Buffer.from(`>${secret}<`).toString('base64'),
  base64url: (secret) => Buffer.from(`:${secret}`).toString('base64url'),
  JSON: (secret) => JSON.stringify(secret).slice(1, -1),
  'JSON in ASCII': (secret) =>
    JSON.stringify(secret)
      .slice(1, -1)
      .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'HTML in numbers': (secret) => secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
};

type Answer = (response: ServerResponse, echo: Echo) => void;

interface Echo {
  /** All secrets of this call and all lasting secrets received so far, in one encoding. */
  readonly text: string;
  /** Like `text`, without control characters. */
  readonly line: string;
  /** An address on the other origin, over plain HTTP, that repeats the secrets. */
  readonly elsewhere: string;
}

const failing =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response, { text, line }) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'www-authenticate': `Basic realm="${line}"`,
      'x-echo': line,
      ...headers,
    });
    response.end(JSON.stringify({ error: `refused ${text}`, detail: text }));
  };

/** Failures of the service by name. */
export const failures: Readonly<Record<string, Answer>> = {
  ...Object.fromEntries([401, 403, 404, 409, 422, 500].map((status) => [status, failing(status)])),
  '429': failing(429, { 'retry-after': '120' }),
  '502 HTML': (response, { text }) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end(`<html><title>${text}</title>`),
  ...Object.fromEntries(
    [302, 303, 307].map((status): [string, Answer] => [
      `redirect ${status} elsewhere`,
      (response, { elsewhere }) => response.writeHead(status, { location: elsewhere }).end(),
    ]),
  ),
  'redirect downgrade': (response, { elsewhere }) => response.writeHead(302, { location: elsewhere }).end(),
  'redirect nowhere': (response, { line }) => response.writeHead(302, { location: `command:${line}` }).end(),
  'not JSON': (response, { text }) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`not JSON: ${text}`),
  HTML: (response, { text }) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${text}`),
  'a file': (response, { line }) =>
    response
      .writeHead(200, {
        'content-type': `application/x-${line}`,
        'content-disposition': `attachment; filename="${line}"`,
      })
      .end(Buffer.from([0, 1, 255])),
  'bad encoding': (response, { line, text }) =>
    response.writeHead(200, { 'content-encoding': line, 'content-type': 'application/json' }).end(text),
  'not HTTP': (response, { line }) => response.socket?.end(`HTTP/1.1 abc ${line}\r\n${line}\r\n\r\n`),
  truncated: (response, { text }) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
    response.write(`{"username": "${text}`, () => response.socket?.end());
  },
  reset: (response) => response.socket?.resetAndDestroy(),
  'repeated as data': (response, { text, elsewhere, line }) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      link: `<${elsewhere}>; rel="next"; title="${line}"`,
    });
    const link = `/api/v1/apps?access_token=${line}&again=${line}`;
    response.end(
      JSON.stringify({
        username: 'ann',
        email: text,
        note: text,
        [text]: text,
        link,
        homepage: elsewhere,
        apps: { link, title: text },
      }),
    );
  },
};

export interface HostileService {
  readonly url: string;
  /** URL of the same service over HTTPS, with the self-signed certificate {@link authority}. */
  readonly secureUrl: string;
  /** Certificate in PEM. */
  readonly authority: string;
  /** The other origin. `received` returns every byte that it received. */
  readonly elsewhere: { readonly url: string; received(): string };
  /** Tokens that the service issues while it works. */
  readonly issued: { authToken: string; accessToken: string };
  /** Secrets that the service has received. */
  readonly receivedSecrets: ReadonlySet<string>;
  /** Number of requests so far. */
  requests: number;
  /** Makes requests fail in this way after `after` more requests. If undefined, all requests succeed. */
  fail(name: string | undefined, after?: number): void;
  close(): Promise<void>;
}

/** Starts the service and the other origin on free ports. */
export async function startHostileService(): Promise<HostileService> {
  // Its own certificate authority, because a client that trusts another one of the same name would confuse the two.
  const { key, cert } = await createCertificate();
  const elsewhere = await serveRaw((socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{}'),
  );
  const insecure = await serve(handle);
  const secure = await serve(handle, { key, cert });
  let failure: string | undefined;
  let requestsBeforeFailure = 0;
  let answers = 0;
  const told = new Set<string>();
  const forOneCall = new Set<string>();
  const service: HostileService = {
    url: insecure.url,
    secureUrl: secure.url,
    authority: cert,
    elsewhere: { url: elsewhere.url, received: () => elsewhere.received.join('') },
    issued: { authToken: '', accessToken: '' },
    receivedSecrets: told,
    requests: 0,
    fail: (name, after = 0) => {
      [failure, requestsBeforeFailure] = [name, after];
    },
    close: async () => {
      await Promise.all([insecure, secure, elsewhere].map((server) => server.close()));
    },
  };

  function handle(request: IncomingMessage, response: ServerResponse): void {
    service.requests += 1;
    const target = new URL(request.url ?? '/', service.url);
    const sent = secretsIn(request, target);
    for (const secret of [...sent.lasting, ...sent.forOneCall]) {
      // Keeps the latest secret last.
      told.delete(secret);
      told.add(secret);
    }
    sent.forOneCall.forEach((secret) => forOneCall.add(secret));
    const answer = failure === undefined ? undefined : failures[failure];
    if (answer === undefined || requestsBeforeFailure > 0) {
      requestsBeforeFailure -= 1;
      const { authToken, accessToken } = service.issued;
      const own =
        target.pathname === '/token'
          ? { token: authToken }
          : target.pathname.startsWith('/authorize')
            ? { access_token: accessToken }
            : undefined;
      const link = { link: '/api/v1/apps' };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(own ?? { username: 'ann', email: 'ann@example.com', apps: link }));
      return;
    }
    // Rotate the encodings, because a client reads only the beginning of a message.
    const all = Object.values(spellings);
    const turn = answers++ % all.length;
    const rotated = [...all.slice(turn), ...all.slice(0, turn)];
    const [encode = String] = rotated;
    const repeated = [...told].filter((secret) => !forOneCall.has(secret) || sent.forOneCall.includes(secret));
    const latest = repeated.at(-1) ?? '';
    const text = [...[...repeated].reverse().map(encode), ...rotated.map((each) => each(latest))].join(' ');
    const line = repeated.map(encodeURIComponent).join('.');
    const hidden = repeated.map(encodeURIComponent).join('/');
    const path = `/${hidden}?access_token=${encodeURIComponent(latest)}&code=${hidden}`;
    answer(response, { text, line, elsewhere: `${elsewhere.url}${path}` });
  }

  return service;
}

/** Returns everything that a client may send as a secret according to the contract. */
function secretsIn({ headers }: IncomingMessage, { searchParams }: URL) {
  const basic = Buffer.from(/^Basic (.*)$/.exec(headers.authorization ?? '')?.[1] ?? '', 'base64').toString();
  const named = (...names: readonly string[]) => names.map((name) => searchParams.get(name) ?? '');
  const given = (secrets: readonly string[]) => secrets.filter((secret) => secret !== '');
  return {
    lasting: given(named('client_secret', 'auth_token', 'access_token')),
    forOneCall: given([...named('code'), basic.slice(basic.indexOf(':') + 1)]),
  };
}
