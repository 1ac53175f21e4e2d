import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { findApp } from '../../../src/build-service/store/apps.ts';
import { findBuild } from '../../../src/build-service/store/builds.ts';
import { openDatabase, openServedDatabase } from '../../../src/build-service/store/database.ts';
import { lockFolder, openStore } from '../../../src/build-service/store/dataFolder.ts';
import { ensureOwnerCredentials, getOwnerCredentials, readServiceRow } from '../../../src/build-service/store/owner.ts';
import { findKeyPasswords, findKeys } from '../../../src/build-service/store/keys.ts';
import {
  exchangeCode,
  findAuthTokens,
  findUserByToken,
  redeemSignInTicket,
} from '../../../src/build-service/store/tokens.ts';
import { nextId, Store } from '../../../src/build-service/store/store.ts';
import { approve, signIn } from '../../support/consent.ts';
import { startLocalService } from '../../support/localService.ts';
import { endUnfinishedBuilds, startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { fetchAccessToken, fetchAuthToken, call, form } from '../../support/serviceRequests.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { repositoryRoot } from '../../support/repository.ts';
import { itOnPosix } from '../../support/itOnPosix.ts';

const fixtures = join(repositoryRoot, 'test', 'fixtures');

describe('local service: persistence', () => {
  let folder: string;
  let dataFolder: string;
  let reports: string[];
  const report = (line: string): number => reports.push(line);
  useFolderForEachTest((made) => {
    folder = made;
    dataFolder = join(folder, 'below', 'data');
    reports = [];
  });

  /** Opens the service on the data folder, in this process. No build creates or removes files while a test reads them. */
  const open = async (): Promise<InProcessService> => {
    const store = await openStore(dataFolder, report, { demo: true });
    endUnfinishedBuilds(store);
    return startInProcess({ store, dataFolder });
  };
  /** Opens and closes the data, and returns the demo user's token. */
  const readAuthToken = async (): Promise<string> => {
    const store = await openStore(dataFolder, report, { demo: true });
    ensureOwnerCredentials(store, undefined);
    const { authToken } = getOwnerCredentials(store);
    store.close();
    return authToken;
  };

  it('keeps all acknowledged changes when it’s killed', async () => {
    const first = await startLocalService({ dataFolder });
    const accessToken = await fetchAccessToken(first);
    const authToken = await fetchAuthToken(first);
    const { browser } = await signIn(first);
    const location = await approve(first, `${first.baseUrl}/authorize?client_id=${first.clientId}`);
    await first.stop('SIGKILL');

    const second = await startLocalService({ dataFolder });
    assert.deepEqual(JSON.parse(JSON.stringify({ ...second, pid: first.pid })), JSON.parse(JSON.stringify(first)));
    assert.equal((await call(second.baseUrl, `/api/v1/me?access_token=${accessToken}`)).status, 200);
    assert.equal((await call(second.baseUrl, `/api/v1/me?auth_token=${authToken}`)).status, 200);
    assert.equal((await browser.open('/account')).status, 200);
    const code = new URL(location).searchParams.get('code') ?? '';
    const client = { client_id: second.clientId, client_secret: second.clientSecret };
    assert.equal((await call(second.baseUrl, '/authorize/token', form({ ...client, code }))).status, 200);
    await second.stop();
  });

  itOnPosix('protects its folder and files from other users, and restores permissions that were changed', async () => {
    const modes = async (): Promise<Record<string, string>> => {
      const names = ['.', ...(await readdir(dataFolder))];
      const entries = names.map(async (name) => [
        name,
        ((await stat(join(dataFolder, name))).mode & 0o777).toString(8),
      ]);
      return Object.fromEntries((await Promise.all(entries)) as [string, string][]);
    };
    const folders = { '.': '700', files: '700', work: '700' };
    const files = { 'service.db': '600', 'service.db-shm': '600', 'service.db-wal': '600', 'service.lock': '600' };
    const first = await open();
    const release = lockFolder(dataFolder);
    assert.deepEqual(await modes(), { ...folders, ...files });
    for (const name of [...Object.keys(folders), 'service.db', 'service.db-shm', 'service.db-wal']) {
      await chmod(join(dataFolder, name), name in folders ? 0o755 : 0o644);
    }
    const second = await open();
    assert.deepEqual(await modes(), { ...folders, ...files });
    release?.();
    await Promise.all([first.stop(), second.stop()]);
  });

  it('doesn’t change the permissions of a folder that contains another program’s files', async () => {
    await readAuthToken();
    await writeFile(join(dataFolder, 'notes.txt'), '');
    await chmod(dataFolder, 0o755);
    const before = (await stat(dataFolder)).mode;
    await readAuthToken();
    assert.equal((await stat(dataFolder)).mode, before);
  });

  const foreign: Readonly<Record<string, string>> = {
    'a folder “work”': 'work/thesis/chapter1.txt',
    'a folder “files”': 'files/photo.jpg',
    'other files': 'notes.txt',
  };
  for (const [name, path] of Object.entries(foreign)) {
    it(`rejects a folder that contains ${name} but no data of the service, and leaves it unchanged`, async () => {
      await mkdir(join(dataFolder, path, '..'), { recursive: true });
      await writeFile(join(dataFolder, path), '{"users": 3}');
      const before = await readdir(dataFolder, { recursive: true });
      const { mode } = await stat(dataFolder);
      await assert.rejects(openStore(dataFolder, report, { demo: true }), {
        name: 'StartError',
        message: `The folder ${dataFolder} contains other files and no data of the service. Specify an empty or new folder with --data.`,
      });
      assert.deepEqual(await readdir(dataFolder, { recursive: true }), before);
      assert.equal(await readFile(join(dataFolder, path), 'utf8'), '{"users": 3}');
      assert.equal((await stat(dataFolder)).mode, mode);
    });
  }

  it('accepts a folder that contains only the engine or an interrupted first start', async () => {
    for (const name of ['engine', 'engine-partial-abc', 'service.lock', 'service.db.corrupt-2026']) {
      dataFolder = join(folder, `with-${name}`);
      await mkdir(join(dataFolder, name), { recursive: true });
      if (name === 'service.lock') {
        await rm(join(dataFolder, name), { recursive: true });
        await writeFile(join(dataFolder, name), '');
      }
      assert.match(await readAuthToken(), /^[\w-]{20}$/);
    }
  });

  const damages: Readonly<Record<string, (database: Buffer) => Buffer>> = {
    'that is truncated': (database) => database.subarray(0, 3 * 4096),
    'that is a different type of file': () => Buffer.from('{"version": 1}'.repeat(1000)),
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`sets aside and reports a database ${name} when the service starts`, async () => {
      const first = await readAuthToken();
      const file = join(dataFolder, 'service.db');
      const damaged = damage(await readFile(file));
      await writeFile(file, damaged);
      await writeFile(`${file}-wal`, 'what was in the log');
      assert.notEqual(await readAuthToken(), first);
      const [said = '', ...more] = reports;
      assert.deepEqual(more, []);
      const [aside = ''] = /(?<=service\.db is damaged and was moved to ).*service\.db\.corrupt-.*Z/.exec(said) ?? [];
      assert.deepEqual(await readFile(aside), damaged);
      assert.equal(await readFile(`${aside}-wal`, 'utf8'), 'what was in the log');
    });
  }

  it('reports an empty database', async () => {
    const first = await readAuthToken();
    await writeFile(join(dataFolder, 'service.db'), '');
    assert.notEqual(await readAuthToken(), first);
    assert.match(reports.join(), /service\.db is empty\. The service starts with new data\.$/);
  });

  it('migrates the data of version 8 completely', async () => {
    await mkdir(dataFolder, { recursive: true });
    const database = new DatabaseSync(join(dataFolder, 'service.db'));
    database.exec(await readFile(join(fixtures, 'serviceData8.sql'), 'utf8'));
    // This is the schema that the first services with this version wrote.
    database.exec('ALTER TABLE builds DROP COLUMN interruptions');
    database.close();
    const store = await openStore(dataFolder, report, { demo: false, now: () => 4_000_000_000_000 - 1 });
    const client = { clientId: '85e78414516bda9bc034', clientSecret: 'c3e14cce52f7050073cb94eaed723b2111f48b43' };
    const code = { code: '2644310a6f66caaff526ad2c05239ff6a79fd36c', codeVerifier: '', redirectUri: '' };
    const app = findApp(store, '1006');
    assert.deepEqual(
      {
        port: readServiceRow(store).port,
        owner: getOwnerCredentials(store),
        tokens: findAuthTokens(store, 1).map(({ name, token }) => `${name}: ${token}`),
        byAuthToken: findUserByToken(store, 'auth', 'q9h8ZpfgoeO3FcSfgrWN')?.username,
        byAccessToken: findUserByToken(store, 'access', 'c7380cbff400283691537d3c7fb20c021715facc')?.username,
        bySession: findUserByToken(store, 'session', 'c'.repeat(40))?.username,
        byTicket: redeemSignInTicket(store, 'da62a075e6dd23435f065d38b3e77fa52f09945f', '/account')?.username,
        byCode: typeof exchangeCode(store, { ...client, ...code }),
        keys: findKeys(store, 1).map(({ title }) => title),
        passwords: findKeyPasswords(store, 9),
        app: [app?.title, app?.keys, app?.upload?.size, app?.plugins, app?.participants],
        build: findBuild(store, 1006, 'android')?.artifact?.name,
        people: findApp(store, '1001')?.participants.map(({ person, role }) => `${person}: ${role}`),
        nextId: store.transaction(() => nextId(store, 'participants')),
        installKeys: store.get("SELECT 1 FROM sqlite_master WHERE name = 'installKeys'"),
      },
      {
        port: 40_123,
        owner: {
          ...client,
          username: 'demo',
          password: 'uUtaP8mqfqeBpGu2MZqt',
          authToken: 'Q4naJAReEtSFPGlwIVjZ',
          callbackUrl: 'vscode://app-build.app-build-service/auth/callback',
        },
        tokens: [
          'Demo: Q4naJAReEtSFPGlwIVjZ',
          'Backup: q9h8ZpfgoeO3FcSfgrWN',
          'Obtained with user name and password: zyLHjSiPEMq-mL-HnEJI',
        ],
        byAuthToken: 'demo',
        byAccessToken: 'demo',
        bySession: 'demo',
        byTicket: 'demo',
        byCode: 'string',
        keys: [
          'Play Store release',
          'App Store distribution',
          'Internal testing',
          'Ad hoc',
          'Publisher ID',
          'Desktop certificate',
          'Own key',
        ],
        passwords: { key_pw: 'secret one', keystore_pw: 'secret two' },
        app: [
          'Ours',
          { android: 9 },
          123,
          [{ name: 'a', version: null }],
          [{ id: 9, person: 'demo@example.com', role: 'admin', userId: 1 }],
        ],
        build: 'ours.apk',
        people: ['demo@example.com: admin', 'octo-demo@example.com: developer', 'new.tester@example.com: tester'],
        nextId: 21,
        installKeys: undefined,
      },
    );
    const columns = 'SELECT name FROM pragma_table_info(?) ORDER BY name';
    const fresh = new Store(openDatabase(undefined, report));
    for (const { name } of fresh.all("SELECT name FROM sqlite_master WHERE type = 'table'")) {
      assert.deepEqual(store.all(columns, name ?? null), fresh.all(columns, name ?? null), String(name));
    }
    fresh.close();
    store.close();
    assert.deepEqual(reports, []);
  });

  it('leaves the data unchanged when it can’t be migrated completely', async () => {
    await mkdir(dataFolder, { recursive: true });
    const file = join(dataFolder, 'service.db');
    const database = new DatabaseSync(file);
    database.exec(await readFile(join(fixtures, 'serviceData8.sql'), 'utf8'));
    database.exec('DROP TABLE sessions');
    const tables = database.prepare('SELECT name FROM sqlite_master ORDER BY name').all();
    await assert.rejects(openStore(dataFolder, report, { demo: false }), /service\.db can’t be used/);
    assert.deepEqual(database.prepare('SELECT name FROM sqlite_master ORDER BY name').all(), tables);
    assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, 8);
    database.close();
  });

  for (const [version, text] of [
    [99, 'a later version of the service. Update this version, or specify another folder with --data.'],
    [3, 'a version of the service that’s too old. Move its folder, or specify another one with --data.'],
  ] as const) {
    it(`leaves a database of version ${version} unchanged`, async () => {
      await readAuthToken();
      const file = join(dataFolder, 'service.db');
      const database = new DatabaseSync(file);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
      const before = await readFile(file);
      const message = `The database ${file} is from ${text}`;
      await assert.rejects(openStore(dataFolder, report, { demo: true }), { message });
      assert.throws(() => openServedDatabase(dataFolder), /Another version of the service uses the data folder/);
      assert.deepEqual(await readFile(file), before);
    });
  }

  itOnPosix('rejects a folder that belongs to another user', async () => {
    const isRoot = process.getuid?.() === 0;
    // Only root can give a folder away. The system's folders belong to root.
    const foreign = isRoot ? dataFolder : '/usr';
    if (isRoot) {
      await readAuthToken();
      await chown(dataFolder, 65_534, 65_534);
    }
    await assert.rejects(openStore(foreign, report, { demo: true }), {
      name: 'StartError',
      message: `The folder ${foreign} belongs to another user. Specify a folder of your own with --data.`,
    });
  });

  itOnPosix('rejects a database or lock that’s a link, and leaves the link’s target unchanged', async () => {
    for (const name of ['service.db', 'service.lock']) {
      dataFolder = join(folder, `linked-${name}`);
      await mkdir(dataFolder);
      const target = join(folder, `target-${name}`);
      await writeFile(target, '');
      await symlink(target, join(dataFolder, name));
      await assert.rejects(openStore(dataFolder, report, { demo: true }), {
        name: 'StartError',
        message: `${join(dataFolder, name)} is a link, but the service needs a file there. Delete it, or specify another folder with --data.`,
      });
      assert.equal(await readFile(target, 'utf8'), '');
    }
  });

  it('reports that the data folder can’t be created', async () => {
    await writeFile(join(folder, 'file'), 'mine');
    await assert.rejects(openStore(join(folder, 'file'), report, { demo: true }), /file is a file\. Specify a folder/);
    assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'mine');
    await assert.rejects(
      openStore(join(folder, 'file', 'below'), report, { demo: true }),
      /The data folder .* can’t be used \((ENOTDIR|ENOENT|EEXIST)\)\. Specify another one with --data\./,
    );
  });

  it('responds with 500 without details when the database can’t be written, and discards the change', async () => {
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
    assert.match(await (await signIn(service)).page.text(), /No authorized applications/);
    assert.equal((await ask()).status, 200);
    await service.stop();
  });
});
