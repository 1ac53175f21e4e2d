import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service-client/errors/serviceError.ts';
import { accessToken, cleanUp, createClient, captureFailure, json, serve } from '../../support/servers.ts';

describe('a client with rejected credentials', () => {
  let refusals: number;
  const onUnauthorized = () => {
    refusals += 1;
  };

  beforeEach(() => {
    refusals = 0;
  });

  afterEach(cleanUp);

  it('reports the rejection before the call fails, even if the caller accepts any status', async () => {
    const server = await serve((_request, response) => json(response, {}, 401));
    const client = createClient(server, { onUnauthorized });
    for (const call of [
      () => client.me(),
      () => client.send({ method: 'POST', url: '/api/v1/apps', anyStatus: true }),
      () => client.download('/api/v1/apps/7/android'),
    ]) {
      const before = refusals;
      const { kind, remedy } = await captureFailure(ServiceError, call());
      assert.deepEqual([kind, remedy, refusals], ['unauthorized', 'signIn', before + 1]);
    }
  });

  it('doesn’t report other failures', async () => {
    const server = await serve((_request, response) => json(response, {}, 403));
    await assert.rejects(createClient(server, { onUnauthorized }).me());
    assert.equal(refusals, 0);
  });

  it('names another server that a link leads to, and doesn’t report its rejection', async () => {
    const elsewhere = await serve((_request, response) => json(response, { error: 'no entry' }, 401));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/file` }).end(),
    );
    const { host } = new URL(elsewhere.url);
    for (const url of [`${elsewhere.url}/file`, '/api/v1/apps/7/android']) {
      const error = await captureFailure(ServiceError, createClient(server, { onUnauthorized }).download(url));
      assert.equal(error.message, `This link leads to ${host}, which returned status 401: no entry`);
      assert.equal(error.kind, 'service');
      assert.notEqual(error.remedy, 'signIn');
    }
    assert.equal(refusals, 0);
  });

  it('doesn’t report the rejection of other credentials', async () => {
    const server = await serve((_request, response) => json(response, {}, 401));
    const client = createClient(server, { onUnauthorized });
    await assert.rejects(client.withCredentials({ type: 'accessToken', accessToken }).me());
    assert.equal(refusals, 0);
  });
});
