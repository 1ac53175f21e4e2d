import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { approve, signIn } from '../../support/consent.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { accessTokenOf, authTokenOf, basic, call, form } from '../../support/serviceRequests.ts';

/** What the service printed. */
function valuesOf(service: LocalService): unknown {
  return JSON.parse(JSON.stringify(service));
}

describe('local service: persistence', () => {
  let folder: string;
  let dataFolder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'local-service-'));
    dataFolder = join(folder, 'below', 'data.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`keeps everything it acknowledged across ${signal}`, async () => {
      const first = await startLocalService({ dataFolder });
      const accessToken = await accessTokenOf(first);
      const authToken = await authTokenOf(first);
      const { browser } = await signIn(first);
      const location = await approve(first, `${first.baseUrl}/authorize?client_id=${first.clientId}`);
      await first.stop(signal);

      const second = await startLocalService({ dataFolder });
      assert.deepEqual(valuesOf(second), valuesOf(first));
      assert.equal((await call(second.baseUrl, `/api/v1/me?access_token=${accessToken}`)).status, 200);
      assert.equal((await call(second.baseUrl, `/api/v1/me?auth_token=${authToken}`)).status, 200);
      assert.equal((await browser.open('/account')).status, 200);
      const code = new URL(location).searchParams.get('code') ?? '';
      const client = { client_id: second.clientId, client_secret: second.clientSecret };
      assert.equal((await call(second.baseUrl, '/authorize/token', form({ ...client, code }))).status, 200);
      await second.stop();
    });
  }

  it('loses nothing acknowledged when it is killed amid many writes', async () => {
    const first = await startLocalService({ dataFolder });
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 20 }, async () => {
      acknowledged.push(await accessTokenOf(first));
    });
    await Promise.any(writers);
    await Promise.all([first.stop('SIGKILL'), Promise.allSettled(writers)]);
    const second = await startLocalService({ dataFolder });
    assert.ok(acknowledged.length > 0);
    for (const token of acknowledged) {
      assert.equal((await call(second.baseUrl, `/api/v1/me?access_token=${token}`)).status, 200);
    }
    await second.stop();
  });

  it('keeps its file from other users, also one that was open to them', async () => {
    const mode = async (): Promise<number> => (await stat(dataFolder)).mode & 0o777;
    await (await startLocalService({ dataFolder })).stop();
    assert.equal(await mode(), 0o600);
    await chmod(dataFolder, 0o644);
    await (await startLocalService({ dataFolder, callbackUrl: 'http://127.0.0.1:2/' })).stop();
    assert.equal(await mode(), 0o600);
  });

  it('writes no password and no secret of a session in clear, save those of the demo', async () => {
    const service = await startLocalService({ dataFolder });
    const accessToken = await accessTokenOf(service);
    const location = await approve(service, `${service.baseUrl}/authorize?client_id=${service.clientId}`);
    await service.stop();
    const text = await readFile(dataFolder, 'utf8');
    assert.ok(!text.includes(accessToken));
    assert.ok(!text.includes(new URL(location).searchParams.get('code') ?? ''));
    const { users } = JSON.parse(text) as { users: Record<string, unknown>[] };
    assert.deepEqual(
      users.map(({ password }) => password !== null && Object.keys(password as object)),
      [['salt', 'hash'], false],
    );
    assert.ok(!JSON.stringify(users).includes(service.password));
  });

  for (const [name, damage] of Object.entries({
    truncated: (text: string) => text.slice(0, 200),
    empty: () => '',
    'another kind of JSON': () => '[]',
    'without its users': (text: string) => text.replace('"users"', '"persons"'),
    'with a broken app': (text: string) => text.replace('"title": "Tide Table"', '"title": 5'),
  })) {
    it(`sets a damaged file aside: ${name}`, async () => {
      const first = await startLocalService({ dataFolder });
      await first.stop();
      const damaged = damage(await readFile(dataFolder, 'utf8'));
      await writeFile(dataFolder, damaged);
      const second = await startLocalService({ dataFolder });
      await second.stop();
      assert.notEqual(second.authToken, first.authToken);
      assert.match(second.errorOutput(), /data\.json is damaged\. It was kept as .*data\.json\.corrupt-/);
      const [aside = ''] = (await readdir(join(folder, 'below'))).filter((file) =>
        file.startsWith('data.json.corrupt-'),
      );
      assert.equal(await readFile(join(folder, 'below', aside), 'utf8'), damaged);
    });
  }

  it('leaves a file of a later version alone', async () => {
    dataFolder = join(folder, 'later.json');
    await writeFile(dataFolder, '{"version":2}');
    await assert.rejects(startLocalService({ dataFolder }), /written by a later version/);
    assert.equal(await readFile(dataFolder, 'utf8'), '{"version":2}');
  });

  it('says so when the file cannot be read', async () => {
    await assert.rejects(startLocalService({ dataFolder: folder }), /cannot be read \(EISDIR\)/);
  });

  it('gives the demo client another Callback Url when it is started with one', async () => {
    const first = await startLocalService({ dataFolder });
    await first.stop();
    const second = await startLocalService({ dataFolder, callbackUrl: 'http://127.0.0.1:2/other?a=b' });
    assert.equal(second.clientId, first.clientId);
    assert.equal(second.callbackUrl, 'http://127.0.0.1:2/other?a=b');
    assert.match(
      await approve(second, `${second.baseUrl}/authorize?client_id=${second.clientId}`),
      /^http:\/\/127\.0\.0\.1:2\/other\?a=b&code=/,
    );
    await second.stop();
  });

  it('takes another port when that of the last run is taken', async () => {
    const first = await startLocalService({ dataFolder });
    await first.stop();
    const squatter = createServer().listen(Number(new URL(first.baseUrl).port), '127.0.0.1');
    const second = await startLocalService({ dataFolder });
    await second.stop();
    squatter.close();
    assert.notEqual(second.baseUrl, first.baseUrl);
    assert.match(second.errorOutput(), /Port \d+ of the last run is taken/);
  });

  it('answers 500 without details when it cannot write, and forgets the change', async () => {
    const service = await startInProcess();
    const ask = (): ReturnType<typeof call> =>
      call(service.baseUrl, '/token?callback=x', {
        method: 'POST',
        headers: basic(service.username, service.password),
      });
    service.breakDisk(true);
    const failed = await ask();
    assert.equal(failed.status, 500);
    assert.equal(failed.text, 'x({"error":"internal server error"})');
    assert.match(service.reports.join('\n'), /^POST \/token: Error: the disk is full/);
    service.breakDisk(false);
    assert.doesNotMatch(await (await signIn(service)).page.text(), /Obtained with/);
    assert.equal((await ask()).status, 200);
    await service.stop();
  });
});

describe('local service: two processes with one data file', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'app-build-shared-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('share one service: the second stands by, and takes over when the first ends', async function () {
    this.timeout(30_000);
    const dataFolder = join(folder, 'data');
    const first = await startLocalService({ dataFolder });
    const second = await startLocalService({ dataFolder });
    try {
      assert.equal(second.baseUrl, first.baseUrl);
      assert.equal(second.clientSecret, first.clientSecret);
      await first.stop();
      const me = () =>
        fetch(`${second.baseUrl}/api/v1/me?auth_token=${second.authToken}`).then(
          ({ status }) => status,
          () => 0,
        );
      // The test's own time is the limit.
      while ((await me()) !== 200);
    } finally {
      await second.stop();
    }
  });
});
