import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';

import { PACKAGE_PATH } from '../../../../../src/extension/devices/network/phonePages.ts';
import { createInstallSite } from '../../../../../src/extension/devices/network/networkSites.ts';
import type { NetworkListener } from '../../../../../src/extension/devices/network/networkListener.ts';
import { installDocument } from '../../../../../src/extension/devices/network/phonePages.ts';
import type { FetchedPackage } from '../../../../../src/extension/devices/fetchPackage.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import { getTarget, listenForTest, packageFileIn, getStatus } from '../../../../support/networkSites.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

const HOSTILE = `<img src=x onerror="alert(1)">`;
const ICON = 'data:image/png;base64,AAAA';
const SECRET = 'a file beside the package';
/** Size larger than the system's buffer for a connection. */
const LARGE = randomBytes(24 * 1024 * 1024);

describe('an install site', () => {
  let folder = '';
  let file: FetchedPackage;
  let listener: NetworkListener;
  useFolderForEachTest((made) => {
    folder = made;
  });

  async function share(bytes: Buffer = LARGE, name?: string): Promise<void> {
    file = await packageFileIn(folder, bytes, name);
    const page = installDocument({ heading: `Shop ${HOSTILE}`, icon: ICON, size: 12_300_000, isTestSigned: true });
    listener = await listenForTest({ site: createInstallSite(page, file) });
  }

  afterEach(() => listener.close());

  it('serves a page of text with one button', async () => {
    await share();
    const response = await fetch(listener.url);
    const text = await response.text();
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(Number(response.headers.get('content-length')), Buffer.byteLength(text));
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    assert.doesNotMatch(response.headers.get('content-security-policy') ?? '', /script|unsafe/);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.match(text, /<html lang="en">/);
    assert.doesNotMatch(text, /<script|<img src=x/);
    assert.ok(text.includes(`<img class="picture" src="${ICON}" alt=""`), 'the icon of the app');
    assert.match(text, /App for Android, 12\.3 MB/);
    assert.match(text, /Signed with a test key/);
    assert.match(
      text,
      /unknown apps.*Play Protect.*<details>.*Trouble installing\?.*Auto Blocker.*September 2026.*over USB/s,
    );
    assert.match(text, /iPhone or iPad can’t install Android apps/);
    assert.doesNotMatch(text, /<details open/);
    assert.equal(text.split(/<a [^>]*href="/).length, 2);
    assert.ok(text.includes(`href="${PACKAGE_PATH}"`));
    assert.ok(!text.includes(folder));
  });

  it('serves the unchanged package as Android requires, under its own name and one for old browsers', async () => {
    await share(LARGE, 'Läden ☕-1.0.apk');
    const response = await fetch(listener.url + PACKAGE_PATH);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(LARGE));
    const { headers } = response;
    assert.equal(headers.get('content-type'), 'application/vnd.android.package-archive');
    assert.equal(Number(headers.get('content-length')), LARGE.length);
    assert.equal(headers.get('accept-ranges'), 'bytes');
    assert.equal(headers.get('cache-control'), 'no-store');
    const disposition = headers.get('content-disposition') ?? '';
    assert.match(
      disposition,
      /^attachment; filename="[\x20-\x7e]+\.apk"; filename\*=UTF-8''L%C3%A4den%20%E2%98%95-1\.0\.apk$/i,
    );
    const head = await fetch(listener.url + PACKAGE_PATH, { method: 'HEAD', headers: { range: 'bytes=5-6' } });
    assert.deepEqual([head.status, Number(head.headers.get('content-length'))], [200, LARGE.length]);
    assert.equal(await head.text(), '');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    assert.equal((await fetch(listener.url + PACKAGE_PATH, { headers: known })).status, 304);
  });

  it('continues an interrupted download, and ignores invalid ranges', async () => {
    await share(Buffer.from('0123456789'));
    const ranges: Readonly<Record<string, readonly [number, string, string | null]>> = {
      'bytes=0-3': [206, '0123', 'bytes 0-3/10'],
      'bytes=4-': [206, '456789', 'bytes 4-9/10'],
      'bytes=8-99': [206, '89', 'bytes 8-9/10'],
      'bytes=10-': [416, '', 'bytes */10'],
      'bytes=-3': [200, '0123456789', null],
      'bytes=5-2': [200, '0123456789', null],
      'bytes=0-1,4-5': [200, '0123456789', null],
      'bytes=99999999999999999999-': [200, '0123456789', null],
    };
    for (const [range, [status, body, contentRange]] of Object.entries(ranges)) {
      const response = await fetch(listener.url + PACKAGE_PATH, { headers: { range } });
      const found = [response.status, await response.text(), response.headers.get('content-range')];
      assert.deepEqual(found, [status, body, contentRange], range);
    }
  });

  it('serves nothing besides the page and the package', async () => {
    await share();
    await writeFile(join(dirname(file.path), 'other.txt'), SECRET);
    await writeFile(join(folder, 'above.txt'), SECRET);
    await symlink(join(folder, 'above.txt'), join(dirname(file.path), 'link.txt'));
    const { pathname } = new URL(listener.url);
    const odd = ['other.txt', 'link.txt', '../above.txt', '..%2fabove.txt', '%2e%2e/above.txt', '.', '..', file.name];
    const written = [`./`, '/', '%2f'].map((before) => before + PACKAGE_PATH);
    const ends = ['/', '%00', '%00.txt'].map((after) => PACKAGE_PATH + after);
    for (const path of [...odd, ...written, ...ends, '%', '%ff', '%c0%ae']) {
      const answer = await getTarget(listener, pathname + path);
      assert.equal(getStatus(answer), 404, path);
      assert.ok(!answer.includes(SECRET), path);
    }
  });

  it('leaves no open file when a phone disconnects or sharing stops', async function () {
    await share();
    if (process.platform !== 'linux') {
      return;
    }
    const openFiles = async (): Promise<number> => {
      const names = await readdir('/proc/self/fd');
      const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
      return targets.filter((target) => target === file.path).length;
    };
    const request = get(listener.url + PACKAGE_PATH);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    assert.equal(await openFiles(), 1);
    request.destroy();
    await waitUntil(async () => (await openFiles()) === 0);
    const second = get(listener.url + PACKAGE_PATH);
    second.on('error', () => undefined);
    const [body] = (await once(second, 'response')) as [IncomingMessage];
    body.on('error', () => undefined);
    await once(body, 'readable');
    await listener.close();
    await waitUntil(async () => (await openFiles()) === 0);
  });
});
