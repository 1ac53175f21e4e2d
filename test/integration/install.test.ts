import assert from 'node:assert/strict';
import os from 'node:os';
import * as vscode from 'vscode';
import type { AppCalls } from '../../src/extension/apps/calls/appCalls.ts';
import type { App } from '../../src/extension/apps/model/app.ts';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import type { Devices } from '../../src/extension/devices/devices.ts';
import { qrCode } from '../../src/extension/devices/linkPage.ts';
import { sharePage } from '../../src/extension/devices/network/shares.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestApps, getTestExtension, logged } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { signInAtService } from './support/signedIn.ts';
import { deleteFiles, openFolder, writeFiles } from './support/webProject.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

/** Loopback addresses that represent networks. */
const WIFI = { wlan0: [{ address: '127.0.0.2', family: 'IPv4', internal: false }] };
const CABLE = { eth0: [{ address: '127.0.0.1', family: 'IPv4', internal: false }] };
const HOSTILE = `<img src=x onerror="alert(1)">'</h1>`;

describe('Install over Wi-Fi', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const person = useRecordingUser();
  const original = useOriginalService();
  const { networkInterfaces } = os;
  const createPanel = Object.getOwnPropertyDescriptor(vscode.window, 'createWebviewPanel') ?? {};
  let devices: Devices;
  let local: InProcessService;
  let networks: object;
  let panels: vscode.WebviewPanel[];
  /** Messages to the pages' scripts. */
  let messages: unknown[];

  before(async () => {
    local = await startInProcess({ builder: createBuiltinBuilder(undefined) });
    devices = await access.loadDevices();
    Object.defineProperty(os, 'networkInterfaces', { configurable: true, value: () => networks });
    const createWebviewPanel = vscode.window.createWebviewPanel.bind(vscode.window);
    Object.defineProperty(vscode.window, 'createWebviewPanel', {
      configurable: true,
      value: (...args: Parameters<typeof createWebviewPanel>) => {
        const panel = createWebviewPanel(...args);
        panels.push(panel);
        const { webview } = panel;
        const postMessage = webview.postMessage.bind(webview);
        Object.defineProperty(webview, 'postMessage', {
          value: (message: unknown) => {
            messages.push(message);
            return postMessage(message);
          },
        });
        return panel;
      },
    });
  });

  after(async () => {
    Object.defineProperty(os, 'networkInterfaces', { configurable: true, value: networkInterfaces });
    Object.defineProperty(vscode.window, 'createWebviewPanel', createPanel);
    await local.stop();
  });

  beforeEach(async () => {
    panels = [];
    messages = [];
    networks = WIFI;
    for (const key of ['sharing/agreed', 'sharing/address']) {
      await access.globalState.update(key, undefined);
    }
  });

  afterEach(async () => {
    await devices.shares.stopAll();
    panels.forEach((panel) => void panel.dispose());
  });

  const run = (command: string, argument?: unknown) => vscode.commands.executeCommand(`appBuild.${command}`, argument);

  /** Builds an app at a service and connects the window to it. */
  async function built(
    service: InProcessService | typeof original,
    title: string,
  ): Promise<{ readonly calls: AppCalls; readonly app: App; readonly connection: SignedInConnection }> {
    const connection = await signInAtService(access, service);
    const calls = apps.createCalls(connection);
    const page = Buffer.from('<h1>Hello</h1>');
    const app = await calls.createFromFile(
      { name: 'index.html', size: page.length, bytes: () => createStream(page) },
      { title },
    );
    original.finishAll();
    await waitUntil(async () => (await calls.status(app)).completed);
    return { calls, app, connection };
  }

  it('shares an Android build of the local service on the network, byte for byte, until it’s stopped', async () => {
    const { calls, app } = await built(local, HOSTILE);
    await run('installOverWifi', { app: app.url, platform: 'android' });
    const [panel] = panels;
    const [share] = devices.shares.all;
    assert.ok(panel && share);
    assert.match(share.url, /^http:\/\/127\.0\.0\.2:\d+\/[\w-]{22,}\/$/);
    const { html, options } = panel.webview;
    assert.ok(html.includes(qrCode(share.url)?.path ?? 'none'), 'the code is that of the address');
    assert.match(html, /<html lang="en"/);
    assert.match(
      html,
      /content="default-src 'none'; style-src 'nonce-([\w-]{22})'; script-src 'nonce-\1'; img-src data:"/,
    );
    assert.match(html, /<img class="picture" src="data:image\/png;base64,[\w+/=]+" alt=""/, 'the icon in the package');
    assert.match(html, /role="status">Waiting for a phone…/);
    assert.ok(!/<img src=x|onerror="/.test(html), 'a title is a text');
    assert.deepEqual(
      [options.enableScripts, options.enableCommandUris, options.localResourceRoots],
      [true, ['appBuild.copyInstallLink', 'appBuild.stopSharing'], []],
    );
    assert.ok(html.includes(`<code>${share.url}</code>`));
    assert.match(html, /<h1>Install .* 1\.0\.0<\/h1>\s*<p class="soft">On wlan0 until \d/);
    const [first = '', folded = ''] = html.split('<summary>');
    assert.doesNotMatch(first, /test key|September 2026|firewall/);
    assert.match(
      folded,
      /^Trouble installing\?.*firewall.*September 2026.*test key.*hasn’t been tested on real phones/s,
    );
    assert.match(folded, /network of wlan0 \(127\.0\.0\.2\) with the link can open it until \d/);
    assert.match(
      person.notifications.join(),
      /^Share this app on your network\?\n[^]*Phones and computers on your network/,
    );

    const page = await (await fetch(share.url)).text();
    assert.match(page, /<html lang="en"/);
    assert.match(page, /Signed with a test key/);
    // Neither a partial download nor a HEAD request counts as a download.
    await (await fetch(`${share.url}app.apk`, { headers: { range: 'bytes=0-9' } })).arrayBuffer();
    await fetch(`${share.url}app.apk`, { method: 'HEAD' });
    const shared = await fetch(`${share.url}app.apk`);
    const bytes = Buffer.from(await shared.arrayBuffer());
    const { builds } = await calls.get(app.url);
    const { downloadUrl = '' } = builds.find(({ platform }) => platform === 'android') ?? {};
    const headers = { authorization: `token ${local.authToken}` };
    const sent = await fetch(downloadUrl, { headers });
    assert.ok(bytes.length > 1000 && bytes.equals(Buffer.from(await sent.arrayBuffer())));
    const log = await logged(access);
    const everything = [html, page, JSON.stringify([...shared.headers])].join();
    assert.ok(!(everything + log).includes(local.authToken) && !everything.includes(downloadUrl));
    assert.ok(!/<img src=x|onerror="/.test(html + page), 'a title is a text');
    assert.match(log, /127\.0\.0\.1 has opened the shared app [^]*127\.0\.0\.1 has downloaded the shared app /);
    await waitUntil(() => messages.length >= 2);
    assert.match(
      JSON.stringify(messages),
      /^\[{"state":"opened","text":"A phone opened the page at \d.*},{"state":"downloaded","text":"A phone downloaded the package at \d[^}]*}\]$/,
    );
    const [visited] = devices.shares.all;
    assert.equal(visited && sharePage(visited).status.state, 'downloaded');
    assert.ok(!log.includes(new URL(share.url).pathname), 'the log tells nobody the path');

    const id = idOn(panel);
    await run('copyInstallLink', id);
    assert.equal(person.copied.at(-1), share.url);
    const closed = new Promise<void>((resolve) => void panel.onDidDispose(resolve));
    await run('stopSharing', id);
    await run('copyInstallLink', id);
    assert.match(person.notifications.at(-1) ?? '', /This command needs a link/);
    await closed;
    await assert.rejects(fetch(share.url));
    assert.deepEqual(devices.shares.all, []);
  });

  it('asks once whether to share, and lists the networks with the last one first if there are several', async () => {
    networks = { ...CABLE, ...WIFI };
    const { app } = await built(local, 'Notes');
    const subject = { app: app.url, platform: 'android' };
    person.answers.pick = ({ label }) => label === 'wlan0';
    await run('installOverWifi', subject);
    person.answers.pick = undefined;
    await run('installOverWifi', subject);
    assert.equal(person.notifications.filter((each) => each.startsWith('Share this app')).length, 1);
    assert.deepEqual(
      devices.shares.all.map(({ url }) => new URL(url).hostname),
      ['127.0.0.2', '127.0.0.2'],
    );
    // The first entry in the list of shares, and its first action: stop.
    await run('showSharing');
    assert.match(person.questions.join('\n'), /Notes 1\.0\.0[^]*127\.0\.0\.2:\d+ \(wlan0\), until /);
    assert.ok(person.questions.join().includes('Show Code'));
    assert.equal(devices.shares.all.length, 1);
    // The argument looks like the row of the app or of a platform.
    await run('stopSharing', { url: `${app.url}0` });
    await run('stopSharing');
    assert.equal(devices.shares.all.length, 1);
    await run('stopSharing', { appUrl: app.url, platform: 'android' });
    assert.deepEqual(devices.shares.all, []);
  });

  it('shares nothing if the user declines or no phone could reach it, and offers the download', async () => {
    const { app } = await built(local, 'Notes');
    const subject = { app: app.url, platform: 'android' };
    person.answers.press = () => undefined;
    await run('installOverWifi', subject);
    await run('previewOnPhone', subject);
    assert.equal(person.notifications.splice(0).length, 2, 'the questions, and nothing else');
    networks = {};
    await run('installOverWifi', subject);
    networks = WIFI;
    for (const remoteName of ['wsl', 'dev-container', 'ssh-remote', 'codespaces']) {
      person.show({ remoteName });
      await run('installOverWifi', subject);
      await run('previewOnPhone', subject);
    }
    assert.deepEqual([panels, devices.shares.all, person.notifications.length], [[], [], 9]);
    assert.match(person.notifications[0] ?? '', /isn’t on a network your phone can reach.*Connect it/);
    assert.match(person.notifications[1] ?? '', /on a remote computer or in a container, which phones can’t reach/);
    assert.ok(person.notifications.every((each) => each.includes('Download…')));
  });

  it('shows the app on a phone, and each later build', async () => {
    const { calls, app } = await built(local, 'Notes');
    await run('previewOnPhone', { app: app.url });
    const [share] = devices.shares.all;
    assert.ok(share);
    assert.match(panels[0]?.webview.html ?? '', /<h1>Open Notes 1\.0\.0<\/h1>/);
    const frame = await fetch(share.url);
    const cookie = (frame.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const load = async () => (await fetch(new URL('/', share.url), { headers: { cookie } })).text();
    assert.match(await load(), /<h1>Hello<\/h1>/);
    const reader = (await fetch(`${share.url}events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader?.read())?.value ?? '', /event: build\ndata: 1\n/);

    const page = Buffer.from('<h1>Hello again</h1>');
    const whole = await calls.get(app.url);
    await calls.upload(whole, { name: 'index.html', size: page.length, bytes: () => createStream(page) });
    apps.watcher.watch(whole, ['android']);
    assert.match((await reader?.read())?.value ?? '', /event: build\ndata: 2\n/);
    assert.match(await load(), /<h1>Hello again<\/h1>/);
    await devices.shares.stop(share.id);
    await assert.rejects(fetch(share.url));
  });

  it('shows the linked folder’s pages on a phone, and each saved change', async () => {
    const { app, connection } = await built(local, 'Notes');
    const { uri } = openFolder();
    await writeFiles({ 'index.html': '<h1>From the folder</h1>', '.env': 'SECRET=1' });
    await apps.folders.set(uri, connection, { url: app.url, title: 'Notes', project: '' });
    try {
      await run('previewOnPhone', { app: app.url });
      const [share] = devices.shares.all;
      assert.ok(share);
      assert.match(panels[0]?.webview.html ?? '', /The phone shows each change when you save it\./);
      const cookie = ((await fetch(share.url)).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const load = async (path: string) => (await fetch(new URL(path, share.url), { headers: { cookie } })).text();
      assert.match(await load('/'), /From the folder/);
      assert.doesNotMatch(await load('/.env'), /SECRET/);
      const reader = (await fetch(`${share.url}events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
      assert.match((await reader?.read())?.value ?? '', /event: build\ndata: 1\n/);
      await writeFiles({ 'index.html': '<h1>Saved</h1>' });
      assert.match((await reader?.read())?.value ?? '', /event: build\ndata: 2\n/);
      assert.match(await load('/'), /Saved/);
      await devices.shares.stop(share.id);
    } finally {
      await apps.folders.set(uri, connection, undefined);
      await deleteFiles('index.html', '.env');
    }
  });

  it('shares a build of the simulated original service, and reports that a build for another platform can’t be installed', async () => {
    const { app } = await built(original, 'Notes');
    await run('installOverWifi', { app: app.url, platform: 'android' });
    const [share] = devices.shares.all;
    const shared = await fetch(`${share?.url ?? ''}app.apk`);
    assert.ok(Buffer.from(await shared.arrayBuffer()).equals(original.artifact));
    const before = panels.length;
    await run('installOverWifi', { app: app.url, platform: 'winphone' });
    assert.equal(panels.length, before);
    assert.match(person.notifications.at(-1) ?? '', /“Notes” has no build to install/);
  });
});

async function* createStream(bytes: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

/** Returns the ID that the links of a page contain. */
function idOn({ webview: { html } }: vscode.WebviewPanel): unknown {
  const [id] = JSON.parse(decodeURIComponent(/copyInstallLink\?([^"]+)"/.exec(html)?.[1] ?? '')) as unknown[];
  return id;
}
