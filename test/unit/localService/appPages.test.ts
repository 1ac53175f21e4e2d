import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';

import { ask, endOfBuilds, PAGE, upload } from '../../support/builds.ts';
import { signIn, type Browser } from '../../support/consent.ts';
import { serviceOfTests } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';

const HOSTILE_TITLE = '<script>alert(1)</script>\u202e"\'&';

describe('local service: pages of apps', () => {
  const service = serviceOfTests(openInProcess);
  let browser: Browser;
  let id: number;
  before(async () => {
    ({ browser } = await signIn(service));
    id = await upload(service, PAGE, { title: HOSTILE_TITLE });
    await endOfBuilds(service, id);
  });

  const open = async (path: string, as = browser): Promise<{ status: number; text: string; headers: Headers }> => {
    const answer = await as.open(path);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  it('lists the apps of the user with their builds, and says what can be built', async () => {
    const { status, text } = await open('/account/apps');
    assert.equal(status, 200);
    assert.match(text, /Field Notes/);
    assert.match(text, /ios <span class="status error">failed/);
    assert.match(text, /The demo builder checks apps .* cannot be installed/);
    assert.match(text, /The demo builder makes no browser apps/);
  });

  it('leads to the list, and from it to each app', async () => {
    assert.match((await open('/account')).text, /href="\/account\/apps"/);
    for (const [, path = ''] of (await open('/account/apps')).text.matchAll(/href="(\/account\/apps\/\d+)"/g)) {
      assert.equal((await open(path)).status, 200, path);
    }
  });

  it('loads itself again only while a build goes on, for those who ask for it', async () => {
    const refreshes = async (path: string): Promise<boolean> => (await open(path)).headers.get('refresh') === '3';
    const paths = ['/account/apps', '/account/apps/1002', '/account/apps/1002/log/android?offset=0'];
    const following = ['/account/apps?follow=on', '/account/apps/1002?follow=on', `${paths[2]}&follow=on`];
    const { store } = service.service;
    // Nothing is built any more, so that this one goes on.
    await service.service.builds.close();
    store.run(`UPDATE builds SET number = 1, queuedAt = 1 WHERE appId = 1002 AND platform = 'android'`);
    assert.deepEqual(await Promise.all(paths.map(refreshes)), [false, false, false]);
    assert.deepEqual(await Promise.all(following.map(refreshes)), [true, true, true]);
    for (const [index, path] of paths.entries()) {
      const link = (target = ''): string => `href="${target.replaceAll('&', '&amp;')}"`;
      assert.ok((await open(path)).text.includes(link(following[index])), path);
      assert.ok((await open(following[index] ?? '')).text.includes(`${link(path)}>Stop this`), path);
    }
    store.run("UPDATE builds SET status = 'error', error = 'No <b>reason</b>', finishedAt = 2 WHERE appId = 1002");
    assert.deepEqual(await Promise.all(following.map(refreshes)), [false, false, false]);
    assert.match((await open('/account/apps/1002')).text, /<p class="fault">No &lt;b&gt;reason&lt;\/b&gt;<\/p>/);
    service.service.builds.start();
  });

  it('cancels a build that goes on', async () => {
    const { store } = service.service;
    const path = '/account/apps/1002/cancel/winphone';
    assert.ok(!(await open('/account/apps/1002')).text.includes(path), 'nothing goes on');
    await service.service.builds.close();
    store.run(
      `UPDATE builds SET status = 'pending', number = 1, queuedAt = 1, finishedAt = NULL WHERE appId = 1002 AND platform = 'winphone'`,
    );
    const { text } = await open('/account/apps/1002');
    assert.equal((await browser.submit(text, path)).headers.get('location'), '/account/apps/1002');
    const after = await open('/account/apps/1002');
    assert.match(after.text, /The build was cancelled\./);
    assert.ok(!after.text.includes(path));
    assert.equal((await browser.submit(text, path)).status, 303, 'pressed twice');
    service.service.builds.start();
  });

  it('shows builds, downloads and the log', async () => {
    const { text } = await open(`/account/apps/${id}`);
    assert.match(text, /A demo package, which cannot be installed/);
    assert.match(text, /Build 1 · [\d.]+ (bytes|kB) · (now|\d+ seconds? ago)/);
    assert.match((await open(`/account/apps/${id}/log/android`)).text, /<pre>Building .*\n/);
    const redirect = await open(`/account/apps/${id}/download/android`);
    assert.equal(redirect.status, 303);
    const file = await service.fetch(new URL(redirect.headers.get('location') ?? '', service.baseUrl));
    assert.equal(file.status, 200);
    await file.text();
    assert.equal((await open(`/account/apps/${id}/download/browser`)).status, 404);
    assert.equal((await open(`/account/apps/${id}/log/symbian`)).status, 404);
    assert.equal((await open(`/account/apps/${id}/log/android?offset=x`)).status, 400);
  });

  it('shows a long log in parts', async () => {
    const { store, files } = service.service;
    const folder = await files.createWorkFolder();
    await writeFile(`${folder}/log`, 'ä\u202e<b>\n'.repeat(200_000));
    const log = await files.keep(`${folder}/log`);
    store.run('UPDATE builds SET logFile = ? WHERE appId = ? AND platform = ?', log, id, 'winphone');
    let path: string | undefined = `/account/apps/${id}/log/winphone`;
    let lines = 0;
    let parts = 0;
    while (path !== undefined) {
      const { text } = await open(path);
      assert.ok(!text.includes('\u202e') && !text.includes('<b>'));
      lines += text.split('&lt;b&gt;').length - 1;
      parts += 1;
      path = /href="([^"]*offset=\d+)"/.exec(text)?.[1];
    }
    assert.ok(parts === 2 || parts === 3, String(parts));
    assert.ok(lines >= 199_998, String(lines));
  });

  it('shows every name as text, however it is made', async () => {
    await ask(service, `/apps/${id}`, { method: 'PUT', body: new URLSearchParams({ title: 'x'.repeat(200) }) });
    await endOfBuilds(service, id);
    const pages = async (): Promise<string> =>
      (
        await Promise.all(
          ['/account/apps', `/account/apps/${id}`, `/account/apps/${id}/log/android`].map(
            async (path) => (await open(path)).text,
          ),
        )
      ).join('\n');
    const { store } = service.service;
    for (const title of [HOSTILE_TITLE, 'y'.repeat(10_000), '\u200b', '\u202e\u2066']) {
      store.run('UPDATE apps SET title = ?, version = ?, package = ? WHERE id = ?', title, title, title, id);
      const all = await pages();
      assert.doesNotMatch(all, /<script|\u202e|\u2066|\u200b|y{201}/);
    }
    assert.match(await pages(), /\(no name\)/);
  });

  it('builds again', async () => {
    const { text } = await open(`/account/apps/${id}`);
    const builds = async (): Promise<unknown> =>
      ((await ask(service, `/apps/${id}/build/android`)) as { number: unknown }).number;
    const before = Number(await builds());
    assert.equal((await browser.submit(text, `/account/apps/${id}/build/android`)).status, 303);
    assert.equal(await builds(), before + 1);
    assert.equal((await browser.submit(text, `/account/apps/${id}/build`)).status, 303);
    assert.equal(await builds(), before + 2);
    await endOfBuilds(service, id);
  });

  it('refuses forms that it did not show to this browser', async () => {
    const { text } = await open(`/account/apps/${id}`);
    for (const path of ['build', 'build/android', 'cancel/android', 'share', 'share/x/revoke', 'delete']) {
      const action = `/account/apps/${id}/${path}`;
      const page = text.replace(/action="[^"]*"/, `action="${action}"`);
      const { status } = await browser.submit(page, action, { csrf: 'x'.repeat(43), platform: 'android', days: '1' });
      assert.equal(status, 403, path);
    }
    assert.equal((await open(`/account/apps/${id}`)).status, 200);
  });

  it('shows a tester what they may do, and refuses the rest', async () => {
    const octo = (await signIn(service, '/account', 'octo-demo')).browser;
    const own = await (await signIn(service, '/account/apps/1005')).page.text();
    assert.doesNotMatch(own, /Build again|Build for every|Delete this app/);
    assert.match(own, /Download|Make a link/);
    for (const path of ['build', 'build/android', 'cancel/android', 'delete']) {
      const action = `/account/apps/1005/${path}`;
      const page = own.replace('action="/account/apps/1005/share"', `action="${action}"`);
      assert.equal((await browser.submit(page, action)).status, 403, path);
    }
    // A developer builds, and deletes nothing.
    const { text } = await open('/account/apps/1001', octo);
    assert.match(text, /Build again/);
    assert.doesNotMatch(text, /Delete this app/);
  });

  it('does not know the apps of somebody else, and asks who is there', async () => {
    const octo = (await signIn(service, '/account', 'octo-demo')).browser;
    for (const path of ['', '/log/android', '/download/android']) {
      assert.equal((await open(`/account/apps/${id}${path}`, octo)).status, 404, path);
      const answer = await service.fetch(new URL(`/account/apps/${id}${path}`, service.baseUrl));
      assert.match(answer.headers.get('location') ?? '', /^\/sign-in\?return_to=/);
    }
  });

  it('deletes an app', async () => {
    const { text } = await open(`/account/apps/${id}`);
    const answer = await browser.submit(text, `/account/apps/${id}/delete`);
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/account/apps']);
    assert.equal((await open(`/account/apps/${id}`)).status, 404);
  });
});
