import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/api/errors/serviceError.ts';
import { accessToken, cleanUp, clientOf, failureOf, json, serve } from '../../support/servers.ts';

describe('a client whose credentials are refused', () => {
  let refusals: number;
  const onUnauthorized = () => {
    refusals += 1;
  };

  beforeEach(() => {
    refusals = 0;
  });

  afterEach(cleanUp);

  it('says so before the call fails, also where any status is an answer', async () => {
    const server = await serve((_request, response) => json(response, {}, 401));
    const client = clientOf(server, { onUnauthorized });
    for (const call of [
      () => client.me(),
      () => client.send({ method: 'POST', url: '/api/v1/apps', anyStatus: true }),
      () => client.download('/api/v1/apps/7/android'),
    ]) {
      const before = refusals;
      const { kind, remedy } = await failureOf(ServiceError, call());
      assert.deepEqual([kind, remedy, refusals], ['unauthorized', 'signIn', before + 1]);
    }
  });

  it('says nothing of other failures', async () => {
    const server = await serve((_request, response) => json(response, {}, 403));
    await assert.rejects(clientOf(server, { onUnauthorized }).me());
    assert.equal(refusals, 0);
  });

  it('says nothing of another server that a link of a document leads to, and names it', async () => {
    const elsewhere = await serve((_request, response) => json(response, { error: 'no entry' }, 401));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/file` }).end(),
    );
    const { host } = new URL(elsewhere.url);
    for (const url of [`${elsewhere.url}/file`, '/api/v1/apps/7/android']) {
      const error = await failureOf(ServiceError, clientOf(server, { onUnauthorized }).download(url));
      assert.equal(error.message, `${host}, where this leads, answered with status 401: no entry`);
      assert.equal(error.kind, 'service');
      assert.notEqual(error.remedy, 'signIn');
    }
    assert.equal(refusals, 0);
  });

  it('says nothing of somebody else’s', async () => {
    const server = await serve((_request, response) => json(response, {}, 401));
    const client = clientOf(server, { onUnauthorized });
    await assert.rejects(client.withCredentials({ type: 'accessToken', accessToken }).me());
    assert.equal(refusals, 0);
  });
});
