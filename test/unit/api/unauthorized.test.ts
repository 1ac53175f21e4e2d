import assert from 'node:assert/strict';
import { accessToken, cleanUp, clientOf, json, serve } from '../../support/servers.ts';

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
      await assert.rejects(call, () => refusals === before + 1);
    }
  });

  it('says nothing of other failures', async () => {
    const server = await serve((_request, response) => json(response, {}, 403));
    await assert.rejects(clientOf(server, { onUnauthorized }).me());
    assert.equal(refusals, 0);
  });

  it('says nothing of a server that never got them', async () => {
    const elsewhere = await serve((_request, response) => json(response, {}, 401));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${elsewhere.url}/file` }).end(),
    );
    await assert.rejects(clientOf(server, { onUnauthorized }).download('/api/v1/apps/7/android'));
    assert.equal(elsewhere.received.length, 1);
    assert.equal(refusals, 0);
  });

  it('says nothing of somebody else’s', async () => {
    const server = await serve((_request, response) => json(response, {}, 401));
    const client = clientOf(server, { onUnauthorized });
    await assert.rejects(client.withCredentials({ type: 'accessToken', accessToken }).me());
    assert.equal(refusals, 0);
  });
});
