/** Inputs of the local service, from plausible to absurd. */
import fc from 'fast-check';

import { wellFormed, words } from './property.ts';

const segment = fc.oneof(
  fc.constantFrom(
    ...words('api v1 me apps keys 1 2 android ios icon status logs build collaborators token authorize'),
    ...words('decision account tokens clients new secret sign-in sign-out code-hosting downloads'),
    ...words('stylesheet.css profile .. . %2e%2e %2f %00 %ff % __proto__ constructor'),
    '',
  ),
  fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(wellFormed(text))),
);
const route = fc.oneof(
  { weight: 2, arbitrary: fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...words('/api/v1 /api/v1/me /api/v1/apps /api/v1/apps/1 /api/v1/apps/1/android'),
      ...words('/api/v1/apps/1/logs/ios/build /api/v1/keys/ios/1 /token /api/v1/token /authorize'),
      ...words('/authorize/token /authorize/decision /sign-in /account /account/tokens /account/clients'),
      ...words('/account/profile /downloads/1/android/1/x/y'),
    ),
  },
);
const name = fc.oneof(
  fc.constantFrom(
    ...words('callback access_token auth_token client_id client_secret code code_verifier'),
    ...words('code_challenge code_challenge_method redirect_uri state return_to csrf decision name'),
    ...words('email __proto__ toString a[b]'),
  ),
  fc.string({ maxLength: 6 }),
);
const value = fc.oneof(
  fc.constantFrom(...words('% %zz %ff alert <script> //evil.example null 1 S256'), '', 'a'.repeat(2000)),
  fc.string({ maxLength: 10, unit: 'binary' }),
);
/** Names and values of parameters. */
export const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 });
/** Encodes parameters as a query or an urlencoded body. */
export const encoded = (entries: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(
    entries.map(([key, content]): [string, string] => [wellFormed(key), wellFormed(content)]),
  ).toString();
const rawQuery = fc.stringMatching(/^[!-"$-~]{0,40}$/);
const query = fc.oneof(pairs.map(encoded), rawQuery);
const contentType = fc.constantFrom(
  ...words('application/x-www-form-urlencoded multipart/form-data application/json text/plain ;'),
  ...['multipart/form-data; boundary=x', ''],
);
const body = fc.oneof(
  pairs.map((entries) => Buffer.from(encoded(entries))),
  pairs.map((entries) =>
    Buffer.from(
      `${entries.map(([key, content]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${content}\r\n`).join('')}--x--\r\n`,
    ),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
);
const headerValue = fc.oneof(
  fc.constantFrom(
    ...words('*/* text/html null Basic gzip chunked same-origin 0 -1 bytes=0-1'),
    ...['Basic ====', 'Basic OjpA', 'token x', 'token ', 'Bearer x', 'a=b; c'],
  ),
  fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,30}$/),
);
const headers = fc.dictionary(
  fc.constantFrom(
    ...words('Accept Authorization Cookie Origin Sec-Fetch-Site Content-Encoding Range If-None-Match'),
    ...words('X-Forwarded-Host X-HTTP-Method-Override Expect-CT Referer'),
  ),
  headerValue,
  { maxKeys: 4 },
);
const method = fc.constantFrom(...words('GET GET GET POST POST POST PUT DELETE HEAD OPTIONS PATCH TRACE PROPFIND'));

/** A complete request. Only methods with a body send it. */
export const request = fc.record({ method, route, query, headers, contentType, body });

/** Values of the parameter `callback`. */
export const callback = fc.oneof(
  fc.string(),
  fc.stringMatching(/^[\w$.]{0,140}$/),
  fc
    .array(fc.constantFrom(...words('a $ _ . 1 cb ( ) [ ] ; /* */ <'), '\u2028', 'é', '\\u0061', '__proto__', ' '), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);

const line = fc.constantFrom(
  ...['GET /api/v1/me HTTP/1.1', 'GET / HTTP/1.0', 'POST /token HTTP/1.1', 'Host: HOST', 'Host: evil'],
  ...['Content-Length: 5', 'Content-Length: 5, 6', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x, chunked'],
  ...['Connection: upgrade', 'Upgrade: websocket', 'Expect: 100-continue', 'X', ' folded', '5', 'hello', '0', '', ''],
);

/** Bytes on a connection. `HOST` is replaced by the service's host. */
export const bytes = fc.oneof(
  fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)),
  fc.uint8Array({ maxLength: 300 }).map((piece) => Buffer.from(piece)),
);
