import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';

import pgbApi from 'pgb-api';

import { createCertificate } from '../../../src/build-service/tls.ts';
import { samplePackage } from '../../support/appPackages.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { member } from '../../support/serviceRequests.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/** Fields of an app that the client reads. */
interface AppAnswer {
  readonly id: number;
  readonly title: string;
  readonly completed: boolean;
  readonly status: Readonly<Record<string, string | null>>;
  readonly error: Readonly<Record<string, string>>;
}

describe('local service: a third-party client', () => {
  let service: InProcessService;
  let agent: Agent;
  let folder: string;
  useFolderForEachTest((made) => (folder = made));
  let pgb: ReturnType<typeof pgbApi>;

  before(async () => {
    const certificate = await createCertificate(Date.now());
    service = await startInProcess({ certificate });
    agent = new Agent({ ca: certificate.cert });
    pgb = pgbApi({ baseUrl: `${service.baseUrl}/api/v1`, agent });
    pgb.addAuth(member(await pgb.addAuth(service.username, service.password).getToken(), 'token'));
  });
  after(async () => {
    agent.destroy();
    await service.stop();
    assert.deepEqual(service.reports, []);
  });

  /** Polls like the client's own `wait`, but more often. */
  const wait = (id: number): Promise<AppAnswer> =>
    waitUntil(async () => {
      const answer = (await pgb.getStatus(id)) as AppAnswer;
      return answer.completed && answer;
    });

  it('creates, updates, builds, downloads, and deletes an app', async () => {
    const www = join(folder, 'app');
    await mkdir(www);
    await writeFile(join(www, 'index.html'), '<!doctype html><title>One page</title>');
    const created = (await pgb.addApp(www, { keys: {}, ignore: [], share: true, private: 'false' })) as AppAnswer;
    assert.ok(created.id > 1005);
    assert.deepEqual(created.error, {});
    const built = await wait(created.id);
    assert.deepEqual(built.status, { android: 'complete', ios: 'complete' });
    assert.deepEqual(built.error, {});

    const zip = join(folder, 'update.zip');
    await writeFile(zip, await samplePackage({ version: '2.0.0' }));
    const updated = (await pgb.updateApp(created.id, zip, { title: 'Updated', debug: true })) as AppAnswer;
    assert.equal(updated.title, 'Updated');
    assert.equal(member(updated, 'version'), '2.0.0');
    assert.equal(member(updated, 'package'), 'org.example.sample');
    const keyed = (await pgb.updateApp(created.id, { keys: { android: 1 } })) as AppAnswer;
    assert.equal(keyed.title, 'Updated');
    await wait(created.id);

    const asked = (await pgb.buildApp(created.id, 'android')) as AppAnswer;
    // The build may end before the response.
    const requested = /^(?:pending|complete)$/;
    assert.match(String(asked.status.android), requested);
    assert.equal(asked.status.ios, 'complete');
    assert.deepEqual(asked.error.android, undefined);
    await wait(created.id);
    assert.match(String(((await pgb.buildApp(created.id)) as AppAnswer).status.ios), requested);
    await wait(created.id);
    assert.match(String(((await pgb.buildApp(created.id, 'winphone')) as AppAnswer).status.winphone), requested);
    await wait(created.id);
    assert.notEqual(member(await pgb.getAppLog(created.id, 'android'), 'log'), '');
    const saved = String(await pgb.downloadApp(created.id, 'winphone', join(folder, 'app.xap')));
    assert.equal((await readFile(saved)).subarray(0, 2).toString(), 'PK');

    assert.deepEqual(await pgb.deleteApp(created.id), { success: `app ${created.id} deleted` });
    await assert.rejects(() => pgb.getApp(created.id), {
      message: `app #${created.id} not available`,
      statusCode: 404,
    });
  });
});
