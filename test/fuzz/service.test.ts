import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import vm from 'node:vm';

import fc from 'fast-check';

import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { call, form, type Answer } from '../support/serviceRequests.ts';
import { holds, wellFormed } from './property.ts';
import { bytes, callback, encoded, pairs, request } from './serviceInputs.ts';

/** Paths for which the contract requires JSON responses. */
const isApi = (path: string): boolean => /^\/(api\/v1|token|authorize\/token)(\/|$)/.test(path);

describe('parameters of the local service', () => {
  let service: InProcessService;
  before(async () => {
    service = await startInProcess();
  });
  after(() => service.stop());

  /** Checks the requirements for all responses. */
  function check(answer: Answer, verb: string, path: string): void {
    assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
    assert.deepEqual(service.reports, []);
    const { location } = answer.headers;
    assert.ok(location === undefined || new URL(location, service.baseUrl).origin === service.baseUrl, location);
    assert.ok(!answer.text.includes(service.clientSecret) && !answer.text.includes(service.password));
    if (verb === 'HEAD' || !isApi(path) || String(answer.headers['content-type']).startsWith('text/javascript')) {
      return;
    }
    assert.match(String(answer.headers['content-type']), /^application\/json/);
    const json = answer.json as Record<string, unknown>;
    assert.ok(typeof json === 'object', answer.text);
    if (answer.status >= 400) {
      assert.equal(typeof json.error, 'string', answer.text);
    }
  }

  for (const signedIn of [false, true]) {
    holds(
      `answers any request ${signedIn ? 'with' : 'without'} a token with a status less than 500, and with JSON on API paths`,
      request,
      async (input) => {
        const auth = signedIn ? { Authorization: `token ${service.authToken}` } : {};
        const sends = input.method === 'POST' || input.method === 'PUT' || input.method === 'PATCH';
        const path = `${input.route}?${input.query}`;
        const answer = await call(service.baseUrl, path, {
          method: input.method,
          headers: {
            ...input.headers,
            ...auth,
            ...(sends && { 'Content-Type': input.contentType, 'Content-Length': String(input.body.length) }),
          },
          ...(sends && { body: input.body }),
        });
        check(answer, input.method, new URL(service.baseUrl + path).pathname);
      },
      10,
    );
  }

  holds(
    'wraps the JSON in a call of any valid callback function, or rejects the name',
    callback,
    async (text) => {
      const answer = await call(
        service.baseUrl,
        `/api/v1/me?auth_token=${service.authToken}&callback=${encodeURIComponent(wellFormed(text))}`,
      );
      check(answer, 'GET', '/api/v1/me');
      if (answer.status === 400) {
        assert.equal(typeof (answer.json as { error: unknown }).error, 'string');
        return;
      }
      assert.equal(answer.status, 200);
      assert.match(text, /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/);
      assert.match(String(answer.headers['content-type']), /^text\/javascript/);
      const [, inside = ''] = /^[^(]*\((.*)\)$/s.exec(answer.text) ?? [];
      assert.equal(answer.text, `${text}(${inside})`);
      // The text between the parentheses is one JavaScript value, equal to its JSON value.
      assert.deepEqual(JSON.parse(JSON.stringify(vm.runInNewContext(`(${inside})`))), JSON.parse(inside));
    },
    10,
  );

  holds(
    'grants any OAuth call, or refuses it with an error that the contract defines',
    fc.tuple(fc.constantFrom('/authorize', '/authorize/token'), pairs, pairs, fc.boolean()),
    async ([path, inQuery, inBody, realClient]) => {
      const client: [string, string][] = realClient
        ? [
            ['client_id', service.clientId],
            ['client_secret', service.clientSecret],
          ]
        : [];
      const answer = await call(
        service.baseUrl,
        `${path}?${encoded([...client, ...inQuery])}`,
        form(Object.fromEntries(inBody.map(([key, content]) => [wellFormed(key), wellFormed(content)]))),
      );
      check(answer, 'POST', '/authorize/token');
      if (inQuery.some(([key]) => key === 'callback')) {
        return;
      }
      const message = (answer.json as { error?: string }).error;
      assert.ok(message === (path === '/authorize' ? 'Invalid authentication token.' : 'invalid request'), answer.text);
    },
    10,
  );

  holds(
    'answers any bytes with a status less than 500, or doesn’t answer',
    bytes,
    async (sent) => {
      const { host, port } = new URL(service.baseUrl);
      const socket = connect(Number(port), '127.0.0.1');
      let answer = '';
      socket.on('data', (piece) => {
        answer += piece.toString('latin1');
      });
      socket.end(Buffer.from(sent.toString('latin1').replaceAll('HOST', host), 'latin1'));
      await once(socket, 'close');
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)) {
        assert.ok(Number(status) < 500, answer);
      }
      assert.deepEqual(service.reports, []);
    },
    10,
  );
});
