import assert from 'node:assert/strict';
import { rm, truncate } from 'node:fs/promises';

import { createDownloadPath } from '../../../src/build-service/routes/downloads.ts';
import { findApp } from '../../../src/build-service/store/apps.ts';
import { findBuild } from '../../../src/build-service/store/builds.ts';
import { ask, download, waitForBuilds, PAGE, upload, withBundle } from '../../support/builds.ts';
import { demoBuilder } from '../../support/demoBuilder.ts';
import { openInProcess, type OpenedService } from '../../support/inProcessService.ts';

const FIVE_MINUTES_MS = 5 * 60_000;

describe('local service: downloads', () => {
  let service: OpenedService;
  let id: number;
  let artifact: Buffer;
  before(async () => {
    service = await openInProcess({ builder: withBundle(demoBuilder) });
  });
  beforeEach(async () => {
    id = await upload(service, PAGE, { title: 'Größe 7"' });
    await waitForBuilds(service, id);
    artifact = (await download(service, id, 'android')).bytes;
  });
  after(() => service.stop());

  const getPath = (what: Parameters<typeof createDownloadPath>[2] = 'android', app = id): string => {
    const found = findApp(service.service.store, String(app));
    assert.ok(found);
    return createDownloadPath(service.service.store, found, what);
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    service.fetch(new URL(path, service.baseUrl), { headers, method });
  const getFilePath = (what: 'android' | 'bundle'): string => {
    const { artifact } = findBuild(service.service.store, id, 'android') ?? {};
    return service.service.files.getPath((what === 'bundle' ? artifact?.bundle : artifact)?.file ?? '');
  };

  it('sends a file with its length, type, and name', async () => {
    for (const [what, content, type, disposition] of [
      ['android', artifact, 'application/vnd.android.package-archive', /^attachment; filename="?[\w.-]+\.apk"?$/],
      ['bundle', Buffer.from('Bundle of Größe 7"'), 'application/octet-stream', /^attachment; filename=.*\.aab"?/],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(getPath(what), {}, method);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-length'), String(content.length));
        assert.equal(answer.headers.get('content-type'), type);
        assert.match(answer.headers.get('content-disposition') ?? '', disposition);
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), method === 'GET' ? content : Buffer.alloc(0));
      }
    }
  });

  it('sends the requested part of a file', async () => {
    const whole = await get(getPath());
    const size = artifact.length;
    assert.equal(whole.headers.get('accept-ranges'), 'bytes');
    await whole.arrayBuffer();
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=5-9', 5, 9],
      ['bytes=5-', 5, size - 1],
      [`bytes=5-${size * 2}`, 5, size - 1],
      ['bytes=-4', size - 4, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
    ] as const) {
      const answer = await get(getPath(), { Range: range });
      assert.equal(answer.status, 206, range);
      assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${size}`, range);
      assert.equal(answer.headers.get('content-length'), String(end - start + 1), range);
      assert.equal(answer.headers.get('etag'), whole.headers.get('etag'), range);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), artifact.subarray(start, end + 1), range);
    }
  });

  it('rejects a part that a file doesn’t have', async () => {
    for (const range of [`bytes=${artifact.length}-`, 'bytes=-0', `bytes=${artifact.length}-${artifact.length + 5}`]) {
      const answer = await get(getPath(), { Range: range });
      assert.equal(answer.status, 416, range);
      assert.equal(answer.headers.get('content-range'), `bytes */${artifact.length}`, range);
      assert.deepEqual(await answer.json(), { error: 'The file doesn’t have this part.' });
    }
  });

  it('sends the whole file for several parts, and for a malformed range', async () => {
    for (const range of [
      'bytes=0-1,4-5',
      'bytes=9-5',
      'bytes=-',
      'bytes=a-b',
      'lines=0-1',
      'bytes 0-1',
      'bytes=0-1x',
    ]) {
      const answer = await get(getPath(), { Range: range });
      assert.equal(answer.status, 200, range);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), artifact, range);
    }
    const head = await get(getPath(), { Range: 'bytes=0-1' }, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(artifact.length)]);
  });

  it('continues a download only if the file is still the same', async () => {
    const first = await get(getPath(), { Range: 'bytes=0-3' });
    await first.arrayBuffer();
    const resume = async (validator: string | null): Promise<number> => {
      const answer = await get(getPath(), { Range: 'bytes=4-', 'If-Range': validator ?? '' });
      const expected = answer.status === 206 ? artifact.subarray(4) : artifact;
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), expected);
      return answer.status;
    };
    const [etag, date] = [first.headers.get('etag'), first.headers.get('last-modified')];
    assert.equal(await resume(etag), 206);
    assert.equal(await resume(date), 206);
    assert.equal(await resume('"another"'), 200);
    assert.equal(await resume(`W/${etag ?? ''}`), 200);
    assert.equal(await resume('Thu, 01 Jan 1970 00:00:00 GMT'), 200);
    // Another build creates another file.
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    await waitForBuilds(service, id);
    artifact = (await download(service, id, 'android')).bytes;
    assert.equal(await resume(etag), 200);
  });

  it('accepts a link for five minutes', async () => {
    const path = getPath();
    service.advance(FIVE_MINUTES_MS);
    assert.equal((await get(path, {}, 'HEAD')).status, 200);
    service.advance(1);
    const answer = await get(path);
    assert.equal(answer.status, 404);
    assert.deepEqual(await answer.json(), { error: 'This download has expired. Ask the API for it again.' });
  });

  it('accepts a link only for the signed app, platform, build, and time', async () => {
    const [, , app = '', platform = '', version = '', expiresAt = '', signature = '', name = ''] = getPath().split('/');
    const altered = [
      ['1001', platform, version, expiresAt],
      [app, 'winphone', version, expiresAt],
      [app, 'package', version, expiresAt],
      [app, 'bundle', version, expiresAt],
      [app, platform, '2', expiresAt],
      [app, platform, version, String(Number(expiresAt) + 1)],
    ];
    for (const parts of altered) {
      assert.equal((await get(`/downloads/${parts.join('/')}/${signature}/${name}`)).status, 404, parts.join());
    }
  });

  it('accepts a link only for the build that it was made for', async () => {
    const kinds = ['android', 'bundle'] as const;
    const paths = kinds.map((what) => getPath(what));
    const errors = () => Promise.all(paths.map(async (path) => (await get(path)).json()));
    const error = 'This link is for an earlier build. Ask for the download again.';
    await ask(service, `/apps/${id}/build/android`, { method: 'POST' });
    assert.deepEqual(await errors(), [{ error }, { error }]);
    await waitForBuilds(service, id);
    assert.deepEqual(await errors(), [{ error }, { error }]);
    for (const what of kinds) {
      assert.equal((await get(getPath(what), {}, 'HEAD')).status, 200);
    }
  });

  it('links to the bundle from the app and its Android build, and serves the bundle', async () => {
    const names = async (path: string) => {
      const { bundle, download: downloads } = (await ask(service, path)) as Record<string, object | undefined>;
      return [bundle, Object.keys(downloads ?? {})];
    };
    const bundle = { android: `/api/v1/apps/${id}/android/bundle` };
    assert.deepEqual(await names(`/apps/${id}`), [bundle, ['android', 'ios']]);
    assert.deepEqual(await names(`/apps/${id}/build/android`), [bundle, ['android']]);
    assert.deepEqual(await names(`/apps/${id}/build/ios`), [undefined, ['ios']]);
    assert.equal((await download(service, id, 'android/bundle')).bytes.toString(), 'Bundle of Größe 7"');
  });

  it('reports a missing or damaged file, and logs the problem without the path', async () => {
    for (const [what, name] of [
      ['android', 'android build'],
      ['bundle', 'bundle'],
    ] as const) {
      for (const damage of [(path: string) => truncate(path, 10), (path: string) => rm(path)]) {
        await damage(getFilePath(what));
        const answer = await get(getPath(what));
        assert.equal(answer.status, 404);
        assert.deepEqual(await answer.json(), {
          error: `The service doesn’t have the file of the ${name} anymore. Build the app again.`,
        });
        assert.equal(service.reports.at(-1), `The file of the ${name} of app ${id} is missing or damaged.`);
      }
    }
  });

  it('reports a failure without the path of the download, with which the file can be downloaded', async () => {
    const path = getPath();
    const reports = service.reports.length;
    service.service.store.run('ALTER TABLE builds RENAME TO hidden');
    const answer = await get(path).finally(() => service.service.store.run('ALTER TABLE hidden RENAME TO builds'));
    assert.equal(answer.status, 500);
    const [report = '', ...others] = service.reports.slice(reports);
    assert.match(report, /^GET \/downloads\/…: /);
    assert.ok(!report.includes(path));
    assert.deepEqual(others, []);
  });

  it('sends content that a browser could interpret as plain bytes', async () => {
    const form = new FormData();
    form.set('create_method', 'file');
    form.set('file', new Blob(['<!doctype html><script>alert(1)</script>']), 'index.html');
    const { id: page } = (await ask(service, '/apps', { method: 'POST', body: form })) as { id: number };
    const answer = await get(getPath('package', page));
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; /);
  });
});
