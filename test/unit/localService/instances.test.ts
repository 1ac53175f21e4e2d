import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { demoBuilder } from '../../../src/localService/builds/demoBuilder.ts';
import { startServer } from '../../../src/localService/server.ts';
import { createService } from '../../../src/localService/service.ts';
import { openStore } from '../../../src/localService/store/openStore.ts';
import { approve, signIn } from '../../support/consent.ts';
import { startLocalService, type LocalService } from '../../support/localService.ts';
import { accessTokenOf, authTokenOf, call, member } from '../../support/serviceRequests.ts';

const program = fileURLToPath(new URL('../../../src/localService/main.ts', import.meta.url));
const portOf = ({ baseUrl }: Pick<LocalService, 'baseUrl'>): number => Number(new URL(baseUrl).port);

/** There is nothing to report. */
const refuseReport = (line: string): never => {
  throw new Error(line);
};

describe('local service: several processes with one data folder', () => {
  let dataFolder: string;
  const cleanups: (() => unknown)[] = [];
  beforeEach(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'app-build-shared-'));
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) {
      await cleanup();
    }
    await rm(dataFolder, { recursive: true, force: true });
  });

  const start = async (...args: string[]): Promise<LocalService> => {
    const service = await startLocalService({ dataFolder, args });
    cleanups.push(() => service.stop('SIGKILL'));
    return service;
  };
  const status = async ({ baseUrl }: LocalService, query: string): Promise<number> =>
    (await call(baseUrl, `/api/v1/me?${query}`)).status;
  /** Asks until there is an answer; the test's own time is the limit. */
  const untilAnswered = async (service: LocalService, query: string): Promise<number> => {
    for (;;) {
      try {
        return await status(service, query);
      } catch {
        // Nobody listens yet.
      }
    }
  };
  /** A program of somebody else on `port`, and the URLs that it was asked for. */
  const impostorOn = async (port: number, answer: RequestListener): Promise<string[]> => {
    const asked: string[] = [];
    const server: Server = createServer((request, response) => {
      asked.push(String(request.url));
      answer(request, response);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return asked;
  };
  /** Everything that a program on the remembered port must not learn. */
  const assertNoSecret = (asked: readonly string[], service: LocalService): void => {
    assert.ok(asked.length > 0);
    for (const url of asked) {
      for (const secret of [service.authToken, service.clientSecret, service.clientId, service.password]) {
        assert.ok(!decodeURIComponent(url).includes(secret), url);
      }
    }
  };

  it('share one address: the others stand by, and one takes over when the first ends', async () => {
    const [first, second, third] = [await start(), await start(), await start()];
    for (const other of [second, third]) {
      assert.equal(other.baseUrl, first.baseUrl);
      assert.equal(other.clientSecret, first.clientSecret);
    }
    const accessToken = await accessTokenOf(first);
    await first.stop();
    assert.equal(await untilAnswered(second, `access_token=${accessToken}`), 200);
    await second.stop();
    assert.equal(await untilAnswered(third, `access_token=${accessToken}`), 200);
    assert.equal(second.errorOutput() + third.errorOutput(), '');
  });

  it('refuse a token at the very next request after another process has deleted it', async () => {
    const first = await start();
    const second = await start('--port', '0');
    assert.notEqual(second.baseUrl, first.baseUrl);
    const token = await authTokenOf(first);
    for (const service of [first, second]) {
      assert.equal(await status(service, `auth_token=${token}`), 200);
    }
    const { browser, page } = await signIn(first);
    const account = await page.text();
    const id = /tokens\/([0-9a-f]+)\/delete/.exec(account.slice(account.indexOf('Obtained with')))?.[1] ?? '';
    await browser.submit(account, `/account/tokens/${id}/delete`);
    assert.equal(await status(second, `auth_token=${token}`), 401);
    // A later write of the other process brings nothing back.
    await accessTokenOf(second);
    for (const service of [first, second]) {
      assert.equal(await status(service, `auth_token=${token}`), 401);
    }
  });

  it('show each other’s changes at once, in what they keep ready too', async () => {
    const first = await start();
    const second = await start('--port', '0');
    const { browser, page } = await signIn(first);
    const account = await page.text();
    for (const email of ['one@example.com', 'two@example.com']) {
      await browser.submit(account, '/account/profile', { email });
      for (const service of [first, second]) {
        const me = await call(service.baseUrl, `/api/v1/me?auth_token=${service.authToken}`);
        assert.equal(member(me.json, 'email'), email);
      }
    }
  });

  it('take a code once, whichever of them is asked', async () => {
    const first = await start();
    const second = await start('--port', '0');
    const { clientId: client_id, clientSecret: client_secret } = first;
    const location = await approve(first, `${first.baseUrl}/authorize?client_id=${client_id}`);
    const code = new URL(location).searchParams.get('code') ?? '';
    const query = new URLSearchParams({ client_id, client_secret, code }).toString();
    const answers = await Promise.all(
      [first, second, first, second].map(({ baseUrl }) =>
        call(baseUrl, `/authorize/token?${query}`, { method: 'POST' }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 400, 400, 400]);
  });

  it('keep the address that clients know, also after one was told to listen elsewhere', async () => {
    const first = await start();
    await (await start('--port', '0')).stop();
    await first.stop();
    assert.equal((await start()).baseUrl, first.baseUrl);
  });

  it('change the Callback Url for the window of each', async () => {
    const first = await start();
    const second = fork(program, ['--json', '--data', dataFolder], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    cleanups.push(() => second.kill('SIGKILL'));
    assert.ok(second.stdout);
    await once(createInterface(second.stdout), 'line');
    second.send({ callbackUrl: 'http://127.0.0.1:9/second' });
    assert.deepEqual(((await once(second, 'message')) as unknown[])[0], { callbackUrl: 'http://127.0.0.1:9/second' });
    const location = await approve(first, `${first.baseUrl}/authorize?client_id=${first.clientId}`);
    assert.match(location, /^http:\/\/127\.0\.0\.1:9\/second\?code=/);
  });

  it('tell a program that answers 200 to everything nothing, and do not take it for the service', async () => {
    const first = await start();
    await first.stop();
    const asked = await impostorOn(portOf(first), (_request, response) => {
      response.end(JSON.stringify({ proof: 'x'.repeat(43), username: 'demo' }));
    });
    const second = await start();
    assert.notEqual(second.baseUrl, first.baseUrl);
    assert.equal(await status(second, `auth_token=${second.authToken}`), 200);
    assertNoSecret(asked, second);
  });

  it('are not taken in by a program that passes the challenge on to the true service', async () => {
    const first = await start();
    await first.stop();
    const elsewhere = await start('--port', '0');
    const proofs: string[] = [];
    const asked = await impostorOn(portOf(first), (request, response) => {
      void call(elsewhere.baseUrl, String(request.url)).then((answer) => {
        assert.equal(answer.status, 200);
        proofs.push(answer.text);
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
      });
    });
    const second = await start();
    assert.notEqual(second.baseUrl, first.baseUrl);
    assertNoSecret(asked, second);
    // The impostor had what the true service says at its own port.
    assert.match(proofs.join(), /"proof":"[\w-]{43}"/);
  });

  for (const [name, answer] of Object.entries<RequestListener>({
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
    it(`go on without a program on the port that ${name}`, async () => {
      const first = await start();
      await first.stop();
      await impostorOn(portOf(first), answer);
      const second = await start();
      assert.notEqual(second.baseUrl, first.baseUrl);
      assert.match(second.errorOutput(), /^Port \d+ of the last run is taken; another one is used\.\n$/);
    });
  }

  it('end, instead of moving, when another program takes the address that they stand by for', async () => {
    const store = await openStore(dataFolder, refuseReport);
    const service = createService({ store, dataFolder, builder: demoBuilder, report: refuseReport });
    const first = await startServer(service, { port: 0 });
    store.rememberPort('http', first.port);
    const second = fork(program, ['--json', '--data', dataFolder], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    cleanups.push(() => second.kill('SIGKILL'));
    assert.ok(second.stdout && second.stderr);
    const [line] = (await once(createInterface(second.stdout), 'line')) as [string];
    assert.equal(member(JSON.parse(line), 'baseUrl'), first.baseUrl);
    const said = text(second.stderr);
    const ended = once(second, 'exit');
    // Otherwise the second one might listen in between. Windows cannot pause a process.
    const pause = (signal: NodeJS.Signals): boolean => process.platform !== 'win32' && second.kill(signal);
    pause('SIGSTOP');
    void first.close();
    const asked = await impostorOn(first.port, (_request, response) => response.end('{}'));
    pause('SIGCONT');
    assert.deepEqual(await ended, [1, null]);
    assert.equal(await said, `Another program has taken port ${first.port} of the service.\n`);
    assert.ok(
      asked.every((url) => /^\/instance\?challenge=[0-9a-f]{64}$/.test(url)),
      asked.join(),
    );
    await service.close();
  });

  it('prove themselves to a proper challenge only', async () => {
    const service = await start();
    for (const challenge of ['', 'a', 'g'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}%0a`]) {
      const answer = await call(service.baseUrl, `/instance?challenge=${challenge}`);
      assert.equal(answer.status, 400, challenge);
      assert.deepEqual(answer.json, { error: 'The challenge must be 64 hexadecimal digits.' });
    }
  });
});
