import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { ownerName } from '../../../src/localService/store/owner.ts';
import { startLocalService } from '../../support/localService.ts';
import { accessTokenOf, basic, call } from '../../support/serviceRequests.ts';

const program = fileURLToPath(new URL('../../../src/localService/main.ts', import.meta.url));

/** What asks a program to end. On Windows a signal that one program sends to another asks nothing. */
const SIGNALS = process.platform === 'win32' ? [undefined] : [undefined, 'SIGINT' as const, 'SIGTERM' as const];

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe('local service: program', () => {
  it('refuses what it is told wrong in one line', async () => {
    // What Node says of it has two lines.
    const { code, stdout, stderr } = await run('--port', '-1');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^[^\n]*--port[^\n]* See --help\.\n$/);
  });

  it('says so when the port that was asked for is taken', async () => {
    const service = await startLocalService();
    const { code, stderr } = await run('--port', new URL(service.baseUrl).port);
    await service.stop();
    assert.equal(code, 1);
    assert.match(stderr, /^Port \d+ cannot be used \(EADDRINUSE\)\. Name another one with --port\.\n$/);
  });

  it('prints one object with the address and the credentials, all of which work, and the builder', async () => {
    const callbackUrl = 'code-oss://app-build.app-build-service/auth/callback';
    const { pid, stop, ended, errorOutput: complaints, ...values } = await startLocalService({ callbackUrl });
    const { baseUrl, username, password, authToken, clientId, clientSecret, ...rest } = values;
    assert.deepEqual(rest, { callbackUrl, dataFolder: null, builder: 'builtin', certificate: null, instance: null });
    assert.notEqual(pid, process.pid);
    assert.equal((await call(baseUrl, '/api/v1/me', { headers: basic(username, password) })).status, 200);
    assert.equal((await call(baseUrl, `/api/v1/me?auth_token=${authToken}`)).status, 200);
    await accessTokenOf({ baseUrl, authToken, clientId, clientSecret });
    assert.equal(complaints(), '');
    await stop();
    assert.equal(await ended, 0);
  });

  it('prints a text for people without --json, with what can be built, why not the rest, and what to do about it', async () => {
    const child = spawn(process.execPath, [program, '--builder', 'builtin'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      said += String(chunk);
      if (said.includes('Press Ctrl+C')) {
        break;
      }
    }
    child.kill('SIGINT');
    await once(child, 'exit');
    assert.match(said, /^The local application build service is running\.\n/);
    assert.match(said, /^ {2}Builder {4}builtin: builds Android apps without plugins/m);
    assert.match(said, new RegExp(`^ {2}Sign in {4}${ownerName()} / [\\w-]{20}$`, 'm'));
    assert.ok(!said.includes('demo user'));
    assert.match(said, /npm run service -- --data DIR --install-engine/);
    assert.match(said, /^ {13}android {3}can be built$/m);
    assert.match(said, /^ {13}ios {7}iOS apps need a Mac with Xcode/m);
  });

  for (const signal of SIGNALS) {
    it(`ends cleanly ${signal === undefined ? 'with its parent' : `on ${signal}`}, open connections and all`, async () => {
      const service = await startLocalService();
      // fetch keeps its connection open
      await (await fetch(service.baseUrl)).text();
      assert.equal(await service.stop(signal), 0);
      await assert.rejects(call(service.baseUrl, '/'), { code: 'ECONNREFUSED' });
    });
  }
});
