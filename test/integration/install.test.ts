import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Redactor } from '../../src/api/redaction.ts';
import { AppCalls } from '../../src/apps/calls/appCalls.ts';
import { createDevices, type Devices } from '../../src/devices/devices.ts';
import type { NetworkAddress } from '../../src/devices/network/shareConsent.ts';
import { qrCode } from '../../src/devices/linkPage.ts';
import type { App } from '../../src/apps/model/app.ts';
import type { CommandDependencies } from '../../src/commands/dependencies.ts';
import { downloadBuilds } from '../../src/commands/download.ts';
import {
  copyInstallLink,
  installOnDevice,
  previewOnPhone,
  revokeInstallLink,
  showSharing,
  stopSharing,
} from '../../src/commands/installOnDevice.ts';
import { Input, requireAnswer } from '../../src/workbench/input.ts';
import { Log } from '../../src/workbench/log.ts';
import { Notifications } from '../../src/workbench/notifications.ts';
import type { WatchEnd } from '../../src/builds/watching/buildProgress.ts';
import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { OriginalService } from '../support/originalService.ts';
import { cleanUp, clientOf } from '../support/servers.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** Stands for a network. */
const WIFI: NetworkAddress = { name: 'wlan0', address: '127.0.0.2' };
const CABLE: NetworkAddress = { name: 'eth0', address: '127.0.0.1' };
const HOSTILE = `<img src=x onerror="alert(1)">'</h1>`;

describe('Install on Device', () => {
  const restore: (() => void)[] = [];
  const ended = new vscode.EventEmitter<{ readonly appUrl: string; readonly end: WatchEnd }>();
  let devices: Devices;
  let registered: vscode.Disposable[];
  let state: Map<string, unknown>;
  let networks: readonly NetworkAddress[];
  let logged: string[];
  let questions: string[];
  let agrees: boolean;
  let local: InProcessService;
  let original: OriginalService;
  let panels: vscode.WebviewPanel[];
  let messages: unknown[][];

  before(async () => {
    local = await startInProcess({ builder: createBuiltinBuilder(undefined) });
    original = await OriginalService.start();
  });

  after(async () => {
    ended.dispose();
    await cleanUp();
    await original.close();
    await local.stop();
  });

  beforeEach(() => {
    panels = [];
    messages = [];
    const create = vscode.window.createWebviewPanel.bind(vscode.window);
    replace('createWebviewPanel', (...args: Parameters<typeof create>) => {
      const panel = create(...args);
      panels.push(panel);
      return panel;
    });
    replace('showInformationMessage', (...args: unknown[]) => {
      messages.push(args);
      return Promise.resolve(undefined);
    });
    registered = [];
    state = new Map();
    networks = [WIFI];
    logged = [];
    questions = [];
    agrees = true;
    const log = new Log(new Redactor());
    log.info = (line) => logged.push(line);
    const globalState = {
      keys: () => [...state.keys()],
      get: (key: string, other?: unknown) => state.get(key) ?? other,
      update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
    };
    // Of these dependencies only what the devices use.
    const dependencies = { input: askedInput(), log, globalState, networkAddresses: () => Promise.resolve(networks) };
    devices = createDevices(dependencies as unknown as Parameters<typeof createDevices>[0], (disposable) => {
      registered.push(disposable);
      return disposable;
    });
  });

  afterEach(async () => {
    await devices.shares.stopAll();
    vscode.Disposable.from(...registered).dispose();
    restore
      .splice(0)
      .reverse()
      .forEach((undo) => undo());
  });

  function replace(name: keyof typeof vscode.window, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(vscode.window, name);
    Object.defineProperty(vscode.window, name, { configurable: true, value });
    restore.push(() => before && Object.defineProperty(vscode.window, name, before));
  }

  /** Says yes, and chooses the first entry, or the one that a test names. */
  function askedInput(): Input {
    const input = new Input();
    input.confirm = (question, detail) => {
      questions.push(`${question} ${detail}`);
      return Promise.resolve(agrees);
    };
    input.pick = (items) => {
      questions.push(items.map(({ label, description = '' }) => `${label} ${description}`.trim()).join('; '));
      return Promise.resolve(requireAnswer(items[0]));
    };
    return input;
  }

  function dependenciesAt(
    url: string,
    authToken: string,
    isLocal = true,
  ): { readonly calls: AppCalls; readonly all: CommandDependencies } {
    const client = clientOf({ url }, { credentials: { type: 'authToken', authToken } });
    const calls = new AppCalls(client);
    const watcher = { onDidEnd: ended.event };
    const apps = { callsOf: () => calls, folders: { all: () => [] }, watcher };
    const redactor = new Redactor();
    const log = new Log(redactor);
    const notifications = new Notifications(log, redactor, {});
    const service = { url: new URL(url), local: isLocal };
    const connections = { requireSignedIn: () => Promise.resolve({ kind: 'signedIn', client, service }) };
    // Of the apps, devices and connections only what the command uses.
    return {
      calls,
      all: { apps, devices, connections, input: askedInput(), notifications } as unknown as CommandDependencies,
    };
  }

  async function built(calls: AppCalls, title: string): Promise<App> {
    const page = Buffer.from('<h1>Hello</h1>');
    const file = { name: 'index.html', size: page.length, bytes: () => streamOf(page) };
    const app = await calls.createFromFile(file, { title });
    original.finishAll();
    await waitUntil(async () => (await calls.status(app)).completed);
    return app;
  }

  it('shows a code and a link of a service that makes links, without the token of the account, and revokes it', async () => {
    const { calls, all } = dependenciesAt(original.url, original.token, false);
    const app = await built(calls, HOSTILE);
    const address = `${original.url}/apps/1/install?key=a&b`;
    const link = {
      platform: 'winphone',
      url: address,
      expiresAt: new Date('2096-01-02'),
      revokeUrl: `${original.url}/links/1`,
    };
    const revoked: unknown[] = [];
    calls.share = () => Promise.resolve(link);
    calls.revoke = (each) => Promise.resolve(void revoked.push(each));
    await installOnDevice(all, { app: app.url, platform: 'winphone' });
    const [panel] = panels;
    assert.ok(panel);
    const { html, options } = panel.webview;
    assert.ok(html.includes(qrCode(address)?.path ?? 'none'), 'the code is that of the address');
    assert.ok(html.includes(`<code>${address.replace('&', '&amp;')}</code>`));
    assert.match(html, /<html lang="en"/);
    assert.match(html, /content="default-src 'none'; style-src 'nonce-[\w-]+'"/);
    assert.match(html, /<h1>Install .* for winphone<\/h1>/);
    assert.match(html, /127\.0\.0\.1 is this computer: a phone/);
    assert.match(html, /until .*2096/);
    assert.ok(!html.includes(original.token));
    assert.ok(!/<img|onerror="/.test(html), 'a title is a text');
    assert.deepEqual(
      [options.enableScripts, options.enableCommandUris, options.localResourceRoots],
      [false, ['appBuild.copyInstallLink', 'appBuild.revokeInstallLink', 'appBuild.stopSharing'], []],
    );
    assert.deepEqual(questions, []);

    const id = idOn(panel);
    await copyInstallLink(all, id);
    assert.equal(await vscode.env.clipboard.readText(), address);
    const closed = new Promise<void>((resolve) => void panel.onDidDispose(resolve));
    await revokeInstallLink(all, id);
    await closed;
    assert.deepEqual(revoked, [link]);
    await assert.rejects(copyInstallLink(all, id), /There is no link to act on/);
  });

  it('shares a build for Android of the local service in the network, byte by byte, until it is stopped', async () => {
    const { calls, all } = dependenciesAt(local.baseUrl, local.authToken);
    const app = await built(calls, HOSTILE);
    await installOnDevice(all, { app: app.url, platform: 'android' });
    const [panel] = panels;
    const [share] = devices.shares.all;
    assert.ok(panel && share);
    assert.match(share.url, /^http:\/\/127\.0\.0\.2:\d+\/[\w-]{22,}\/$/);
    const { html } = panel.webview;
    assert.ok(html.includes(qrCode(share.url)?.path ?? 'none'), 'the code is that of the address');
    assert.ok(html.includes(`<code>${share.url}</code>`));
    assert.match(html, /<h1>Install .* 1\.0\.0 for android<\/h1>/);
    assert.match(html, /signed with a test key: for your own phones, not for shops/);
    assert.match(html, /have not seen such an app run on a phone yet/);
    assert.match(html, /network of wlan0 \(127\.0\.0\.2\).*until \d/);
    assert.match(html, /September 2026/);
    assert.match(questions.join(), /^Share the build in your network\? Phones and computers in your network/);

    const page = await (await fetch(share.url)).text();
    assert.match(page, /<html lang="en"/);
    assert.match(page, /Signed with a test key/);
    const shared = await fetch(`${share.url}app.apk`);
    const bytes = Buffer.from(await shared.arrayBuffer());
    const { builds } = await calls.get(app.url);
    const { downloadUrl = '' } = builds.find(({ platform }) => platform === 'android') ?? {};
    const headers = { authorization: `token ${local.authToken}` };
    const original = await fetch(downloadUrl, { headers });
    assert.ok(bytes.length > 1000 && bytes.equals(Buffer.from(await original.arrayBuffer())));
    const everything = [html, page, ...logged, JSON.stringify([...shared.headers])].join();
    assert.ok(!everything.includes(local.authToken) && !everything.includes(downloadUrl));
    assert.ok(!/<img|onerror="/.test(html + page), 'a title is a text');
    assert.match(logged.join('\n'), /127\.0\.0\.1 has opened what is shared of/);
    assert.ok(!logged.join().includes(new URL(share.url).pathname), 'the log tells nobody the path');

    const id = idOn(panel);
    await copyInstallLink(all, id);
    assert.equal(await vscode.env.clipboard.readText(), share.url);
    const closed = new Promise<void>((resolve) => void panel.onDidDispose(resolve));
    await stopSharing(all, id);
    await closed;
    await assert.rejects(fetch(share.url));
    assert.deepEqual(devices.shares.all, []);
  });

  it('asks once whether to share, and where when there are several networks, the last one first', async () => {
    networks = [CABLE, WIFI];
    const { calls, all } = dependenciesAt(local.baseUrl, local.authToken);
    const app = await built(calls, 'Notes');
    const subject = { app: app.url, platform: 'android' };
    await installOnDevice(all, subject);
    assert.equal(questions.length, 2);
    assert.equal(questions[1], 'eth0 127.0.0.1; wlan0 127.0.0.2');
    state.set('sharing/address', WIFI.address);
    await installOnDevice(all, subject);
    assert.equal(questions[2], 'wlan0 127.0.0.2; eth0 127.0.0.1');
    assert.equal(questions.length, 3);
    const shared = devices.shares.all.map(({ url }) => new URL(url).hostname);
    assert.deepEqual(shared, ['127.0.0.1', '127.0.0.2']);
    // The list of what is shared: the first one, and its first action, which is to stop.
    await showSharing(all);
    assert.match(questions[3] ?? '', /^Notes 1\.0\.0 127\.0\.0\.1:\d+ \(eth0\), until .*; Notes 1\.0\.0 127\.0\.0\.2/);
    assert.equal(questions[4], 'Stop Sharing; Show Code');
    assert.deepEqual(
      devices.shares.all.map(({ network }) => network),
      [WIFI],
    );
    // As the row of the app, or that of a platform, is passed.
    await stopSharing(all, { url: `${app.url}0` });
    await stopSharing(all, undefined);
    assert.equal(devices.shares.all.length, 1);
    await stopSharing(all, { appUrl: app.url, platform: 'android' });
    assert.deepEqual(devices.shares.all, []);
  });

  it('shares nothing when the person does not want it, or no phone could reach it, and offers the download', async () => {
    const { calls, all } = dependenciesAt(local.baseUrl, local.authToken);
    const app = await built(calls, 'Notes');
    const subject = { app: app.url, platform: 'android' };
    agrees = false;
    await installOnDevice(all, subject);
    await previewOnPhone(all, subject);
    assert.deepEqual([panels, devices.shares.all, messages, state.size], [[], [], [], 0]);
    networks = [];
    await installOnDevice(all, subject);
    const remote = Object.getOwnPropertyDescriptor(vscode.env, 'remoteName');
    for (const remoteName of ['wsl', 'dev-container', 'ssh-remote', 'codespaces']) {
      Object.defineProperty(vscode.env, 'remoteName', { configurable: true, value: remoteName });
      networks = [WIFI];
      await installOnDevice(all, subject);
      await previewOnPhone(all, subject);
    }
    if (remote === undefined) {
      Reflect.deleteProperty(vscode.env, 'remoteName');
    } else {
      Object.defineProperty(vscode.env, 'remoteName', remote);
    }
    assert.deepEqual([panels, devices.shares.all, questions.length], [[], [], 2]);
    const texts = messages.map(([text]) => String(text));
    assert.match(texts[0] ?? '', /in no network in which a phone could reach it.*Connect it/);
    assert.match(texts[1] ?? '', /on a remote machine or in a container: phones cannot reach it/);
    assert.ok(messages.every(([, button]) => button === 'Download…'));
  });

  it('shows the app on a phone, and each build that comes after it', async () => {
    const { calls, all } = dependenciesAt(local.baseUrl, local.authToken);
    const app = await built(calls, 'Notes');
    await previewOnPhone(all, { app: app.url });
    const [share] = devices.shares.all;
    assert.ok(share);
    assert.match(panels[0]?.webview.html ?? '', /<h1>Preview of Notes 1\.0\.0<\/h1>/);
    const frame = await fetch(share.url);
    const cookie = (frame.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const load = async () => (await fetch(new URL('/', share.url), { headers: { cookie } })).text();
    assert.match(await load(), /<h1>Hello<\/h1>/);
    const reader = (await fetch(`${share.url}events`)).body?.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader?.read())?.value ?? '', /event: build\ndata: 1\n/);

    const page = Buffer.from('<h1>Hello again</h1>');
    const whole = await calls.get(app.url);
    await calls.upload(whole, { name: 'index.html', size: page.length, bytes: () => streamOf(page) });
    await waitUntil(async () => (await calls.status(whole)).completed);
    const { builds } = await calls.get(app.url);
    const progress = { appUrl: app.url, title: 'Notes', builds, state: 'complete', startedAt: 0, endedAt: 1 } as const;
    // Another app, and a build that failed, change nothing.
    ended.fire({ appUrl: `${app.url}0`, end: { kind: 'ended', progress: { ...progress, trouble: undefined } } });
    ended.fire({ appUrl: app.url, end: { kind: 'stopped' } });
    ended.fire({ appUrl: app.url, end: { kind: 'ended', progress: { ...progress, trouble: undefined } } });
    assert.match((await reader?.read())?.value ?? '', /event: build\ndata: 2\n/);
    assert.match(await load(), /<h1>Hello again<\/h1>/);
    await devices.shares.stop(share.id);
    await assert.rejects(fetch(share.url));
  });

  it('shares where a service like the original has no links; for other platforms it says so, and offers the download', async () => {
    const { calls, all } = dependenciesAt(original.url, original.token, false);
    const app = await built(calls, 'Notes');
    await installOnDevice(all, { app: app.url, platform: 'android' });
    const [share] = devices.shares.all;
    const shared = await fetch(`${share?.url ?? ''}app.apk`);
    assert.ok(Buffer.from(await shared.arrayBuffer()).equals(original.artifact));
    panels.splice(0);
    await installOnDevice(all, { app: app.url, platform: 'winphone' });
    assert.deepEqual(panels, []);
    const [[text, ...buttons] = []] = messages;
    assert.match(String(text), /makes no links to a single build.*Download the build/);
    assert.deepEqual(buttons, ['Download…']);
    assert.ok(!String(text).includes(original.token));
  });

  it('a build is downloaded under the name that the service proposes, else under that of the app', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'app-build-artifacts-'));
    const target = vscode.Uri.file(path.join(folder, 'saved'));
    const suggested: string[] = [];
    for (const [service, url, token] of [
      [local, local.baseUrl, local.authToken],
      [original, original.url, original.token],
    ] as const) {
      const { calls, all } = dependenciesAt(url, token);
      all.input.saveFile = (suggestion) => {
        suggested.push(path.basename(suggestion.fsPath));
        return Promise.resolve(target);
      };
      const app = await built(calls, 'Notes');
      assert.equal(String(await downloadBuilds(all, { app: app.url, platform: 'android' })), String(target));
      const bytes = await readFile(target.fsPath);
      assert.equal(bytes.subarray(0, 2).toString(), 'PK');
      assert.equal(service === original ? bytes.equals(original.artifact) : bytes.length > 100, true);
      await assert.rejects(
        downloadBuilds(all, { app: app.url, platform: 'symbian' }),
        /no build of “Notes” to download/,
      );
    }
    assert.deepEqual(suggested, ['Notes-1.0.0-test.apk', 'Notes-1.0.0.apk']);
    assert.match(String(messages[0]?.[0]), /^saved is downloaded/);
    await rm(folder, { recursive: true });
  });

  it('there is nothing to install where nothing is built', async () => {
    const { all } = dependenciesAt(original.url, original.token);
    const url = original.appUrl(original.addApp({ title: 'Empty' }));
    await assert.rejects(installOnDevice(all, { app: url }), /There is no build of “Empty” to install/);
  });
});

async function* streamOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

/** The id that the links of a page pass. */
function idOn({ webview: { html } }: vscode.WebviewPanel): unknown {
  const [id] = JSON.parse(decodeURIComponent(/copyInstallLink\?([^"]+)"/.exec(html)?.[1] ?? '')) as unknown[];
  return id;
}
