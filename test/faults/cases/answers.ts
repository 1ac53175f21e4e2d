import { json, serve } from '../../support/servers.ts';
import { secrets, type FaultCase } from '../faultCase.ts';
import * as outcome from '../outcomes.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const WEB_PAGE = '<!DOCTYPE html>\n<html><script>alert(1)</script><h1>Bad Gateway</h1></html>';
const LONG_TEXT = 'x'.repeat(200_000);

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A whole answer of a service, read as the user resource. */
function answer(
  name: string,
  expected: outcome.Outcome,
  { status = 200, headers = JSON_HEADERS, body = '' }: Answer,
): FaultCase {
  return {
    name,
    expected,
    arrange: async (context) => {
      const server = await serve((_request, response) => response.writeHead(status, headers).end(body));
      return async () => (await context.client(server).currentUser()).username;
    },
  };
}

const error = (name: string, expected: outcome.Outcome, value: unknown, status = 400): FaultCase =>
  answer(name, expected, { status, body: JSON.stringify({ error: value }) });

/** 429 and 503 with a Retry-After: how many requests are made, and what is said. */
function retryAfter(
  status: number,
  value: string | undefined,
  requests: number,
  expected: FaultCase['expected'],
): FaultCase {
  return {
    name: `${status} with ${value === undefined ? 'no Retry-After' : `Retry-After: ${value}`}`,
    expected,
    arrange: async (context) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      const headers = value === undefined ? {} : { 'retry-after': value === IN_AN_HOUR ? date : value };
      const server = await serve((_request, response) => response.writeHead(status, headers).end());
      return async () => {
        await context
          .client(server)
          .me()
          .finally(() => {
            if (server.received.length !== requests) {
              throw new Error(`${server.received.length} requests instead of ${requests}`);
            }
          });
      };
    },
  };
}

const IN_MINUTES = 'Try again in a few minutes.';
const PAST_DATE = 'Thu, 01 Jan 1970 00:00:00 GMT';
const IN_AN_HOUR = 'a date in an hour';

function exchange(name: string, message: string): FaultCase {
  return {
    name,
    expected: outcome.serviceError(200, message.replace(secrets.clientSecret, '***').replace(secrets.code, '***')),
    arrange: async (context) => {
      const server = await serve((_request, response) => json(response, { error: message }));
      return () => context.client(server).exchangeCode(secrets);
    },
  };
}

/** Whole answers that are not what was asked for. */
export const answers: readonly FaultCase[] = [
  answer('204 without a body', outcome.notJson, { status: 204, headers: {} }),
  answer('200 without a body', outcome.notJson, {}),
  answer('a gateway’s web page, 502', outcome.serviceError(502), {
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<html><h1>Bad Gateway</h1>',
  }),
  answer('a captive portal, 200', outcome.webPage, {
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html><title>Welcome</title>',
  }),
  answer('a captive portal that says it is JSON', outcome.notJson, { body: '<!DOCTYPE html><title>Welcome</title>' }),
  answer('JSON that says it is text', outcome.value('ann'), {
    headers: { 'content-type': 'text/plain' },
    body: '{"username":"ann"}',
  }),
  answer('JSON that says nothing', outcome.value('ann'), { headers: {}, body: '\uFEFF{"username":"ann"}' }),
  answer('JSON that says it is a picture', outcome.notJson, {
    headers: { 'content-type': 'image/png' },
    body: '{"username":"ann"}',
  }),
  answer('JSONP', outcome.notJson, {
    headers: { 'content-type': 'text/javascript' },
    body: 'show({"username":"ann"})',
  }),
  answer('JSONP that says it is JSON', outcome.notJson, { body: 'show({"username":"ann"})' }),
  answer('bytes that are not UTF-8', outcome.value('\uFFFD\uFFFD'), {
    body: Buffer.from('{"username":"\xff\xfe"}', 'latin1'),
  }),
  answer('a user name that is a number', outcome.missing('username'), { body: '{"username":7}' }),
  answer('null', outcome.missing('username'), { body: 'null' }),
  answer('an array', outcome.missing('username'), { body: '[{"username":"ann"}]' }),
  answer('5,000 arrays in each other', outcome.missing('username'), { body: '['.repeat(5000) + ']'.repeat(5000) }),
  answer('a user name from the prototype', outcome.missing('username'), { body: '{"__proto__":{"username":"ann"}}' }),
  error('error is a sentence', outcome.serviceError(400, 'app #54 not available'), 'app #54 not available'),
  error('error is an object', outcome.serviceError(400), { android: 'failed' }),
  error('error is null', outcome.serviceError(400), null),
  error('error is an array', outcome.serviceError(400), ['failed']),
  error('error is empty', outcome.serviceError(400), ' \n '),
  error(
    'error is escaped for HTML',
    outcome.serviceError(400, 'try removing "alunny@" <b>'),
    'try removing &quot;alunny@&quot; &lt;b&gt;',
  ),
  error('error is a web page: shown as text', outcome.serviceError(400, WEB_PAGE.replaceAll('\n', ' ')), WEB_PAGE),
  error(
    'error has line breaks, bidi and control characters',
    outcome.serviceError(400, 'a b c'),
    'a\r\nb\u202E\u0007c',
  ),
  error('error is 200 kB', outcome.serviceError(400, `${'x'.repeat(499)}…`), LONG_TEXT),
  error('error is larger than what is read', outcome.serviceError(400), LONG_TEXT + LONG_TEXT),
  error(
    'error repeats the token',
    outcome.serviceError(400, 'unknown token *** in access_token=***'),
    `unknown token ${secrets.accessToken} in access_token=${encodeURIComponent(secrets.accessToken)}`,
  ),
  error('an app with an error object, 200', outcome.missing('username'), { android: 'failed' }, 200),
  error('401', outcome.unauthorized('Invalid authentication token.'), 'Invalid authentication token.', 401),
  error('403', outcome.serviceError(403, 'no'), 'no', 403),
  error('404', outcome.serviceError(404, 'app #1 not available'), 'app #1 not available', 404),
  error('409', outcome.serviceError(409, 'being built'), 'being built', 409),
  answer('404 with a web page', outcome.serviceError(404), {
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html>Page Not Found (404)',
  }),
  answer('304 that nobody asked for', outcome.serviceError(304), { status: 304, headers: {} }),
  answer('999', outcome.serviceError(999), { status: 999, headers: {} }),
  {
    name: '401 in mid-session: asked once, not again',
    expected: outcome.unauthorized(),
    arrange: async (context) => {
      let calls = 0;
      const server = await serve((_request, response) => {
        calls += 1;
        json(response, { username: 'ann' }, calls === 1 ? 200 : 401);
      });
      const client = context.client(server);
      return async () => {
        await client.me();
        await client.me().finally(() => {
          if (calls !== 2) {
            throw new Error(`${calls} requests instead of 2`);
          }
        });
      };
    },
  },
  {
    name: '500, then success when tried again',
    expected: outcome.value('500, then ann'),
    arrange: async (context) => {
      let calls = 0;
      const server = await serve((_request, response) => {
        calls += 1;
        json(response, { username: 'ann', error: 'internal server error' }, calls === 1 ? 500 : 200);
      });
      const client = context.client(server);
      return async () => {
        const first = await client.me().then(
          () => '200',
          (failure: unknown) => (failure as { status: number }).status,
        );
        return `${first}, then ${(await client.currentUser()).username}`;
      };
    },
  },
  {
    name: '503, then success',
    expected: outcome.value('ann'),
    arrange: async (context) => {
      let calls = 0;
      const server = await serve((_request, response) => {
        calls += 1;
        json(response, { username: 'ann' }, calls === 1 ? 503 : 200);
      });
      return async () => (await context.client(server).currentUser()).username;
    },
  },
  {
    name: '429 with Retry-After: 1, then success: asked again after a second',
    expected: outcome.value('ann'),
    arrange: async (context) => {
      const calls: number[] = [];
      const server = await serve((_request, response) => {
        calls.push(performance.now());
        response.setHeader('retry-after', '1');
        json(response, { username: 'ann' }, calls.length === 1 ? 429 : 200);
      });
      return async () => {
        const { username } = await context.client(server).currentUser();
        const [first = 0, second = 0] = calls;
        // Timers of Node may come a millisecond early.
        return second - first > 990 && calls.length === 2 ? username : `asked again after ${second - first} ms`;
      };
    },
  },
  {
    name: '429 on a request that must not be sent twice',
    expected: outcome.rateLimited('Try again in a moment.'),
    arrange: async (context) => {
      const server = await serve((_request, response) => response.writeHead(429, { 'retry-after': '0' }).end());
      return () =>
        context
          .client(server)
          .createAuthenticationToken(secrets)
          .finally(() => {
            if (server.received.length !== 1) {
              throw new Error(`${server.received.length} requests instead of 1`);
            }
          });
    },
  },
  retryAfter(429, undefined, 1, outcome.rateLimited(IN_MINUTES)),
  retryAfter(429, '0', 3, outcome.rateLimited('Try again in a moment.')),
  retryAfter(429, '3600', 1, outcome.rateLimited('Try again in 3600 seconds.')),
  // A second or so has passed by then.
  retryAfter(
    429,
    IN_AN_HOUR,
    1,
    Array.from({ length: 20 }, (_each, second) => outcome.rateLimited(`Try again in ${3600 - second} seconds.`)),
  ),
  retryAfter(429, PAST_DATE, 3, outcome.rateLimited('Try again in a moment.')),
  retryAfter(429, 'soon', 1, outcome.rateLimited(IN_MINUTES)),
  retryAfter(429, '-1', 1, outcome.rateLimited(IN_MINUTES)),
  retryAfter(429, '99999999999999999999', 1, outcome.rateLimited(IN_MINUTES)),
  retryAfter(503, undefined, 3, outcome.serviceError(503)),
  retryAfter(503, '0', 3, outcome.serviceError(503)),
  retryAfter(503, '3600', 1, outcome.serviceError(503)),
  retryAfter(503, IN_AN_HOUR, 1, outcome.serviceError(503)),
  retryAfter(503, '99999999999999999999', 3, outcome.serviceError(503)),
  retryAfter(503, PAST_DATE, 3, outcome.serviceError(503)),
  retryAfter(503, 'soon', 3, outcome.serviceError(503)),
  retryAfter(503, '-1', 3, outcome.serviceError(503)),
  exchange('an exchange that fails with 200', 'invalid request'),
  exchange('an exchange whose error repeats the secrets', `bad secret ${secrets.clientSecret} for ${secrets.code}`),
];
