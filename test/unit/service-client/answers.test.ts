import assert from 'node:assert/strict';

import { InvalidResponseError } from '../../../src/service-client/errors/responseErrors.ts';
import { ServiceError } from '../../../src/service-client/errors/serviceError.ts';
import { formatSentence } from '../../../src/errors/index.ts';
import { cleanUp, createClient, captureFailure, json, serve } from '../../support/servers.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ANN = '{"username":"ann"}';
const LONG_TEXT = 'x'.repeat(200_000);
const IN_AN_HOUR = 'a date in an hour';

describe('unexpected responses from a service', () => {
  afterEach(cleanUp);

  for (const [name, expected, headers, body] of [
    ['an empty body', 'notJson', JSON_TYPE, ''],
    ['a web page', 'html', { 'content-type': 'text/html' }, '<html>Sign in to the Wi-Fi</html>'],
    [
      'a web page in XHTML',
      'html',
      { 'content-type': 'application/xhtml+xml' },
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">Sign in</html>',
    ],
    ['a captive portal labeled as JSON', 'notJson', JSON_TYPE, '<!DOCTYPE html><title>Welcome</title>'],
    ['JSON without a media type', 'ann', {}, `\uFEFF${ANN}`],
    ['JSON labeled as an image', 'notJson', { 'content-type': 'image/png' }, ANN],
    ['JSONP', 'notJson', { 'content-type': 'text/javascript' }, `show(${ANN})`],
    ['JSONP labeled as JSON', 'notJson', JSON_TYPE, `show(${ANN})`],
    ['bytes that are not UTF-8', '\uFFFD\uFFFD', JSON_TYPE, Buffer.from('{"username":"\xff\xfe"}', 'latin1')],
    ['a user name that is a number', 'missingField', JSON_TYPE, '{"username":7}'],
    ['null', 'missingField', JSON_TYPE, 'null'],
    ['an array', 'missingField', JSON_TYPE, `[${ANN}]`],
    ['5,000 nested arrays', 'missingField', JSON_TYPE, '['.repeat(5000) + ']'.repeat(5000)],
    ['a user name from the prototype', 'missingField', JSON_TYPE, `{"__proto__":${ANN}}`],
  ] as const) {
    it(`reads the user or rejects the response: ${name}`, async () => {
      const server = await serve((_request, response) => response.writeHead(200, headers).end(body));
      const user = createClient(server).currentUser();
      if (expected === 'notJson' || expected === 'missingField' || expected === 'html') {
        assert.equal((await captureFailure(InvalidResponseError, user)).fault, expected);
      } else {
        assert.equal((await user).username, expected);
      }
    });
  }

  for (const [name, error, message] of [
    ['empty', ' \n ', undefined],
    ['a web page', '<p>\n<script>alert(1)</script>', '<p> <script>alert(1)</script>'],
    ['200 kB', LONG_TEXT, `${'x'.repeat(499)}…`],
    ['larger than the limit', LONG_TEXT + LONG_TEXT, undefined],
  ] as const) {
    it(`shortens or omits an error that is ${name}`, async () => {
      const server = await serve((_request, response) => json(response, { error }, 400));
      assert.equal((await captureFailure(ServiceError, createClient(server).me())).serviceMessage, message);
    });
  }
});

describe('retries of a request', () => {
  afterEach(cleanUp);

  const inMinutes = /^Try again in a few minutes\.$/;
  const inAMoment = /^Try again in a moment\.$/;
  for (const [status, retryAfter, requests, next] of [
    [429, undefined, 1, inMinutes],
    [429, '0', 3, inAMoment],
    [429, '3600', 1, /^Try again in 3600 seconds\.$/],
    [429, IN_AN_HOUR, 1, /^Try again in 3[56]\d\d seconds\.$/],
    [429, '99999999999999999999', 1, inMinutes],
    [500, undefined, 1],
    [502, undefined, 3],
    [502, '60', 1],
    [503, undefined, 3],
    [503, '0', 3],
    [503, '3600', 1],
    [503, '99999999999999999999', 3],
  ] as const) {
    it(`retries or reports ${status} with ${retryAfter === undefined ? 'no Retry-After' : `Retry-After: ${retryAfter}`}`, async () => {
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      const headers = retryAfter !== undefined && { 'retry-after': retryAfter === IN_AN_HOUR ? date : retryAfter };
      const server = await serve((_request, response) => response.writeHead(status, { ...headers }).end());
      const error = await captureFailure(ServiceError, createClient(server).me());
      assert.deepEqual([error.status, server.received.length], [status, requests]);
      assert.match(error.next === undefined ? '' : formatSentence(error.next), next ?? /./);
    });
  }

  it('retries after a second when a 429 has Retry-After: 1', async () => {
    const times: number[] = [];
    const server = await serve((_request, response) => {
      times.push(performance.now());
      response.setHeader('retry-after', '1');
      json(response, { username: 'ann' }, times.length === 1 ? 429 : 200);
    });
    assert.equal((await createClient(server).currentUser()).username, 'ann');
    const [first = 0, second = 0, ...more] = times;
    // Node's timers can fire a millisecond early.
    assert.ok(second - first > 990 && more.length === 0, String(times));
  });

  it('doesn’t retry after a 429 if the request must be sent only once', async () => {
    const server = await serve((_request, response) => response.writeHead(429, { 'retry-after': '0' }).end());
    await captureFailure(
      ServiceError,
      createClient(server).createAuthenticationToken({ username: 'a', password: 'pass' }),
    );
    await captureFailure(ServiceError, createClient(server).send({ method: 'PUT', url: '/x' }));
    assert.equal(server.received.length, 2);
  });
});
