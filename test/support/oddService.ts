/** A service that implements just enough of the contract to sign in. The test defines all other responses. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { json, serve } from './servers.ts';

export const oddToken = 'odd-token-of-nobody-0123456789';

/** Returns the user and the token to sign in with. */
export function oddUser({ url }: OddService) {
  return { url, username: 'odd', token: oddToken };
}

export interface OddAnswer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body: string | Buffer;
}

export interface OddService {
  readonly url: string;
  /** Responses by path. Can be changed at any time. */
  readonly paths: Map<string, unknown>;
  /** Received paths with queries, without the token, in order. */
  readonly requests: string[];
  /** Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Starts the service. @param paths JSON values, {@link OddAnswer}s, or functions that return either. `/api/v1` and `/api/v1/me` are the
 * user
 */
export async function startOddService(paths: Readonly<Record<string, unknown>> = {}): Promise<OddService> {
  const answers = new Map<string, unknown>(Object.entries(paths));
  const requests: string[] = [];

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const tokens = ['auth_token', 'access_token'].map((name) => url.searchParams.get(name));
    url.searchParams.delete('auth_token');
    url.searchParams.delete('access_token');
    requests.push(url.pathname + url.search);
    if (url.pathname === '/token') {
      json(response, { token: oddToken });
    } else if (!tokens.includes(oddToken)) {
      json(response, { error: 'Who are you?' }, 401);
    } else if (answers.has(url.pathname) || answers.has(url.pathname + url.search)) {
      const odd = answers.get(url.pathname + url.search) ?? answers.get(url.pathname);
      send(response, typeof odd === 'function' ? (odd as (url: URL) => unknown)(url) : odd);
    } else if (/^\/api\/v1(\/me)?$/.test(url.pathname)) {
      json(response, { username: 'odd', email: 'odd@example.com' });
    } else {
      json(response, { error: 'There is nothing here.' }, 404);
    }
  }

  const { url, close } = await serve(answer);
  return { url, paths: answers, requests, close };
}

function send(response: ServerResponse, odd: unknown): void {
  const { status = 200, headers = {}, body } = isAnswer(odd) ? odd : { body: JSON.stringify(odd) };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

function isAnswer(odd: unknown): odd is OddAnswer {
  return (
    typeof odd === 'object' &&
    odd !== null &&
    'body' in odd &&
    (typeof odd.body === 'string' || odd.body instanceof Buffer)
  );
}
