import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { ensureDemoCredentials, getDemoCredentials } from '../../../src/localService/store/demoCredentials.ts';
import { exchangeAuthToken } from '../../../src/localService/store/grants.ts';
import { openStore } from '../../../src/localService/store/openStore.ts';
import { hashSecret } from '../../../src/localService/store/secrets.ts';
import type { Store } from '../../../src/localService/store/store.ts';
import { approve, registerClient, signIn } from '../../support/consent.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { startInProcess } from '../../support/inProcessService.ts';
import { accessTokenOf, authTokenOf, call, form } from '../../support/serviceRequests.ts';

/** What the service printed. */
function valuesOf(service: LocalService): unknown {
  return JSON.parse(JSON.stringify(service));
}

describe('local service: persistence', () => {
  let folder: string;
  let dataFolder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'local-service-'));
    dataFolder = join(folder, 'below', 'data');
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

  it('keeps its folder and its files from other users, also those that were open to them', async function () {
    if (process.platform === 'win32') {
      // Windows has no such permissions.
      return;
    }
    const modes = async (): Promise<Record<string, string>> => {
      const names = ['.', ...(await readdir(dataFolder))];
      const entries = names.map(async (name) => [
        name,
        ((await stat(join(dataFolder, name))).mode & 0o777).toString(8),
      ]);
      return Object.fromEntries((await Promise.all(entries)) as [string, string][]);
    };
    const folders = { '.': '700', files: '700', work: '700' };
    const expected = { ...folders, 'service.db': '600', 'service.db-shm': '600', 'service.db-wal': '600' };
    const first = await startLocalService({ dataFolder });
    assert.deepEqual(await modes(), expected);
    // Killed, it leaves all of its files.
    await first.stop('SIGKILL');
    for (const name of Object.keys(expected)) {
      await chmod(join(dataFolder, name), name in folders ? 0o755 : 0o644);
    }
    const second = await startLocalService({ dataFolder });
    assert.deepEqual(await modes(), expected);
    await second.stop();
  });

  it('leaves the permissions of a folder with other files alone', async () => {
    await mkdir(dataFolder, { recursive: true });
    await writeFile(join(dataFolder, 'notes.txt'), '');
    await chmod(dataFolder, 0o755);
    const before = (await stat(dataFolder)).mode;
    await (await startLocalService({ dataFolder })).stop();
    assert.equal((await stat(dataFolder)).mode, before);
  });

  it('writes no password and no secret of a session in clear, save those of the demo', async () => {
    const service = await startLocalService({ dataFolder });
    const accessToken = await accessTokenOf(service);
    const { browser, page } = await signIn(service);
    const { clientSecret } = await registerClient(browser);
    const cookie = /=([0-9a-f]{40});/.exec(page.headers.getSetCookie()[0] ?? '')?.[1];
    const location = await approve(service, `${service.baseUrl}/authorize?client_id=${service.clientId}`);
    // Before the service ends, and after it has tidied up.
    for (const moment of ['while it runs', 'after its end']) {
      const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
      const files = await Promise.all(
        entries
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
      );
      const bytes = files.join('');
      assert.ok(bytes.includes(service.authToken), moment);
      for (const secret of [accessToken, clientSecret, new URL(location).searchParams.get('code'), cookie]) {
        assert.ok(secret === undefined || !bytes.includes(secret ?? ''), secret ?? 'no code');
      }
      await service.stop();
    }
  });

  it('writes as little to the disk for a change with 20,000 grants as with none', async () => {
    const reports: string[] = [];
    const folders = [join(folder, 'none'), join(folder, 'many')] as const;
    const [none, many] = await Promise.all(folders.map((each) => openStore(each, (line) => reports.push(line))));
    assert.ok(none !== undefined && many !== undefined);
    many.transaction(() => {
      for (let index = 0; index < 20_000; index += 1) {
        const clientId = `client-${index}`;
        const texts = { name: '', mainUrl: '', callbackUrl: '', secretHash: '', createdAt: '' };
        many.insert('clients', { id: clientId, ownerId: 1, ...texts });
        many.insert('accessTokens', { hash: hashSecret(clientId), userId: 1, clientId, createdAt: '' });
      }
    });
    const bytesOfChange = async (store: Store, dataFolder: string): Promise<number> => {
      ensureDemoCredentials(store, undefined);
      const { authToken, clientId, clientSecret } = getDemoCredentials(store);
      const size = async () => (await stat(join(dataFolder, 'service.db-wal'))).size;
      const before = await size();
      assert.ok(exchangeAuthToken(store, { authToken, clientId, clientSecret }));
      return (await size()) - before;
    };
    const [small, large] = [await bytesOfChange(none, folders[0]), await bytesOfChange(many, folders[1])];
    none.close();
    many.close();
    assert.deepEqual(reports, []);
    assert.ok(small > 0 && large <= 4 * small, `${small} and ${large} bytes`);
  });

  const damages: Readonly<Record<string, (database: Buffer) => Buffer>> = {
    'cut off': (database) => database.subarray(0, 3 * 4096),
    'with a broken page': (database) => Buffer.concat([database.subarray(0, 4096), database.subarray(4096).fill(0xff)]),
    'with a broken header': (database) => Buffer.concat([Buffer.alloc(100, 'x'), database.subarray(100)]),
    'that is another kind of file': () => Buffer.from('{"version": 1}'.repeat(1000)),
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`notices a database ${name} at the start, sets it aside and says so`, async () => {
      const first = await startLocalService({ dataFolder });
      await first.stop();
      const file = join(dataFolder, 'service.db');
      const damaged = damage(await readFile(file));
      await writeFile(file, damaged);
      await writeFile(`${file}-wal`, 'what was in the log');
      const second = await startLocalService({ dataFolder });
      assert.notEqual(second.authToken, first.authToken);
      assert.equal((await call(second.baseUrl, `/api/v1/me?auth_token=${second.authToken}`)).status, 200);
      await second.stop();
      assert.match(second.errorOutput(), /service\.db is damaged\. It was kept as .*service\.db\.corrupt-/);
      const [aside = ''] = /(?<=kept as ).*service\.db\.corrupt-.*Z/.exec(second.errorOutput()) ?? [];
      assert.deepEqual(await readFile(aside), damaged);
      assert.equal(await readFile(`${aside}-wal`, 'utf8'), 'what was in the log');
    });
  }

  it('says so when the database is empty', async () => {
    const first = await startLocalService({ dataFolder });
    await first.stop();
    await writeFile(join(dataFolder, 'service.db'), '');
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(join(dataFolder, 'service.db'), yesterday, yesterday);
    const second = await startLocalService({ dataFolder });
    await second.stop();
    assert.notEqual(second.authToken, first.authToken);
    assert.match(second.errorOutput(), /service\.db is empty; the service starts with fresh data/);
  });

  it('leaves a database of a later version alone', async () => {
    const first = await startLocalService({ dataFolder });
    await first.stop();
    const file = join(dataFolder, 'service.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = await readFile(file);
    await assert.rejects(startLocalService({ dataFolder }), /written by a later version/);
    assert.deepEqual(await readFile(file), before);
  });

  it('says so when there can be no data folder', async () => {
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(
      startLocalService({ dataFolder: join(folder, 'file', 'below') }),
      /The data folder .* cannot be used \((ENOTDIR|ENOENT|EEXIST)\)\. Name another one with --data\./,
    );
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
      call(
        service.baseUrl,
        '/authorize?callback=x',
        form({ client_id: service.clientId, client_secret: service.clientSecret, auth_token: service.authToken }),
      );
    service.breakDisk(true);
    const failed = await ask();
    assert.equal(failed.status, 500);
    assert.equal(failed.text, 'x({"error":"internal server error"})');
    assert.match(service.reports.join('\n'), /^POST \/authorize: Error: attempt to write a readonly database/);
    service.breakDisk(false);
    assert.match(await (await signIn(service)).page.text(), /No application acts for you/);
    assert.equal((await ask()).status, 200);
    await service.stop();
  });
});

describe('local service: data of version 0.1.0', () => {
  // What version 0.1.0 wrote, and what it handed out meanwhile.
  const authToken = 'fUdopV2xULCAQxJHHZZQ';
  const accessToken = '9471b57dce4c7150a6bb18115b30db8fd60e5abc';
  const client = { clientId: 'dcc990590957f63a5b6b', clientSecret: 'ac1d9a3a762511a33e06b73cfff91c5082dcb3ad' };
  let folder: string;
  let text: string;
  let port: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'local-service-'));
    const fixture = new URL('../../fixtures/dataOfVersion010.json', import.meta.url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    server.close();
    text = (await readFile(fixture, 'utf8')).replace('"port": 45173', `"port": ${port}`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is taken over at the first start, and kept aside', async () => {
    await writeFile(join(folder, 'data.json'), text);
    const service = await startLocalService({ dataFolder: folder });
    assert.equal(service.errorOutput(), '');
    assert.equal(service.baseUrl, `http://127.0.0.1:${port}`);
    assert.equal(service.authToken, authToken);
    assert.equal(service.callbackUrl, 'http://127.0.0.1:1/callback');
    assert.equal((await call(service.baseUrl, `/api/v1/me?access_token=${accessToken}`)).status, 200);
    assert.equal(await authTokenOf(service), 'Hwow3fQ9l5L_aHG6RkTj');
    const other = await accessTokenOf({ ...service, ...client });
    assert.equal((await call(service.baseUrl, `/api/v1/apps/1001?access_token=${other}`)).status, 200);
    await service.stop();
    assert.deepEqual((await readdir(folder)).sort(), ['data.json.0.1.0', 'files', 'service.db', 'work']);
    assert.equal(await readFile(join(folder, 'data.json.0.1.0'), 'utf8'), text);
  });

  it('is taken over once, also when two processes start at the same time', async () => {
    await writeFile(join(folder, 'data.json'), text);
    const services = await Promise.all([1, 2].map(() => startLocalService({ dataFolder: folder })));
    for (const service of services) {
      assert.equal(service.authToken, authToken);
      assert.equal(service.baseUrl, `http://127.0.0.1:${port}`);
      assert.equal(service.errorOutput(), '');
    }
    await Promise.all(services.map((service) => service.stop()));
  });

  for (const [name, damage] of Object.entries({
    truncated: (json: string) => json.slice(0, 200),
    empty: () => '',
    'another kind of JSON': () => '[]',
    'without its users': (json: string) => json.replace('"users"', '"persons"'),
    'with a broken app': (json: string) => json.replace('"title": "Tide Table"', '"title": null'),
    'with a token of nobody': (json: string) =>
      json.replace('"userId": 1,\n      "name"', '"userId": 5,\n      "name"'),
  })) {
    it(`is set aside when it is damaged: ${name}`, async () => {
      const file = join(folder, 'data.json');
      await writeFile(file, damage(text));
      const service = await startLocalService({ dataFolder: folder });
      await service.stop();
      assert.notEqual(service.authToken, authToken);
      assert.match(service.errorOutput(), /data\.json is damaged\. It was kept as .*data\.json\.corrupt-/);
      const [aside = ''] = (await readdir(folder)).filter((each) => each.startsWith('data.json.corrupt-'));
      assert.equal(await readFile(join(folder, aside), 'utf8'), damage(text));
    });
  }

  it('is left alone where --data names its file, with a word about what to do', async () => {
    const file = join(folder, 'mine.json');
    await writeFile(file, text);
    await assert.rejects(
      startLocalService({ dataFolder: file }),
      /mine\.json is a file, but the data is kept in a folder\..*version 0\.1\.0, move the file there as data\.json\./,
    );
    assert.equal(await readFile(file, 'utf8'), text);
  });
});
