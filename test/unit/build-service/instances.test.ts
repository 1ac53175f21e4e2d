import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

import { claimFolder } from '../../../src/build-service/runningInstance.ts';
import { lockFolder, openStore } from '../../../src/build-service/store/dataFolder.ts';
import { readServiceRow } from '../../../src/build-service/store/owner.ts';
import { setServedAddress } from '../../../src/build-service/store/store.ts';
import { approve } from '../../support/consent.ts';
import { useFolderForEachTest } from '../../support/hooks.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { call, member } from '../../support/serviceRequests.ts';

describe('local service: several processes with one data folder', () => {
  let dataFolder: string;
  const services: LocalService[] = [];
  afterEach(() => Promise.all(services.splice(0).map((service) => service.stop('SIGKILL'))));
  useFolderForEachTest((made) => (dataFolder = made));

  const start = async (...args: string[]): Promise<LocalService> => {
    const service = await startLocalService({ dataFolder, args });
    services.push(service);
    return service;
  };

  it('runs one server: a second process reports the server’s address, passes on the callback URL of its window, and ends', async () => {
    const first = await start();
    const second = await start(
      '--builder',
      'cordova',
      '--port',
      '0',
      '--callback-url',
      'http://127.0.0.1:9/second?a=b',
    );
    assert.equal(await second.ended, 0);
    assert.equal(second.errorOutput(), '');
    for (const name of ['baseUrl', 'username', 'password', 'authToken', 'clientId', 'clientSecret'] as const) {
      assert.equal(second[name], first[name]);
    }
    assert.equal(second.builder, null);
    const { challenge, proof } = second.instance ?? {};
    assert.equal(first.instance, null);
    assert.equal(member((await call(first.baseUrl, `/instance?challenge=${challenge}`)).json, 'proof'), proof);
    for (const refused of ['', 'a', 'g'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}%0a`]) {
      const answer = await call(first.baseUrl, `/instance?challenge=${refused}`);
      assert.equal(answer.status, 400, refused);
      assert.deepEqual(answer.json, { error: 'The challenge must be 64 hexadecimal digits.' });
    }
    const location = await approve(first, `${first.baseUrl}/authorize?client_id=${first.clientId}`);
    assert.match(location, /^http:\/\/127\.0\.0\.1:9\/second\?a=b&code=/);
  });

  it('runs one server even if two processes start at the same moment', async () => {
    const all = await Promise.all([start(), start(), start()]);
    const [serving, ...more] = all.filter(({ instance }) => instance === null);
    assert.deepEqual(more, []);
    assert.equal(new Set(all.map(({ baseUrl }) => baseUrl)).size, 1);
    for (const other of all.filter((service) => service !== serving)) {
      assert.equal(await other.ended, 0);
    }
    assert.equal(all.map((service) => service.errorOutput()).join(''), '');
    assert.equal((await call(serving?.baseUrl ?? '', `/api/v1/me?auth_token=${serving?.authToken}`)).status, 200);
  });

  it('reports the address of a server with TLS', async () => {
    const first = await start('--https');
    const second = await start();
    assert.equal(await second.ended, 0);
    assert.deepEqual([second.baseUrl, second.errorOutput()], [first.baseUrl, '']);
  });

  it('doesn’t report the address of a killed process, because another program may use its port', async () => {
    const killed = await start();
    await killed.stop('SIGKILL');
    // Another process has just started, and hasn't removed the address yet.
    const unlock = lockFolder(dataFolder);
    const other = createServer((_request, response) => response.end('{"proof":"x"}'));
    await once(other.listen(Number(new URL(killed.baseUrl).port), '127.0.0.1'), 'listening');
    const starting = start();
    const asked = once(other, 'request').then(([request]) => (request as IncomingMessage).url);
    const url = await Promise.race([asked, starting.then(() => undefined)]);
    unlock?.();
    const { baseUrl, instance } = await starting.finally(() => other.close());
    assert.match(String(url), /^\/instance\?challenge=[0-9a-f]{64}$/);
    assert.equal(instance, null);
    assert.notEqual(baseUrl, killed.baseUrl);
  });

  it('keeps its address across restarts, even after a process with another --port', async () => {
    const first = await start();
    await first.stop('SIGKILL');
    const elsewhere = await start('--port', '0');
    assert.equal(elsewhere.instance, null);
    assert.notEqual(elsewhere.baseUrl, first.baseUrl);
    await elsewhere.stop();
    const third = await start();
    assert.deepEqual([third.baseUrl, third.instance], [first.baseUrl, null]);
  });
});

describe('local service: another process that serves the same data', () => {
  let dataFolder: string;
  let service: InProcessService;
  let release: (() => void) | undefined;
  afterEach(async () => {
    release?.();
    await service.stop();
  });
  useFolderForEachTest(async (made) => {
    dataFolder = made;
    const refuse = (line: string): never => assert.fail(line);
    service = await startInProcess({ store: await openStore(dataFolder, refuse, { demo: true }), dataFolder });
    release = lockFolder(dataFolder);
    assert.ok(release);
  });

  it('waits for another process to start, and fails if that process doesn’t respond', async () => {
    setServedAddress(service.service.store, null);
    await assert.rejects(claimFolder(dataFolder, 0), {
      name: 'StartError',
      message: `Another process uses the data folder ${dataFolder} but doesn’t respond. Stop it, or specify another folder with --data.`,
    });
    const found = claimFolder(dataFolder);
    setServedAddress(service.service.store, service.baseUrl);
    const taken = await found;
    assert.ok('store' in taken);
    taken.store.close();
    assert.equal(taken.baseUrl, service.baseUrl);
  });

  it('loses its address when the next process opens the data', async () => {
    setServedAddress(service.service.store, service.baseUrl);
    (await openStore(dataFolder, (line) => assert.fail(line), { demo: false })).close();
    assert.equal(readServiceRow(service.service.store).address, null);
  });
});
