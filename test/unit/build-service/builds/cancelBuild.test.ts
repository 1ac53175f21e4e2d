import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';

import { AppCalls } from '../../../../src/extension/apps/calls/appCalls.ts';
import {
  ask,
  createBuilder,
  fetchBuilds,
  waitForBuilds,
  fetchLog,
  PAGE,
  untilAborted,
  upload,
} from '../../../support/builds.ts';
import { useService } from '../../../support/hooks.ts';
import { startInProcess } from '../../../support/inProcessService.ts';
import { cleanUp, createClient } from '../../../support/servers.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('local service: canceling a build', () => {
  let begun = 0;
  let aborted = 0;
  const builder = createBuilder(
    (...args) => {
      begun += 1;
      return untilAborted(...args).finally(() => (aborted += 1));
    },
    { ios: 'No.', winphone: 'No.', browser: 'No.' },
  );

  const service = useService(() => startInProcess({ builder, buildTimeoutMs: 60_000 }));

  beforeEach(() => {
    [begun, aborted] = [0, 0];
  });

  after(cleanUp);

  const cancel = (id: number, platform = 'android', token = service.authToken): Promise<Response> =>
    fetch(`${service.baseUrl}/api/v1/apps/${id}/build/${platform}?auth_token=${token}`, { method: 'DELETE' });

  async function startedBuild(): Promise<number> {
    const before = begun;
    const id = await upload(service, PAGE);
    await waitUntil(() => begun > before);
    return id;
  }

  it('cancels a running build through its form, marks the build as failed, and keeps its log', async () => {
    const id = await startedBuild();
    const url = service.baseUrl;
    const calls = new AppCalls(
      createClient({ url }, { credentials: { type: 'authToken', authToken: service.authToken } }),
    );
    const app = await calls.get(`${url}/api/v1/apps/${id}`);
    const cancelled = await calls.cancel(app, 'android');
    const build = cancelled.builds.find(({ platform }) => platform === 'android');
    assert.deepEqual([build?.state, build?.error], ['failed', 'The build was canceled.']);
    assert.ok(cancelled.resource.forms.every(({ name }) => name !== 'cancel-android'));
    await waitUntil(async () => (await fetchLog(service, id, 'android')).endsWith('\nThe build was canceled.\n'));
    assert.equal(aborted, 1);
    // The app no longer has a build to cancel. Afterward, it's built again.
    const refused = await cancel(id);
    assert.deepEqual(
      [refused.status, await refused.json()],
      [409, { error: `app #${id} has no running build for android` }],
    );
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    await waitUntil(() => begun === 2);
    assert.equal((await fetchBuilds(service, id)).status.android, 'pending');
    assert.equal((await cancel(id)).status, 202);
    await waitForBuilds(service, id);
  });

  it('ends a waiting build before it starts', async () => {
    const running: number[] = [];
    while (running.length < availableParallelism()) {
      running.push(await startedBuild());
    }
    const id = await upload(service, PAGE);
    const response = await cancel(id);
    const { status, error } = (await response.json()) as { status: Record<string, string>; error: object };
    assert.deepEqual([response.status, status.android, error], [202, 'error', { android: 'The build was canceled.' }]);
    const { started_at: started } = (await ask(service, `/apps/${id}/build/android`)) as Record<string, unknown>;
    assert.equal(started, null);
    assert.equal((await cancel(id, 'symbian')).status, 404);
    await Promise.all(running.map((each) => cancel(each)));
    await waitUntil(() => aborted === running.length);
  });

  it('requires permission to build the app', async () => {
    assert.equal((await cancel(1005)).status, 403);
    const id = await startedBuild();
    assert.equal((await cancel(id, 'android', 'none')).status, 401);
    assert.equal((await fetchBuilds(service, id)).status.android, 'pending');
    assert.equal((await cancel(id)).status, 202);
  });
});
