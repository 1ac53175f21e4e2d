/**
 * Simulates the original service: `link` strings instead of links; no forms, builds, shares, or log offsets; downloads on another
 * host; builds that run until the test ends them.
 * Sign in with `token` (auth_token, access_token, `Authorization: token …`), or with `username` and `password` (Basic, POST /token).
 * - `finish(id, platform, status?, error?)` ends a build with any status; `finishAll()` ends all pending builds.
 * - `setLog(id, platform, text)` sets a build's log. `apps.delete(id)` deletes an app; `change(id, {…})` overrides members of its resource
 *   with any shape: an `error` that is plain text or HTML, a `status` with unknown words.
 * - `answer(method, path, odd, times?)` sends another response: an {@link OddAnswer}, such as one of {@link oddAnswers}.
 * - `requests` and `uploads` contain the received requests.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { parseBody } from 'hono/utils/body';

import { createAnswer, type Answer, type OriginalRequest } from './originalAnswers.ts';
import { OriginalData } from './originalData.ts';
import { serve } from './servers.ts';

type OddAnswer =
  | { readonly status: number; readonly headers?: OutgoingHttpHeaders; readonly body: string }
  /** Ends the connection after this many bytes of the request's body. */
  | { readonly cutAfterBytes: number }
  /** Sends the response one byte at a time. */
  | { readonly dripMs: number };

/** Other responses of real services. */
export const oddAnswers = {
  tooManyRequests: { status: 429, headers: { 'retry-after': '1' }, body: '{"error":"Slow down."}' },
  unavailable: { status: 503, body: '{"error":"Down for maintenance"}' },
  tooLarge: { status: 413, body: '{"error":"The file is too large."}' },
  diskFull: { status: 507, body: '{"error":"No space left."}' },
  wrongType: { status: 415, body: '{"error":"Only zip files."}' },
  refusedWithSuccess: { status: 200, body: '{"error":"Private app limit reached"}' },
} as const satisfies Readonly<Record<string, OddAnswer>>;

interface Upload {
  readonly path: string;
  readonly field: string;
  readonly fileName: string;
  readonly bytes: Buffer;
}

export class OriginalService extends OriginalData {
  readonly password = 'original-password-0123';
  readonly token = 'original-token-0123456789';
  /** Received requests, such as `GET /api/v1/apps`, without the token, in order. */
  readonly requests: string[] = [];
  readonly uploads: Upload[] = [];
  /** Content of a downloaded build. */
  artifact = Buffer.from('PK\u0003\u0004 what was built');
  url = '';
  readonly #odd: { readonly method: string; readonly path: RegExp; readonly odd: OddAnswer; times: number }[] = [];
  #closing: readonly (() => Promise<void>)[] = [];

  /** Starts a service on a free port. */
  static async start(): Promise<OriginalService> {
    const service = new OriginalService();
    await service.listen();
    return service;
  }

  /** Starts listening on a free port. */
  async listen(): Promise<void> {
    const storage = await serve((_request, response) => response.end(this.artifact));
    const server = await serve((request, response) => this.#respond(request, response));
    [this.storageUrl, this.url] = [storage.url, server.url];
    this.#closing = [storage.close, server.close];
  }

  /** Can be called more than once. */
  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
  }

  appUrl(id: number): string {
    return `${this.url}/api/v1/apps/${id}`;
  }

  /** Sends another response to matching requests. @param times how often. Defaults to always */
  answer(method: string, path: RegExp, odd: OddAnswer, times = Infinity): void {
    this.#odd.push({ method, path, odd, times });
  }

  /** Restores the default responses. */
  answerNormally(): void {
    this.#odd.length = 0;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const url = new URL(request.url ?? '/', this.url);
    // The token exchanges use other credentials.
    const isSignedIn = url.pathname.startsWith('/authorize') || this.#isSignedIn(request, url);
    url.searchParams.delete('auth_token');
    url.searchParams.delete('access_token');
    this.requests.push(`${method} ${url.pathname}${url.search}`);
    const odd = this.#odd.find(
      (each) => each.method === method && each.path.test(url.pathname) && each.times-- > 0,
    )?.odd;
    if (odd !== undefined && 'cutAfterBytes' in odd) {
      await cut(request, odd.cutAfterBytes);
      return;
    }
    const received = await readRequest(request);
    if (odd !== undefined && 'status' in odd) {
      response.writeHead(odd.status, { 'content-type': 'application/json', ...odd.headers });
      response.end(odd.body);
      return;
    }
    this.uploads.push(...received.files.map((file) => ({ path: url.pathname, ...file })));
    const [status, body, headers = {}] = isSignedIn
      ? this.#answer(method, url.pathname.replace(/\/+$/, ''), received)
      : ([401, { error: 'Invalid authentication token.' }] as const);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
    if (odd !== undefined) {
      for (const byte of Buffer.from(text)) {
        await new Promise((resolve) => setTimeout(resolve, odd.dripMs));
        response.write(Buffer.of(byte));
      }
    }
    response.end(odd === undefined ? text : undefined);
  }

  #answer(method: string, path: string, received: OriginalRequest): Answer {
    if (/^(\/api\/v1)?\/token$/.test(path)) {
      return [200, { token: this.token }];
    }
    return /^\/authorize(\/token)?$/.test(path)
      ? [200, { access_token: this.token }]
      : createAnswer(this, method, path, received);
  }

  #isSignedIn({ headers }: IncomingMessage, { searchParams }: URL): boolean {
    const basic = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`;
    const tokens = [searchParams.get('auth_token'), searchParams.get('access_token')];
    return tokens.includes(this.token) || [basic, `token ${this.token}`].includes(headers.authorization ?? '');
  }
}

/** Ends the connection in the middle of the request. */
async function cut(request: IncomingMessage, afterBytes: number): Promise<void> {
  let received = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    received += piece.length;
    if (received >= afterBytes) {
      break;
    }
  }
  request.socket.destroy();
}

/** Reads a request's body. Rejects if the request is cut off. */
async function readRequest(request: IncomingMessage): Promise<OriginalRequest> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const body = await buffer(request);
  const form = await parseBody(new Request('http://127.0.0.1', { method: 'POST', headers, body }));
  const values: Record<string, unknown> = {};
  const files: OriginalRequest['files'][number][] = [];
  for (const [name, value] of Object.entries(form)) {
    if (value instanceof File) {
      files.push({ field: name, fileName: value.name, bytes: Buffer.from(await value.arrayBuffer()) });
    } else if (name === 'data' && typeof value === 'string') {
      Object.assign(values, JSON.parse(value));
    } else {
      values[/^data\[(.+)\]$/.exec(name)?.[1] ?? name] = value;
    }
  }
  return { values, files };
}
