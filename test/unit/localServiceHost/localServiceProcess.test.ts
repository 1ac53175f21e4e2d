import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalServiceProcess } from '../../../src/localServiceHost/localServiceProcess.ts';
import { repositoryRoot } from '../../support/repository.ts';

const program = path.join(repositoryRoot, 'src', 'localService', 'main.ts');

describe('local service host: the processes of two windows', () => {
  let folder: string;
  const processes: LocalServiceProcess[] = [];
  const exits: (number | string)[] = [];
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-windows-'));
  });
  after(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await rm(folder, { recursive: true });
  });

  const start = async (): Promise<LocalServiceProcess> => {
    const report = (line: string): never => assert.fail(line);
    const process = await LocalServiceProcess.start({
      ...{ script: program, dataFolder: path.join(folder, 'data'), demo: false, report },
    });
    processes.push(process);
    process.onExit((result) => exits.push(result));
    return process;
  };

  it('are one, until it ends; then the other window starts its own, whatever has taken the port meanwhile', async () => {
    const first = await start();
    const other = await start();
    assert.deepEqual([first.isOwn, other.isOwn], [true, false]);
    assert.deepEqual(other.url, first.url);
    assert.deepEqual(other.registration, first.registration);
    // It ends nothing but what is its own.
    await other.stop();
    other.kill();
    assert.deepEqual([await first.isRunning(), await other.isRunning()], [true, true]);
    assert.deepEqual(exits, []);

    await first.stop();
    assert.deepEqual([await first.isRunning(), await other.isRunning()], [false, false]);
    assert.deepEqual(exits, [0]);
    const asked: string[] = [];
    const impostor = createServer((request, response) => {
      asked.push(String(request.url));
      response.end(JSON.stringify({ proof: 'x'.repeat(43), builder: 'demo' }));
    });
    impostor.listen(Number(new URL(first.url.href).port), '127.0.0.1');
    await once(impostor, 'listening');
    assert.equal(await other.isRunning(), false);
    assert.match(asked.join(), /^\/instance\?challenge=[0-9a-f]{64}$/);
    impostor.close();
    await once(impostor, 'close');

    const next = await start();
    assert.equal(next.isOwn, true);
    assert.deepEqual([next.url, next.registration], [first.url, first.registration]);
  });
});
