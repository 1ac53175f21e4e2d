import assert from 'node:assert/strict';

import { addApp } from '../../../src/build-service/store/apps.ts';
import { samplePackage, createZip } from '../../support/appPackages.ts';
import { startGitServer } from '../../support/gitServer.ts';
import { useService } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { perform, type Operation, type UploadedFile } from '../../support/operation.ts';

type Json = Readonly<Record<string, unknown>>;
/** Expected members of the response, or a function that checks it. */
type Expected = Json | ((json: Json) => void);

const getApps = (list: unknown): readonly { readonly id: number }[] => list as readonly { readonly id: number }[];

describe('local service: operations of apps', () => {
  const service = useService(openInProcess);
  let file: UploadedFile;

  before(async () => {
    file = { name: 'www.zip', content: await samplePackage() };
  });

  /** Performs an operation and compares the response with the expectation. */
  const take = async (
    method: Operation['method'],
    path: string,
    sent: Pick<Operation, 'fields' | 'files'>,
    status: number,
    expected: Expected = {},
  ): Promise<Json> => {
    const answer = await perform(service, { method, path: `/api/v1${path}`, ...sent });
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    const json = answer.json as Json;
    if (typeof expected === 'function') {
      expected(json);
    } else {
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, json[name]])), expected);
    }
    return json;
  };
  /**
   * Creates an app from the package.
   * @returns its path
   */
  const createApp = async (): Promise<string> => {
    const expected = { title: 'Sample', package: 'org.example.sample', version: '1.2.3', build_count: 1 };
    const app = await take('POST', '/apps', { fields: { create_method: 'file' }, files: { file } }, 201, expected);
    return `/apps/${String(app.id)}`;
  };

  it('creates an app, changes it with fields, a file, and both, and deletes it only once', async () => {
    const nothing = { error: 'no create_method specified: file or remote_repo' };
    await take('POST', '/apps', { fields: { title: 'Nothing' } }, 400, nothing);
    const path = await createApp();
    await take('GET', path, {}, 200, { title: 'Sample' });
    await take('GET', `${path}/plugins`, {}, 200, { plugins: [{ name: 'cordova-plugin-device', version: '^2.0.0' }] });
    const texts = { title: 'Renamed – 珈琲', debug: true };
    const fields = { ...texts, private: false, keys: { android: 1 }, phonegap_version: 'cli-9.0.0' };
    const changed = await take('PUT', path, { fields }, 200, {
      ...texts,
      private: false,
      build_count: 2,
    });
    assert.equal((changed.keys as { android: { id: number } }).android.id, 1);
    await take('PUT', path, { files: { file } }, 200, { ...texts, build_count: 3 });
    const withoutKeys = { title: 'Again', keys: { android: null } };
    const none = { android: null, ios: null };
    await take('PUT', path, { fields: withoutKeys, files: { file } }, 200, { title: 'Again', keys: none });
    const id = path.slice('/apps/'.length);
    await take('DELETE', path, {}, 202, (json) => assert.deepEqual(json, { success: `app ${id} deleted` }));
    await take('DELETE', path, {}, 404, (json) => assert.deepEqual(json, { error: `app #${id} not available` }));
  });

  it('accepts lists, booleans, and keys in every format that clients send, and ignores null', async () => {
    const path = await createApp();
    let requests = 1;
    for (const platforms of [
      'android, ios,',
      '["android","ios"]',
      ['ios', 'android'],
      { 0: 'ios', 1: 'android' },
      '',
    ]) {
      await take('POST', `${path}/build`, { fields: { platforms } }, 202);
      requests += 1;
      const { builds } = await take('GET', `${path}/build`, {}, 200);
      assert.deepEqual(
        (builds as readonly Json[]).map(({ platform, number }) => [platform, number]),
        [
          ['android', requests],
          ['ios', requests],
        ],
      );
    }
    for (const [isPrivate, expected] of [
      ...[true, 'true', '1'].map((value) => [value, true] as const),
      ...['', null].map((value) => [value, true] as const),
      ...[false, 'false', 0].map((value) => [value, false] as const),
    ]) {
      await take('PUT', path, { fields: { title: 2.5, private: isPrivate } }, 200, { title: '2.5', private: expected });
    }
    for (const keys of [{ android: 1 }, { android: '1' }, '{"android":1}', '']) {
      const changed = await take('PUT', path, { fields: { title: 'Keys', keys } }, 200);
      assert.equal((changed.keys as { android: { id: number } }).android.id, 1);
    }
  });

  it('lists a thousand apps per page and links to the next page', async () => {
    const { store } = service.service;
    const addUpTo = async (count: number): Promise<void> => {
      const { length } = getApps((await take('GET', '/apps', {}, 200)).apps);
      store.transaction(() => {
        for (let index = length; index < count; index += 1) {
          addApp(store, 1, { title: `App ${index}` });
        }
      });
    };
    const pageAt = async (path: string): Promise<{ readonly ids: readonly number[]; readonly next?: string }> => {
      const { apps, links } = await take('GET', path, {}, 200);
      const next = (links as { readonly next: string } | undefined)?.next.replace('/api/v1', '');
      return { ids: getApps(apps).map(({ id }) => id), ...(next !== undefined && { next }) };
    };
    await addUpTo(1_000);
    assert.equal((await pageAt('/apps')).next, undefined, 'there is no more');
    await addUpTo(1_500);
    const first = await pageAt('/apps');
    const second = await pageAt(first.next ?? '');
    const ids = [...first.ids, ...second.ids];
    assert.deepEqual([first.ids.length, second.ids.length, second.next], [1_000, 500, undefined]);
    assert.deepEqual(
      ids,
      [...new Set(ids)].toSorted((a, b) => a - b),
    );
    await take('DELETE', `/apps/${first.ids.at(-1)}`, {}, 202);
    assert.deepEqual(await pageAt(first.next ?? ''), second, 'the app before it is gone');
    const { apps } = await take('GET', '/me', {}, 200);
    assert.equal(getApps((apps as Json).all).length, 1_000, 'the home names the first of them');
    const error = 'The parameter after must be a whole number.';
    for (const after of ['x', '-1', '1.5', '']) {
      await take('GET', `/apps?after=${after}`, {}, 400, { error });
    }
  });

  it('shortens overlong text in a config.xml, because other users read them in their lists', async () => {
    const long = 'x'.repeat(100_000);
    const plugin = `<plugin name="${long.slice(0, 300)}" spec="${long.slice(0, 300)}"/>`;
    const config = `<widget id="${long}" version="${long}"><name>${long}</name><description>${long}</description>${plugin}</widget>`;
    const content = await createZip({ 'config.xml': config, 'index.html': '<!doctype html>' });
    const app = await take('POST', '/apps', { files: { file: { name: 'www.zip', content } } }, 201, {
      ...{ title: long.slice(0, 255), package: long.slice(0, 255), version: long.slice(0, 255) },
      description: long.slice(0, 10_000),
    });
    await take('GET', `/apps/${String(app.id)}/plugins`, {}, 200, {
      plugins: [{ name: long.slice(0, 255), version: long.slice(0, 255) }],
    });
  });

  it('creates an app from a repository, and pulls it again', async () => {
    const repository = await startGitServer();
    try {
      await repository.commit({ 'www/index.html': '<!doctype html>' });
      await repository.git('tag', 'v1');
      const fields = { repo: repository.url, tag: 'v1' };
      const { id } = await take('POST', '/apps', { fields }, 201, { title: 'app', ...fields, build_count: 1 });
      await take('PUT', `/apps/${String(id)}`, { fields: { pull: 'true' } }, 200, { tag: 'v1', build_count: 2 });
    } finally {
      await repository.stop();
    }
  });
});
