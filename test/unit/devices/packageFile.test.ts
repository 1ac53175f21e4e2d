import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { BuildServiceError } from '../../../src/api/errors/buildServiceError.ts';
import { CancelledError } from '../../../src/api/errors/cancelledError.ts';
import { fetchPackage } from '../../../src/devices/packageFile.ts';
import { ownTemporaryFolder } from '../../support/hooks.ts';
import { cleanUp, clientOf, failureOf, serve } from '../../support/servers.ts';

const BYTES = Buffer.from('PK of a package');

describe('a package that is fetched', () => {
  const folders = ownTemporaryFolder();
  afterEach(cleanUp);

  it('is a file of this account only, with a name that says what it is, until it is disposed', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="../100% #1.apk"' }).end(BYTES),
    );
    const progress: (readonly [number, number | undefined])[] = [];
    const source = { client: clientOf(server), url: `${server.url}/download` };
    const file = await fetchPackage(source, {
      signal: new AbortController().signal,
      onProgress: (received, total) => progress.push([received, total]),
    });
    assert.equal(file.name, '100_ _1.apk');
    assert.equal(path.basename(file.path), file.name);
    assert.equal(file.size, BYTES.length);
    assert.ok((await readFile(file.path)).equals(BYTES));
    assert.equal(process.platform === 'win32' || ((await stat(path.dirname(file.path))).mode & 0o777) === 0o700, true);
    assert.equal(progress.at(-1)?.[0], BYTES.length);
    await file.dispose();
    await assert.rejects(stat(path.dirname(file.path)), { code: 'ENOENT' });
  });

  it('is called as the caller says where the service proposes nothing', async () => {
    const server = await serve((_request, response) => response.end(BYTES));
    const source = { client: clientOf(server), url: `${server.url}/download`, name: 'Shop-1.0.apk' };
    const file = await fetchPackage(source, { signal: new AbortController().signal });
    assert.equal(file.name, 'Shop-1.0.apk');
    await file.dispose();
  });

  it('leaves nothing behind when it breaks off, or is cancelled', async () => {
    const before = await folders();
    const broken = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write(BYTES, () => response.destroy());
    });
    const never = new AbortController();
    await failureOf(
      BuildServiceError,
      fetchPackage({ client: clientOf(broken), url: `${broken.url}/a.apk` }, { signal: never.signal }),
    );
    const slow = await serve((_request, response) => void response.writeHead(200).write(BYTES));
    const controller = new AbortController();
    await failureOf(
      CancelledError,
      fetchPackage(
        { client: clientOf(slow), url: `${slow.url}/a.apk` },
        { signal: controller.signal, onProgress: () => controller.abort() },
      ),
    );
    assert.deepEqual(await folders(), before);
  });
});
