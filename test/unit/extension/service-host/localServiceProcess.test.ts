import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import path from 'node:path';
import { LocalServiceProcess } from '../../../../src/extension/service-host/localServiceProcess.ts';
import { ownerName } from '../../../../src/build-service/store/owner.ts';
import { Browser } from '../../../support/consent.ts';
import { useFolderForEachTest } from '../../../support/hooks.ts';
import { repositoryRoot } from '../../../support/repository.ts';

const program = path.join(repositoryRoot, 'src', 'build-service', 'main.ts');

describe('local service host: the processes of two windows', () => {
  let folder: string;
  const processes: LocalServiceProcess[] = [];
  let exits: number;
  let reports: string[];
  afterEach(() => Promise.all(processes.splice(0).map((process) => process.stop())));
  useFolderForEachTest((made) => {
    folder = made;
    exits = 0;
    reports = [];
  });

  const start = async (): Promise<LocalServiceProcess> => {
    const report = (line: string): unknown => reports.push(line);
    const process = await LocalServiceProcess.start({
      ...{ script: program, dataFolder: path.join(folder, 'data'), demo: false, report },
    });
    processes.push(process);
    process.onExit(() => (exits += 1));
    return process;
  };

  it('returns a token and a page of the owner, and the window’s callback URL, in both windows', async () => {
    const first = await start();
    const other = await start();
    assert.deepEqual([first.isOwn, other.isOwn], [true, false]);
    for (const process of [first, other]) {
      const token = await process.accessToken();
      const me = await fetch(`${first.url.origin}/api/v1/me?access_token=${token}`);
      assert.equal(((await me.json()) as { readonly username: string }).username, ownerName());
      const browser = new Browser(first.url.origin);
      const address = await process.signInPage(`/authorize?client_id=${first.registration.clientId}`);
      const page = await browser.follow(address);
      assert.match(await page.text(), new RegExp(`<dd>${ownerName()} `));
      const ticket = new URL(address).searchParams.get('ticket') ?? '';
      assert.match(ticket, /^[0-9a-f]{40}$/);
      for (const file of await readdir(path.join(folder, 'data'), { withFileTypes: true })) {
        const bytes = file.isFile() ? await readFile(path.join(file.parentPath, file.name)) : Buffer.alloc(0);
        assert.ok(!bytes.includes(token) && !bytes.includes(ticket), file.name);
      }
      await process.registerCallback('http://127.0.0.1:9/back');
      await assert.rejects(process.registerCallback('data:,x'), {
        kind: 'localServiceAnswer',
        message: /The callback URL must not start with “data:”/,
      });
    }
    // Several requests run at the same time, each with its own response.
    const tokens = await Promise.all([1, 2, 3].map(() => first.accessToken()));
    assert.equal(new Set(tokens).size, 3);
    await first.stop();
    await assert.rejects(first.accessToken(), { name: 'CancelledError' });
    assert.deepEqual(reports, []);
  });

  it('shares one process until it ends, and then starts another, even if the port is in use', async () => {
    const first = await start();
    const other = await start();
    assert.deepEqual([first.isOwn, other.isOwn], [true, false]);
    assert.deepEqual(other.url, first.url);
    assert.deepEqual(other.registration, first.registration);
    // A window that didn't start the service can't stop it.
    await other.stop();
    other.end();
    assert.deepEqual([await first.isRunning(), await other.isRunning()], [true, true]);
    assert.equal(exits, 0);

    await first.stop();
    assert.deepEqual([await first.isRunning(), await other.isRunning()], [false, false]);
    assert.equal(exits, 1);
    const asked: string[] = [];
    const impostor = createServer((request, response) => {
      asked.push(String(request.url));
      response.end(JSON.stringify({ proof: 'x'.repeat(43) }));
    });
    impostor.listen(Number(new URL(first.url.href).port), '127.0.0.1');
    await once(impostor, 'listening');
    assert.equal(await other.isRunning(), false);
    assert.match(asked.join(), /^\/instance\?challenge=[0-9a-f]{64}$/);

    // A server that forwards the challenge to the real service on another port is also rejected.
    const elsewhere = await start();
    assert.notDeepEqual(elsewhere.url, first.url);
    assert.match(reports.join('\n'), /^Port \d+ of the last run is in use[^\n]*$/);
    const passed: string[] = [];
    impostor.removeAllListeners('request').on('request', (request, response) => {
      void fetch(new URL(String(request.url), elsewhere.url.href))
        .then((answer) => answer.text())
        .then((text) => {
          passed.push(text);
          response.end(text);
        });
    });
    assert.equal(await other.isRunning(), false);
    assert.match(passed.join(), /^{"proof":"[\w-]{43}"}$/);
    await elsewhere.stop();
    impostor.close();
    await once(impostor, 'close');

    const next = await start();
    assert.equal(next.isOwn, true);
    assert.deepEqual([next.url, next.registration], [elsewhere.url, first.registration]);
  });
});
