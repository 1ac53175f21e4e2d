import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';

import type { NetworkListener } from '../../../../../src/extension/devices/network/networkListener.ts';
import { frameDocument } from '../../../../../src/extension/devices/network/phonePages.ts';
import { PreviewSite } from '../../../../../src/extension/devices/network/networkSites.ts';
import { unpackWebFiles, type WebFiles } from '../../../../../src/extension/devices/network/webFiles.ts';
import { useFolderForEachTest } from '../../../../support/hooks.ts';
import {
  CORDOVA_SCRIPT,
  getTarget,
  listenForTest,
  createPackage,
  getStatus,
} from '../../../../support/networkSites.ts';

const PAGES = {
  'index.html': '<script src="/js/app.js"></script>',
  'about.html': 'about',
  'js/app.js': 'one()',
  'a+b.txt': 'plus',
};
const SHELL = { start: '', fallback: 'index.html' };

describe('the preview of an app', () => {
  let folder = '';
  let site: PreviewSite;
  let listener: NetworkListener;
  let cookie = '';
  let origin = '';
  useFolderForEachTest((made) => {
    folder = made;
  });

  async function getFiles(pages: Readonly<Record<string, string>>, shell?: object): Promise<WebFiles> {
    const file = join(folder, 'app.apk');
    await writeFile(file, createPackage(pages, shell));
    return unpackWebFiles(file, new AbortController().signal);
  }

  async function share(pages: Readonly<Record<string, string>> = PAGES, shell?: object): Promise<void> {
    site = new PreviewSite(frameDocument('Shop <b>', undefined), await getFiles(pages, shell), {
      cordovaScript: CORDOVA_SCRIPT,
    });
    listener = await listenForTest({ site });
    ({ origin } = new URL(listener.url));
    const header = (await fetch(listener.url)).headers.get('set-cookie') ?? '';
    assert.match(header, /^preview-[\da-f]{16}=[\w-]{24}; Path=\/; HttpOnly; SameSite=Strict$/);
    cookie = header.split(';')[0] ?? '';
  }

  afterEach(async () => {
    await listener.close();
    await site.dispose();
  });

  const load = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(origin + path, { headers: { cookie, ...headers } });

  it('shows the app’s start page in a frame', async () => {
    await share(PAGES, { start: 'about.html#top', fallback: '' });
    const response = await fetch(listener.url);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; script-src 'sha256-[^']+'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    const text = await response.text();
    assert.match(text, /<iframe src="start" title="Shop &lt;b&gt;"><\/iframe>/);
    const start = await fetch(`${listener.url}start`, { redirect: 'manual' });
    assert.deepEqual([start.status, start.headers.get('location')], [302, '/about.html#top']);
  });

  it('serves the app at the root of its origin only to a browser that used the link', async () => {
    await share(PAGES, SHELL);
    assert.equal(await (await load('/js/app.js')).text(), 'one()');
    assert.equal(await (await load('/')).text(), PAGES['index.html']);
    assert.equal(await (await load('/about')).text(), 'about');
    assert.equal(await (await load('/a+b.txt')).text(), 'plus');
    assert.equal((await load('/', { cookie: `other=1; ${cookie}` })).status, 200);
    // The protection from other pages doesn't restrict the app itself.
    assert.equal((await load('/')).headers.get('content-security-policy'), "frame-ancestors 'self'");
    assert.equal((await load('/js/app.js')).headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal((await load('/')).headers.get('referrer-policy'), 'same-origin');
    const [name = '', value = ''] = cookie.split('=');
    const others = ['', `${name}=`, `${name}=x`, `other=${value}`, `${name}=${value}x`, `x${cookie}`];
    for (const wrong of others) {
      assert.equal((await load('/js/app.js', { cookie: wrong })).status, 404, wrong);
    }
  });

  it('sets a cookie for one webview only, and lets that webview embed the app', async () => {
    await share();
    const embedded = new PreviewSite(frameDocument('Shop', undefined, true), await getFiles(PAGES), {
      cordovaScript: CORDOVA_SCRIPT,
      isEmbedded: true,
    });
    const other = await listenForTest({ site: embedded });
    try {
      const frame = await fetch(other.url);
      const header = frame.headers.get('set-cookie') ?? '';
      assert.match(header, /; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned$/);
      assert.doesNotMatch(frame.headers.get('content-security-policy') ?? '', /frame-ancestors/);
      const page = await fetch(new URL('/', other.url), { headers: { cookie: header.split(';')[0] ?? '' } });
      assert.deepEqual([page.status, page.headers.get('content-security-policy')], [200, null]);
      assert.equal((await fetch(new URL('/', other.url))).status, 404);
    } finally {
      await other.close();
      await embedded.dispose();
    }
  });

  it('answers a navigation to a missing file with the start page if the app’s shell does, and otherwise with 404', async () => {
    await share(PAGES, SHELL);
    const asPage = { accept: 'text/html,*/*' };
    assert.equal(await (await load('/list/7', asPage)).text(), PAGES['index.html']);
    assert.equal((await load('/list/7')).status, 404);
    await site.show(await getFiles(PAGES, { start: '', fallback: '' }));
    assert.equal((await load('/list/7', asPage)).status, 404);
  });

  it('serves the built-in builder’s cordova.js instead of Cordova’s, and names missing plugins', async () => {
    await share({ ...PAGES, 'cordova.js': 'real' }, SHELL);
    assert.equal(await (await load('/cordova.js')).text(), 'real');
    await site.show(await getFiles({ ...PAGES, 'cordova.js': 'needs a phone' }));
    const script = await (await load('/cordova.js')).text();
    assert.doesNotMatch(script, /needs a phone/);
    assert.ok(script.startsWith(await readFile(CORDOVA_SCRIPT, 'utf8')));
    assert.match(script, /\ncordova\.start\(false, false\);\n$/);
    await site.show(await getFiles({ ...PAGES, 'cordova_plugins.js': '' }));
    assert.match(await (await load('/phonegap.js')).text(), /\ncordova\.start\(false, true\);\n$/);
  });

  it('reports each load of the app and each own file that is missing, without its query', async () => {
    const told: unknown[] = [];
    const follower = {
      started: (start: string) => told.push(start),
      missed: (path: string, page: string | undefined) => told.push([path, page]),
    };
    site = new PreviewSite(frameDocument('Shop', undefined), await getFiles(PAGES, SHELL), {
      cordovaScript: CORDOVA_SCRIPT,
      follower,
    });
    listener = await listenForTest({ site });
    ({ origin } = new URL(listener.url));
    cookie = (await fetch(listener.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    await fetch(`${listener.url}start`, { redirect: 'manual' });
    await load('/js/app.js');
    await load('/list/7', { accept: 'text/html' });
    await fetch(`${origin}/head.js`, { method: 'HEAD', headers: { cookie } });
    await load('/other.js', { cookie: '' });
    const head = `Cookie: ${cookie}\r\nReferer: ${origin}/about.html?token=1\r\n`;
    await getTarget(listener, '/gone.js?token=2', head);
    await getTarget(listener, '/lost.css', `Cookie: ${cookie}\r\n`);
    assert.deepEqual(told, ['/', ['/gone.js', '/about.html'], ['/lost.css', undefined]]);
  });

  it('announces each new build before showing it, and announces the end', async () => {
    await share();
    const first = listener;
    const reader = getEvents(await fetch(`${listener.url}events`));
    assert.equal(await reader(), 'event: build\ndata: 1');
    const before = await readdir(join(folder, '..'));
    await site.show(await getFiles({ 'index.html': 'two', 'new.js': 'two()' }));
    assert.ok(before.length > 0);
    assert.equal(await reader(), 'event: build\ndata: 2');
    assert.equal(await (await load('/')).text(), 'two');
    assert.equal(await (await load('/new.js')).text(), 'two()');
    assert.equal((await load('/js/app.js')).status, 404);
    // A page that returns after a while learns the current build.
    const later = getEvents(await fetch(`${listener.url}events`));
    assert.equal(await later(), 'event: build\ndata: 2');
    const closed = first.close();
    assert.equal(await reader(), 'event: end\ndata: 2');
    await closed;
  });

  it('deletes the files of a build that it no longer shows', async () => {
    const one = await getFiles(PAGES);
    site = new PreviewSite(frameDocument('Shop', undefined), one, { cordovaScript: CORDOVA_SCRIPT });
    listener = await listenForTest({ site });
    const two = await getFiles(PAGES);
    await site.show(two);
    await assert.rejects(stat(one.folder), { code: 'ENOENT' });
    await site.dispose();
    await assert.rejects(stat(two.folder), { code: 'ENOENT' });
  });

  it('deletes the files of a build that arrives after the end, without an announcement', async () => {
    await share();
    site.end();
    const late = await getFiles(PAGES);
    await site.show(late);
    await assert.rejects(stat(late.folder), { code: 'ENOENT' });
  });

  it('sends only files of the app, whatever the request', async () => {
    await share();
    await writeFile(join(folder, 'above.txt'), 'a file beside the app');
    const known = [...Object.values(PAGES), 'cordova.start(false', 'Sharing may have ended', '<iframe', ''];
    const part = fc.oneof(
      fc.constantFrom('..', '.', '/', '%2f', '%5c', '\\', '%00', '//', 'js', 'app.js', 'above.txt', 'index', '.html'),
      fc.constantFrom('%2e%2e', '?', '%25', '%252e', 'C:', 'cordova.js', '__proto__', 'constructor', folder),
      fc.string({ maxLength: 8 }).map((text) => encodeURI(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const answer = await getTarget(listener, `/${parts.join('')}`, `Cookie: ${cookie}\r\n`);
        const status = getStatus(answer);
        const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
        assert.ok([200, 400, 404].includes(status), answer);
        assert.ok(status !== 200 || known.some((text) => text !== '' && body.includes(text)), answer);
        assert.ok(!answer.includes('beside the app') && !answer.includes('secret of the package'), answer);
      }),
      { numRuns: Number(process.env.APP_BUILD_FUZZ_RUNS ?? 300) },
    );
  });
});

/** Reads server-sent events one after another. */
function getEvents(response: Response): () => Promise<string> {
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    while (!text.includes('\n\n')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      assert.ok(!done, 'the events have ended');
      text += value;
    }
    const end = text.indexOf('\n\n');
    const event = text.slice(0, end);
    text = text.slice(end + 2);
    return event;
  };
}
