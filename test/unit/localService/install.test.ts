import assert from 'node:assert/strict';

import { createAuthToken } from '../../../src/localService/store/tokens.ts';
import { findBuild } from '../../../src/localService/store/builds.ts';
import { createInstallKey } from '../../../src/localService/store/installKeys.ts';
import { download, endOfBuilds, PAGE, upload } from '../../support/builds.ts';
import { serviceOfTests } from '../../support/hooks.ts';
import { openInProcess } from '../../support/inProcessService.ts';
import { perform, type Operation } from '../../support/operation.ts';
import type { Answer } from '../../support/serviceRequests.ts';

interface Made {
  readonly id: string;
  readonly qr_key: string;
  readonly install_url: string;
  readonly expires_at: string;
  readonly link: string;
}

const DAY_MS = 24 * 3_600_000;
const ENDED = /This link does not work, or not any more/;

describe('local service: links for installing', () => {
  const service = serviceOfTests(openInProcess);
  let app: number;
  let octo: string;
  before(() => {
    octo = createAuthToken(service.service.store, 2, 'octo').token;
  });
  beforeEach(async () => {
    app = await upload(service, PAGE, { title: 'Tide <b>Table</b>' });
    await endOfBuilds(service, app);
  });

  const send = async (
    method: Operation['method'],
    path: string,
    fields?: Record<string, string>,
    token = service.authToken,
  ): Promise<Pick<Answer, 'status' | 'json'>> => {
    const operation = { method, path: `/api/v1${path}`, ...(fields && { fields }) };
    const { status, json } = await perform(service, operation, token);
    return { status, json };
  };
  const share = async (fields: Record<string, string> = { platform: 'android' }, token?: string): Promise<Made> => {
    const { status, json } = await send('POST', `/apps/${app}/share`, fields, token);
    assert.equal(status, 201, JSON.stringify(json));
    return json as Made;
  };
  const open = async (url: string): Promise<{ status: number; text: string; headers: Headers }> => {
    const response = await service.fetch(new URL(url, service.baseUrl), {
      headers: { Accept: 'text/html' },
      redirect: 'manual',
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const downloadLink = (made: Made, platform = 'android', id = app): string =>
    `/apps/${id}/download/${platform}?qr_key=${made.qr_key}`;
  const assertEnded = async (made: Made): Promise<void> => {
    for (const url of [made.install_url, downloadLink(made)]) {
      const { status, text } = await open(url);
      assert.equal(status, 404, url);
      assert.match(text, ENDED);
    }
  };

  it('opens the page and the download of one build without an account', async () => {
    const made = await share();
    assert.ok(made.install_url.startsWith(`${service.baseUrl}/apps/${app}/install?qr_key=`));
    const page = await open(made.install_url);
    assert.equal(page.status, 200);
    assert.match(page.text, /Tide &lt;b&gt;Table&lt;\/b&gt;/);
    assert.match(page.text, /This is a demo package: .* cannot be installed/);
    assert.match(page.text, /<dd>[\d.]+ kB<\/dd>/);
    assert.match(page.text, /<dd><time datetime="[^"]+">[\d :-]+ UTC<\/time>, build 1<\/dd>/);
    assert.doesNotMatch(page.text, /<script|<b>Table/);
    assert.equal(page.headers.get('set-cookie'), null);
    const href = /href="([^"]*\/download\/[^"]*)"/.exec(page.text)?.[1] ?? '';
    const file = await service.fetch(new URL(href, service.baseUrl));
    assert.equal(file.headers.get('content-type'), 'application/vnd.android.package-archive');
    assert.match(
      file.headers.get('content-disposition') ?? '',
      /^attachment; filename="?Tide-b-Table-b-[\w.]*-demo\.apk"?$/,
    );
    const { bytes } = await download(service, app, 'android');
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes);
  });

  it('shows every name as text, however it is made', async () => {
    const { install_url: url } = await share();
    for (const title of ['<script>alert(1)</script>\u202e"\'&', 'y'.repeat(10_000), '\u200b', '\u202e\u2066']) {
      service.service.store.run('UPDATE apps SET title = ?, version = ? WHERE id = ?', title, title, app);
      assert.doesNotMatch((await open(url)).text, /<script|\u202e|\u2066|\u200b|y{201}/);
    }
    assert.match((await open(url)).text, /\(no name\)/);
  });

  it('opens nothing else', async () => {
    const made = await share();
    for (const url of [
      downloadLink(made, 'winphone'),
      downloadLink(made, 'android', 1001),
      `/apps/1001/install?qr_key=${made.qr_key}`,
      `/apps/${app}/install?qr_key=${made.qr_key.slice(1)}`,
      `/apps/${app}/install?qr_key=`,
      `/apps/${app}/install`,
    ]) {
      assert.equal((await open(url)).status, 404, url);
    }
    for (const path of [`/apps/${app}`, `/apps/${app}/logs/android/build`, `/apps/${app}/android`, '/me']) {
      for (const query of [`qr_key=${made.qr_key}`, `auth_token=${made.qr_key}`, `access_token=${made.qr_key}`]) {
        assert.equal((await open(`/api/v1${path}?${query}`)).status, 401, path);
      }
    }
    assert.equal((await open(`/account?qr_key=${made.qr_key}`)).status, 303);
  });

  it('ends with its time, a week at most', async () => {
    const made = await share({ platform: 'android', expires_in: '604800' });
    assert.equal(Date.parse(made.expires_at), Math.floor(service.service.now() / 1000) * 1000 + 7 * DAY_MS);
    service.advance(7 * DAY_MS - 60_000);
    assert.equal((await open(made.install_url)).status, 200);
    service.advance(60_000);
    await assertEnded(made);
    for (const seconds of ['604801', '0', '-1', 'week']) {
      assert.equal(
        (await send('POST', `/apps/${app}/share`, { platform: 'android', expires_in: seconds })).status,
        400,
      );
    }
    assert.equal(Date.parse((await share()).expires_at), Math.floor(service.service.now() / 1000) * 1000 + DAY_MS);
    const { store } = service.service;
    const build = findBuild(store, app, 'android') ?? assert.fail();
    const { key } = createInstallKey(store, build, { userId: 1, lifetimeMs: 8 * DAY_MS, now: 0 });
    assert.equal(key.expiresAt, 7 * DAY_MS, 'whatever a route lets through');
  });

  it('ends with the next build', async () => {
    const made = await share();
    await send('POST', `/apps/${app}/build`);
    await assertEnded(made);
    await endOfBuilds(service, app);
    await assertEnded(made);
    assert.deepEqual(((await send('GET', `/apps/${app}/share`)).json as { install_keys: unknown[] }).install_keys, []);
  });

  it('ends when it is revoked, when the app is deleted, and when who made it leaves the app', async () => {
    const revoked = await share();
    assert.deepEqual(await send('DELETE', revoked.link.slice('/api/v1'.length)), {
      status: 202,
      json: { success: `install key ${revoked.id} revoked` },
    });
    await assertEnded(revoked);

    await send('POST', `/apps/${app}/collaborators`, { email: 'octo-demo@example.com', role: 'tester' });
    const ofTester = await share({ platform: 'android' }, octo);
    assert.equal((await open(ofTester.install_url)).status, 200);
    const { json } = await send('GET', `/apps/${app}`);
    const { active } = (json as { collaborators: { active: { id: number; person: string }[] } }).collaborators;
    const tester = active.find(({ person }) => person === 'octo-demo@example.com')?.id;
    await send('DELETE', `/apps/${app}/collaborators/${tester}`);
    await assertEnded(ofTester);

    const made = await share();
    await send('DELETE', `/apps/${app}`);
    await assertEnded(made);
  });

  it('is revoked by who made it and by the owner alone', async () => {
    await send('POST', `/apps/${app}/collaborators`, { email: 'octo-demo@example.com', role: 'tester' });
    const [ofOwner, ofTester] = [await share(), await share({ platform: 'android' }, octo)];
    const refused = await send('DELETE', ofOwner.link.slice('/api/v1'.length), {}, octo);
    assert.deepEqual(refused, {
      status: 403,
      json: { error: 'Only who has made a link and the owner of the app can revoke it.' },
    });
    assert.equal((await send('DELETE', ofTester.link.slice('/api/v1'.length))).status, 202);
  });

  it('is listed without its value, which is stored as a hash', async () => {
    const made = await share();
    const list = JSON.stringify((await send('GET', `/apps/${app}/share`)).json);
    assert.ok(list.includes(made.id) && !list.includes(made.qr_key));
    const rows = JSON.stringify(service.service.store.all('SELECT * FROM installKeys'));
    assert.ok(rows.includes(made.id) && !rows.includes(made.qr_key));
  });

  it('is made for a complete build of one’s own app', async () => {
    const browser = await send('POST', `/apps/${app}/share`, { platform: 'browser' });
    assert.deepEqual(browser, { status: 404, json: { error: `app #${app} download unavailable for browser` } });
    assert.equal((await send('POST', `/apps/${app}/share`, { platform: 'symbian' })).status, 400);
    const foreign = await send('POST', `/apps/${app}/share`, { platform: 'android' }, octo);
    assert.deepEqual(foreign, { status: 404, json: { error: `app #${app} not available` } });
  });
});
