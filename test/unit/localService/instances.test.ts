import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findRunningInstance, takeFolder } from '../../../src/localService/runningInstance.ts';
import { lockFolder } from '../../../src/localService/store/dataFolder.ts';
import { rememberAddress } from '../../../src/localService/store/instanceProof.ts';
import { openStore } from '../../../src/localService/store/openStore.ts';
import { approve } from '../../support/consent.ts';
import { startInProcess, type InProcessService } from '../../support/inProcessService.ts';
import { listen } from '../../support/listen.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { call, member } from '../../support/serviceRequests.ts';

describe('local service: several processes with one data folder', () => {
  let dataFolder: string;
  const services: LocalService[] = [];
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'app-build-shared-'));
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop('SIGKILL')));
    await rm(dataFolder, { recursive: true });
  });

  const start = async (...args: string[]): Promise<LocalService> => {
    const service = await startLocalService({ dataFolder, args });
    services.push(service);
    return service;
  };

  it('are one that serves: another says where that one is, gives it the Callback Url of its window, and ends', async () => {
    const first = await start();
    const second = await start('--port', '0', '--callback-url', 'http://127.0.0.1:9/second?a=b');
    assert.equal(await second.ended, 0);
    assert.equal(second.errorOutput(), '');
    for (const name of ['baseUrl', 'username', 'password', 'authToken', 'clientId', 'clientSecret'] as const) {
      assert.equal(second[name], first[name]);
    }
    assert.deepEqual(second.builder, { name: 'builtin', platforms: null });
    const { challenge, proof } = second.instance ?? {};
    assert.equal(first.instance, null);
    assert.equal(member((await call(first.baseUrl, `/instance?challenge=${challenge}`)).json, 'proof'), proof);
    const location = await approve(first, `${first.baseUrl}/authorize?client_id=${first.clientId}`);
    assert.match(location, /^http:\/\/127\.0\.0\.1:9\/second\?a=b&code=/);
  });

  it('are one that serves, also when they start at the same moment', async () => {
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

  it('follow each other at one address, after one was killed, and after one was told to listen elsewhere', async () => {
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
  const cleanups: (() => unknown)[] = [];
  before(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'app-build-instance-'));
    const refuse = (line: string): never => assert.fail(line);
    service = await startInProcess({ store: await openStore(dataFolder, refuse, { demo: true }), dataFolder });
    release = lockFolder(dataFolder);
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) {
      await cleanup();
    }
  });
  after(async () => {
    release?.();
    await service.stop();
    await rm(dataFolder, { recursive: true });
  });

  /** A program of somebody else, and the URLs that it was asked for. */
  const impostor = async (answer: RequestListener): Promise<{ origin: string; asked: string[] }> => {
    const asked: string[] = [];
    const { port, close } = await listen(
      createServer((request, response) => {
        asked.push(String(request.url));
        answer(request, response);
      }),
    );
    cleanups.push(close);
    return { origin: `http://127.0.0.1:${port}`, asked };
  };
  /** Takes the folder, or says why not; who serves it is at `address`. */
  const take = async (address: string): Promise<unknown> => {
    rememberAddress(service.service.store, address);
    const taken = await takeFolder(dataFolder, 0);
    assert.ok('store' in taken);
    taken.store.close();
    return taken.baseUrl;
  };
  const refusal = () => ({
    name: 'StartError',
    message: `Another process uses the data folder ${dataFolder}, and does not answer. End it, or name another folder with --data.`,
  });

  it('is found by what it has written, and proves itself to a proper challenge only', async () => {
    assert.ok(release);
    assert.equal(await take(service.baseUrl), service.baseUrl);
    for (const challenge of ['', 'a', 'g'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}%0a`]) {
      const answer = await call(service.baseUrl, `/instance?challenge=${challenge}`);
      assert.equal(answer.status, 400, challenge);
      assert.deepEqual(answer.json, { error: 'The challenge must be 64 hexadecimal digits.' });
    }
  });

  it('is waited for while it starts', async () => {
    const { origin } = await impostor((_request, response) => {
      response.end('{}');
      rememberAddress(service.service.store, service.baseUrl);
    });
    rememberAddress(service.service.store, origin);
    const taken = await takeFolder(dataFolder);
    assert.ok('store' in taken);
    taken.store.close();
    assert.equal(taken.baseUrl, service.baseUrl);
  });

  for (const [name, answer] of Object.entries<RequestListener>({
    'answers 200 to everything': (_request, response) => {
      response.end(JSON.stringify({ proof: 'x'.repeat(43), builder: 'demo', username: 'demo' }));
    },
    'sends without end': (_request, response) => {
      const send = (): void => {
        while (response.write('x'.repeat(100_000)));
      };
      response.on('drain', send);
      send();
    },
    'says nothing': () => undefined,
    redirects: (request, response) => {
      response.writeHead(302, { Location: String(request.url) }).end();
    },
    'sends no JSON': (_request, response) => response.end('proof'),
    'sends null': (_request, response) => response.end('null'),
  })) {
    it(`is not a program that ${name}, which is told a challenge and nothing else`, async () => {
      const { origin, asked } = await impostor(answer);
      await assert.rejects(take(origin), refusal());
      assert.match(asked.join(), /^\/instance\?challenge=[0-9a-f]{64}$/);
    });
  }

  it('is not a program that passes the challenge on to the true service', async () => {
    const proofs: string[] = [];
    const { origin } = await impostor((request, response) => {
      void call(service.baseUrl, String(request.url)).then(({ status, text }) => {
        proofs.push(text);
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
      });
    });
    assert.equal(await findRunningInstance(service.service.store, origin), undefined);
    // It had what the true service says at its own port.
    assert.match(proofs.join(), /^{"proof":"[\w-]{43}","builder":"demo"}$/);
  });
});
