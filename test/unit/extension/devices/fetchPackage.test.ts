import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { CancelledError } from '../../../../src/errors/index.ts';
import { InvalidResponseError } from '../../../../src/service-client/index.ts';
import { fetchPackage } from '../../../../src/extension/devices/fetchPackage.ts';
import { useTemporaryFolderForEachTest } from '../../../support/hooks.ts';
import { cleanUp, createClient, serve } from '../../../support/servers.ts';

const { signal } = new AbortController();

describe('a build downloaded for a phone', () => {
  afterEach(cleanUp);

  let temporary: string;
  useTemporaryFolderForEachTest((made) => (temporary = made));
  const startService = async (body: Buffer, headers: Readonly<Record<string, string>> = {}) =>
    createClient(await serve((_request, response) => response.writeHead(200, headers).end(body)));

  it('is stored in a file that only this account can read, until it’s disposed', async () => {
    const body = Buffer.alloc(200_000, 'x');
    const client = await startService(body, { 'content-length': String(body.length) });
    const progress: (readonly [number, number | undefined])[] = [];
    const file = await fetchPackage({ client, url: '/build', name: 'Shop-1.0.0.apk' }, signal, (received, total) =>
      progress.push([received, total]),
    );
    assert.ok(body.equals(await readFile(file.path)));
    assert.deepEqual([file.name, file.size, path.basename(file.path)], ['Shop-1.0.0.apk', 200_000, 'package.apk']);
    assert.deepEqual(progress.at(-1), [200_000, 200_000]);
    if (process.platform !== 'win32') {
      assert.equal((await stat(path.dirname(file.path))).mode & 0o777, 0o700);
    }
    await file.dispose();
    await file.dispose();
    await assert.rejects(stat(path.dirname(file.path)), { code: 'ENOENT' });
  });

  it('has a safe path and the extension of its type, whatever its name at the service', async () => {
    for (const [suggested, name] of [
      ['../../evil;$(x).sh', 'evil;$(x).sh.apk'],
      ['Shop.APK', 'Shop.APK'],
      ['', 'Shop-1.apk'],
    ] as const) {
      const client = await startService(Buffer.from('PK'), {
        'content-disposition': `attachment; filename="${suggested}"`,
      });
      const file = await fetchPackage({ client, url: '/build', name: 'Shop-1.apk' }, signal);
      assert.equal(file.name, name);
      assert.match(path.basename(file.path), /^package\.apk$/i);
      await file.dispose();
    }
  });

  it('leaves no file when it’s canceled or interrupted', async () => {
    const controller = new AbortController();
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '1000000' }).write(Buffer.alloc(1000));
      if (request.url?.startsWith('/broken') === true) {
        setImmediate(() => response.destroy());
      }
    });
    const client = createClient(server);
    const onProgress = (): void => controller.abort();
    await assert.rejects(
      fetchPackage({ client, url: '/slow', name: 'a.apk' }, controller.signal, onProgress),
      CancelledError,
    );
    await assert.rejects(fetchPackage({ client, url: '/broken', name: 'a.apk' }, signal), InvalidResponseError);
    assert.deepEqual(await readdir(temporary), []);
  });
});
