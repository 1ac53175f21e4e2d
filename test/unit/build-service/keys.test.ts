import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { findBuildKey } from '../../../src/build-service/builds/buildKeys.ts';
import { findApp } from '../../../src/build-service/store/apps.ts';
import { useServiceForEachTest } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { keyFile, multipart, provisioningProfile } from '../../support/signingKeys.ts';

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

const HOUR_MS = 3_600_000;
const PROFILE = provisioningProfile('2100-01-01T00:00:00Z');

describe('local service: signing keys', () => {
  const service = useServiceForEachTest(openInProcess);

  const send = async (method: string, path: string, body?: RequestInit['body']): Promise<Answer> => {
    const response = await service.fetch(new URL(`/api/v1/keys${path}`, service.baseUrl), {
      method,
      headers: { Authorization: `token ${service.authToken}` },
      body: body ?? null,
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  const form = (fields: Record<string, string>): URLSearchParams => new URLSearchParams(fields);
  const addAndroid = (fields: Record<string, string> = {}): Promise<Answer> =>
    send(
      'POST',
      '/android',
      multipart({ title: 'Store', alias: 'release', ...fields }, { keystore: keyFile('release.jks') }),
    );
  const addWinphone = (fields: Record<string, string> = {}): Promise<Answer> =>
    send('POST', '/winphone', form({ title: 'Publisher', publisher_id: 'p-1', ...fields }));
  const keptFiles = (): Promise<string[]> => readdir(service.service.files.getPath(''));

  it('adds an Android key', async () => {
    const { status, json } = await addAndroid();
    assert.equal(status, 201);
    const { id, created_at: createdAt, actions, ...rest } = json;
    assert.deepEqual(rest, {
      ...{ default: false, title: 'Store', link: `/api/v1/keys/android/${String(id)}`, platform: 'android' },
      ...{ locked: true, last_used: null, alias: 'release', expires_at: '2126-10-28T23:11:18Z' },
      sha1: '57:64:05:22:E6:B7:48:D6:5A:A2:70:BF:B3:99:3B:49:9D:0A:E2:F7',
      sha256: '47:96:39:32:A9:76:40:9D:63:F7:FF:DD:B3:59:EF:D0:4A:F3:E0:2B:5A:E9:C2:02:4B:35:17:65:E2:7A:6D:93',
    });
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
    assert.ok(Array.isArray(actions));
    assert.deepEqual((await send('GET', `/android/${String(id)}`)).json, json);
  });

  it('adds keys of the other platforms, unlocked if all passwords were sent', async () => {
    const p12 = keyFile('release.p12');
    const ios = { cert: p12, profile: provisioningProfile('2100-01-01T00:00:00Z', { appId: 'com.example.*' }) };
    const added = [
      await addAndroid({ key_pw: 'key-secret', keystore_pw: 'store-secret' }),
      await send('POST', '/ios', multipart({ title: 'Store', password: 'store-secret' }, ios)),
      await send('POST', '/ios', multipart({ title: 'Store' }, ios)),
      await send('POST', '/windows', multipart({ title: 'Desktop', password: 'store-secret' }, { keystore: p12 })),
      await addWinphone(),
      // One of two passwords doesn't unlock the key.
      await addAndroid({ key_pw: 'key-secret' }),
    ];
    assert.deepEqual(
      added.map(({ status, json }) => [status, json.platform, json.locked]),
      [
        [201, 'android', false],
        [201, 'ios', false],
        [201, 'ios', true],
        [201, 'windows', false],
        [201, 'winphone', false],
        [201, 'android', true],
      ],
    );
    const { app_id: appId, expires_at: expiresAt } = added[1]?.json ?? {};
    assert.deepEqual([appId, expiresAt, added[4]?.json.publisher_id], ['com.example.*', '2100-01-01T00:00:00Z', 'p-1']);
  });

  const refused: readonly (readonly [path: string, body: RequestInit['body'], error: string])[] = [
    ['/android', null, 'A key for android requires title, alias, keystore.'],
    ['/ios', form({ title: 'x' }), 'A key for ios requires cert, profile.'],
    ['/windows', multipart({ title: 'x' }, { keystore: PROFILE }), 'A key for windows requires password.'],
    ['/winphone', form({ title: ' ', publisher_id: 'p' }), 'A key for winphone requires title.'],
    ['/winphone', form({ data: '{"title": ["x"], "publisher_id": "p"}' }), 'The field title must be text.'],
    [
      '/winphone',
      form({ title: 'x'.repeat(256), publisher_id: 'p' }),
      'The field title must have at most 255 characters.',
    ],
    ['/winphone', form({ title: 'a\nb', publisher_id: 'p' }), 'The field title must be a single line.'],
    [
      '/winphone',
      form({ title: 'x', publisher_id: 'p', default: 'constructor' }),
      'The field default must be true or false.',
    ],
    [
      '/android',
      multipart({ title: 'x', alias: 'a', password: 'p' }, { keystore: PROFILE }),
      'Unlock a key for android with key_pw and keystore_pw, not with password.',
    ],
    [
      '/android/1',
      form({ key_pw: 'x' }),
      'Unlock a key for android with key_pw and keystore_pw. keystore_pw is missing.',
    ],
    ['/ios/2', form({ key_pw: 'x', keystore_pw: 'x' }), 'Unlock a key for ios with password, not with key_pw.'],
    ['/winphone/5', form({ password: 'x' }), 'A key for winphone doesn’t have a password.'],
    ['/winphone/5', form({ lock: 'true' }), 'A key for winphone doesn’t have a password and is never locked.'],
    ['/ios/2', form({ lock: '1', password: 'x' }), 'Send either lock or passwords.'],
    ['/ios/2', form({}), 'Nothing to change: send password to unlock it, lock, title or default.'],
  ];
  for (const [path, body, error] of refused) {
    it(`rejects an invalid addition or change: ${error}`, async () => {
      const method = /\d$/.test(path) ? 'PUT' : 'POST';
      assert.deepEqual(await send(method, path, body), { status: 400, json: { error } });
      assert.deepEqual(await keptFiles(), []);
    });
  }

  it('rejects a file of more than 4 MiB without keeping any of it', async () => {
    const answer = await send(
      'POST',
      '/android',
      multipart({ title: 'x', alias: 'a' }, { keystore: Buffer.alloc(4 * 1024 * 1024 + 1) }),
    );
    assert.deepEqual(answer, { status: 413, json: { error: 'The file keystore is larger than 4194304 bytes.' } });
    assert.deepEqual(await keptFiles(), []);
  });

  it('unlocks a key for an hour or until it’s locked', async () => {
    const { id } = (await addAndroid()).json;
    const path = `/android/${String(id)}`;
    const unlocked = await send('PUT', path, form({ key_pw: 'key-secret', keystore_pw: 'store-secret' }));
    assert.deepEqual([unlocked.status, unlocked.json.locked, unlocked.json.id], [200, false, id]);
    service.advance(HOUR_MS - 1000);
    assert.equal((await send('GET', path)).json.locked, false);
    const passwords = () => service.service.store.get('SELECT passwords FROM keys WHERE id = ?', Number(id))?.passwords;
    service.advance(1000);
    assert.equal((await send('GET', path)).json.locked, true);
    assert.equal(passwords(), null);
    await send('PUT', path, form({ key_pw: 'key-secret', keystore_pw: 'store-secret' }));
    assert.notEqual(passwords(), null);
    assert.equal((await send('PUT', path, form({ lock: 'true' }))).json.locked, true);
    assert.equal(passwords(), null);
  });

  it('keeps showing a keystore’s certificate once its password was entered, even after the key is locked', async () => {
    const keystore = keyFile('release.p12');
    const { id, sha1: before } = (
      await send('POST', '/android', multipart({ title: 'x', alias: 'release' }, { keystore }))
    ).json;
    const path = `/android/${String(id)}`;
    assert.equal(before, undefined);
    const sha1 = '36:0F:32:E3:5E:DB:16:C1:C7:09:7C:F2:7A:61:EC:5D:0B:7A:C4:B5';
    const change = async (fields: Record<string, string>) => (await send('PUT', path, form(fields))).json.sha1;
    assert.equal(await change({ key_pw: 'wrong', keystore_pw: 'wrong' }), undefined);
    assert.equal(await change({ key_pw: 'store-secret', keystore_pw: 'store-secret' }), sha1);
    assert.equal(await change({ lock: 'true' }), sha1);
  });

  it('opens key files one at a time, each in a separate process', async () => {
    let most = 0;
    let next: NodeJS.Immediate;
    const count = (): void => {
      const processes = process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
      most = Math.max(most, processes);
      next = setImmediate(count);
    };
    next = setImmediate(count);
    const files = { cert: keyFile('release.p12'), profile: PROFILE };
    const added = await Promise.all(
      ['1', '2', '3'].map((title) => send('POST', '/ios', multipart({ title, password: 'store-secret' }, files))),
    );
    clearImmediate(next);
    assert.deepEqual(
      added.map(({ status, json }) => [status, json.locked, json.expires_at]),
      Array(3).fill([201, false, '2100-01-01T00:00:00Z']),
    );
    assert.equal(most, 1);
  });

  it('changes the title and the default, with at most one default per platform', async () => {
    const { id } = (await addAndroid({ default: 'true' })).json;
    const defaults = async (): Promise<unknown[]> =>
      ((await send('GET', '/android')).json.keys as { id: number; default: boolean }[])
        .filter((key) => key.default)
        .map((key) => key.id);
    assert.deepEqual(await defaults(), [id]);
    const { status, json } = await send('PUT', '/android/3', form({ title: 'Renamed', default: '1' }));
    assert.deepEqual([status, json.title, json.default, json.locked], [200, 'Renamed', true, true]);
    assert.deepEqual(await defaults(), [3]);
    await send('PUT', '/android/3', form({ default: 'false' }));
    assert.deepEqual(await defaults(), []);
  });

  it('makes the first key of a platform its default', async () => {
    await send('DELETE', '/winphone/5');
    assert.equal((await addWinphone()).json.default, true);
    assert.equal((await addWinphone()).json.default, false);
    await send('DELETE', '/windows/6');
    const windows = { title: 'x', password: 'p', default: 'false' };
    assert.equal((await send('POST', '/windows', multipart(windows, { keystore: PROFILE }))).json.default, false);
  });

  it('deletes a key with its files, and never reuses its ID', async () => {
    const { id } = (await addAndroid()).json;
    assert.equal((await keptFiles()).length, 1);
    const path = `/android/${String(id)}`;
    assert.deepEqual(await send('DELETE', path), {
      status: 202,
      json: { success: `android key ${String(id)} deleted` },
    });
    assert.deepEqual(await keptFiles(), []);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const error = `could not find android key #${String(id)}`;
      assert.deepEqual(await send(method, path), { status: 404, json: { error } });
    }
    assert.notEqual((await addAndroid()).json.id, id);
  });

  it('deletes a key even if its file can’t be removed, and reports the file', async () => {
    const { id } = (await addAndroid()).json;
    const [name = ''] = await keptFiles();
    const file = service.service.files.getPath(name);
    await rm(file);
    // This is a folder, so it can't be removed as a file.
    await mkdir(join(file, 'in the way'), { recursive: true });
    assert.equal((await send('DELETE', `/android/${String(id)}`)).status, 202);
    assert.equal((await send('GET', `/android/${String(id)}`)).status, 404);
    const [line, ...others] = (service.reports as string[]).splice(0);
    assert.match(line ?? '', /^Unused files can’t be deleted: \S+$/);
    assert.deepEqual(others, []);
  });

  it('hides the keys of other users', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      assert.deepEqual(await send(method, '/android/7', method === 'PUT' ? form({ title: 'x' }) : undefined), {
        status: 404,
        json: { error: 'could not find android key #7' },
      });
    }
  });

  it('shows all fields of keys in lists, with null as the last use of an unused key', async () => {
    const { keys } = (await send('GET', '')).json as { keys: Record<string, { all?: Record<string, unknown>[] }> };
    for (const { locked, created_at: createdAt, last_used: lastUsed } of Object.values(keys).flatMap(
      ({ all = [] }) => all,
    )) {
      assert.deepEqual([typeof locked, typeof createdAt, lastUsed], ['boolean', 'string', null]);
    }
  });

  it('records the last use by a build, for the app’s key and the owner’s default key', async () => {
    const { store } = service.service;
    const used = async (path: string): Promise<unknown> => (await send('GET', path)).json.last_used;
    const [withKey, without] = [findApp(store, '1003'), findApp(store, '1002')];
    assert.ok(withKey && without);
    assert.equal(findBuildKey(service.service, withKey, 'android')?.key.id, 3);
    assert.equal(await used('/android/1'), null);
    assert.match(String(await used('/android/3')), /^\d{4}-.*Z$/);
    assert.equal(findBuildKey(service.service, without, 'android')?.key.id, 1);
    assert.match(String(await used('/android/1')), /^\d{4}-.*Z$/);
    assert.equal(findBuildKey(service.service, without, 'browser'), undefined);
  });

  it('gives a build the files and, while the key is unlocked, the passwords', async () => {
    const { id } = (await addAndroid({ default: 'true' })).json;
    const app = findApp(service.service.store, '1002');
    assert.ok(app);
    const locked = findBuildKey(service.service, app, 'android');
    assert.deepEqual([locked?.key.id, locked?.key.locked, locked?.passwords], [id, true, undefined]);
    assert.deepEqual(await readFile(locked?.files.keystore ?? ''), keyFile('release.jks'));
    const passwords = { key_pw: 'a', keystore_pw: 'b' };
    await send('PUT', `/android/${String(id)}`, form(passwords));
    assert.deepEqual(findBuildKey(service.service, app, 'android')?.passwords, passwords);
    service.advance(HOUR_MS);
    assert.equal(findBuildKey(service.service, app, 'android')?.passwords, undefined);
  });

  it('offers the actions of a key, and a form to add one', async () => {
    const names = async (path: string): Promise<unknown> =>
      ((await send('GET', path)).json.actions as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(await names('/android'), ['add']);
    assert.deepEqual(await names('/android/3'), ['unlock', 'edit', 'make-default', 'delete']);
    assert.deepEqual(await names('/android/1'), ['lock', 'edit', 'delete']);
    assert.deepEqual(await names('/winphone/5'), ['edit', 'delete']);
  });
});
