/** Requests to the local service. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, type Socket } from 'node:net';

import type { Fetch } from './inProcessFetch.ts';
import type { LocalService } from './localService.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. `undefined` if it isn't JSON. */
  readonly json: unknown;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Certificate to trust over TLS, in PEM. */
  readonly ca?: string | undefined;
}

/** A service at an address or in this process. */
type Target = string | { readonly baseUrl: string; readonly fetch?: Fetch | undefined };

/**
 * Sends a request exactly as given, unlike `fetch`, which adds, changes, or rejects parts. A service in this process is
 * called with `fetch`.
 */
export function call(target: Target, path: string, options: Call = {}): Promise<Answer> {
  return typeof target !== 'string' && target.fetch !== undefined
    ? callByFetch(target.fetch, new URL(path, target.baseUrl), options)
    : callBySocket(typeof target === 'string' ? target : target.baseUrl, path, options);
}

async function callByFetch(send: Fetch, url: URL, { method = 'GET', headers = {}, body }: Call): Promise<Answer> {
  return readAnswer(await send(url, { method, headers, body: body ?? null, redirect: 'manual' }));
}

/** Reads a response. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const cookies = response.headers.getSetCookie();
  const headers = { ...Object.fromEntries(response.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
  return { status: response.status, headers, text, json: parse(text) };
}

function callBySocket(
  baseUrl: string,
  path: string,
  { method = 'GET', headers = {}, body, ca }: Call,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port } = new URL(baseUrl);
    const options = { hostname, port, path, method, headers, agent: false } as const;
    const sent = protocol === 'https:' ? requestTls({ ...options, ca }) : request(options);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Parses a response as it was received. */
export function parseAnswer(bytes: string): Answer {
  const [head = '', ...rest] = bytes.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const text = rest.join('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]), headers, text, json: parse(text) };
}

/** Returns the Authorization header of basic authentication. */
export function basic(username: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Returns a form body with its media type. */
export function form(fields: Readonly<Record<string, string>>): Call {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Separator of the parts in test forms. */
export const BOUNDARY = 'boundary-of-the-test';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Opens a connection and sends the head of an upload with these headers. */
export function beginUpload(
  { baseUrl, authToken }: Pick<LocalService, 'baseUrl' | 'authToken'>,
  ...headers: readonly string[]
): Socket {
  const { host, hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const first = `POST /api/v1/apps?auth_token=${authToken} HTTP/1.1`;
  const head = [first, `Host: ${host}`, `Content-Type: ${MULTIPART}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

/** Returns a form body with one file, and its media type. */
export function upload(content: string | Buffer, fileName = 'index.html'): Call & { readonly body: Buffer } {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  return {
    method: 'POST',
    headers: { 'Content-Type': MULTIPART },
    body: Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}

type Credentials<Name extends keyof LocalService> = Pick<LocalService, 'baseUrl' | Name> & {
  readonly fetch?: Fetch | undefined;
};

/** Gets an access token for the demo user with the non-web flow. */
export async function fetchAccessToken(
  service: Credentials<'clientId' | 'clientSecret' | 'authToken'>,
): Promise<string> {
  const { clientId, clientSecret, authToken } = service;
  const fields = { client_id: clientId, client_secret: clientSecret, auth_token: authToken };
  return member((await call(service, '/authorize', form(fields))).json, 'access_token');
}

/** Gets the simple authentication token for the demo user's password. */
export async function fetchAuthToken(service: Credentials<'username' | 'password'>): Promise<string> {
  const headers = basic(service.username, service.password);
  return member((await call(service, '/token', { method: 'POST', headers })).json, 'token');
}

/** Returns a string member of a JSON object. */
export function member(value: unknown, name: string): string {
  const found: unknown =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
  if (typeof found !== 'string') {
    throw new Error(`There is no ${name} in ${JSON.stringify(value)}.`);
  }
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
