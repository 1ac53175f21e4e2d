import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { ownerName } from '../../../src/build-service/store/owner.ts';
import { startLocalService } from '../../support/localService.ts';
import { fetchAccessToken, basic, call } from '../../support/serviceRequests.ts';

const program = fileURLToPath(new URL('../../../src/build-service/main.ts', import.meta.url));

/** Ways to ask a program to exit. On Windows, a program can't do that with a signal. */
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
  it('reports an invalid option in one line', async () => {
    // Node's own message has two lines.
    const { code, stdout, stderr } = await run('--port', '-1');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^[^\n]*--port[^\n]* See --help\.\n$/);
  });

  it('reports that the requested port is in use', async () => {
    const service = await startLocalService();
    const { code, stderr } = await run('--port', new URL(service.baseUrl).port);
    await service.stop();
    assert.equal(code, 1);
    assert.match(stderr, /^Port \d+ can’t be used \(EADDRINUSE\)\. Specify another one with --port\.\n$/);
  });

  it('prints one JSON object with the address, working credentials, and the builder', async () => {
    const callbackUrl = 'code-oss://app-build.app-build-service/auth/callback';
    const { pid, stop, ended, errorOutput: complaints, ...values } = await startLocalService({ callbackUrl });
    const { baseUrl, username, password, authToken, clientId, clientSecret, ...rest } = values;
    assert.deepEqual(rest, { callbackUrl, dataFolder: null, builder: 'builtin', certificate: null, instance: null });
    assert.notEqual(pid, process.pid);
    assert.equal((await call(baseUrl, '/api/v1/me', { headers: basic(username, password) })).status, 200);
    assert.equal((await call(baseUrl, `/api/v1/me?auth_token=${authToken}`)).status, 200);
    await fetchAccessToken({ baseUrl, authToken, clientId, clientSecret });
    assert.equal(complaints(), '');
    await stop();
    assert.equal(await ended, 0);
  });

  it('prints text without --json that lists the supported platforms and explains how to add the others', async () => {
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
    assert.match(said, /^ {2}Builder {4}builtin: builds Android apps with many plugins/m);
    assert.match(said, new RegExp(`^ {2}Sign in {4}${ownerName()} / [\\w-]{20}$`, 'm'));
    assert.ok(!said.includes('demo user'));
    assert.match(said, /npm run service -- --data DIR --install-engine/);
    assert.match(said, /^ {13}android {3}can be built$/m);
    assert.match(said, /^ {13}ios {7}iOS apps require a Mac with Xcode/m);
  });

  for (const signal of SIGNALS) {
    it(`exits cleanly ${signal === undefined ? 'with its parent' : `on ${signal}`}, even with open connections`, async () => {
      const service = await startLocalService();
      // fetch keeps its connection open.
      await (await fetch(service.baseUrl)).text();
      assert.equal(await service.stop(signal), 0);
      await assert.rejects(call(service.baseUrl, '/'), { code: 'ECONNREFUSED' });
    });
  }
});
