import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

import { Redactor } from '../../src/api/redaction.ts';
import { AppCalls } from '../../src/apps/calls/appCalls.ts';
import { InstallViews } from '../../src/devices/installViews.ts';
import { qrCode } from '../../src/devices/qrCode.ts';
import type { App } from '../../src/apps/model/app.ts';
import { downloadBuild } from '../../src/commands/build/downloadBuild.ts';
import {
  copyInstallLink,
  installOnDevice,
  revokeInstallLink,
  type InstallDependencies,
} from '../../src/commands/build/installOnDevice.ts';
import { Input } from '../../src/workbench/input.ts';
import { Log } from '../../src/workbench/log.ts';
import { Notifications } from '../../src/workbench/notifications.ts';
import { createBuiltinBuilder } from '../../src/localService/builds/builtin/builtinBuilder.ts';
import { startInProcess, type InProcessService } from '../support/inProcessService.ts';
import { OriginalService } from '../support/originalService.ts';
import { cleanUp, clientOf } from '../support/servers.ts';
import { waitUntil } from '../support/waitUntil.ts';

const HOSTILE = `<img src=x onerror="alert(1)">'</h1>`;

describe('Install on Device', () => {
  const installs = new InstallViews();
  const restore: (() => void)[] = [];
  let local: InProcessService;
  let original: OriginalService;
  let panels: vscode.WebviewPanel[];
  let messages: unknown[][];

  before(async () => {
    local = await startInProcess({ builder: createBuiltinBuilder(undefined) });
    original = await OriginalService.start();
  });

  after(async () => {
    installs.dispose();
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
  });

  afterEach(() => {
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

  function dependenciesAt(
    url: string,
    authToken: string,
  ): { readonly calls: AppCalls; readonly all: InstallDependencies } {
    const client = clientOf({ url }, { credentials: { type: 'authToken', authToken } });
    const calls = new AppCalls(client);
    const apps = { callsOf: () => calls, folders: { all: () => [] } };
    const devices = { installs };
    const redactor = new Redactor();
    const log = new Log(redactor);
    const notifications = new Notifications(log, redactor, {});
    const connections = { requireSignedIn: () => Promise.resolve({ kind: 'signedIn', client }) };
    // Of the apps, devices and connections only what the command uses.
    return {
      calls,
      all: { apps, devices, connections, input: new Input(), notifications } as unknown as InstallDependencies,
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

  it('shows a code and a link that lead to this build only, without the token of the account', async () => {
    const { calls, all } = dependenciesAt(local.baseUrl, local.authToken);
    const app = await built(calls, HOSTILE);
    await installOnDevice(all, { app: app.url, platform: 'android' });
    const [panel] = panels;
    assert.ok(panel);
    const { html, options } = panel.webview;
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+\/apps\/\d+\/install\?qr_key=[\w-]+/.exec(html) ?? [];
    assert.ok(html.includes(qrCode(address)?.path ?? 'none'), 'the code is that of the address');
    assert.ok(html.includes(`aria-label="QR code of ${address}"`));
    assert.ok(html.includes(`<code>${address}</code>`));
    assert.match(html, /<html lang="en"/);
    assert.match(html, /content="default-src 'none'; style-src 'nonce-[\w-]+'"/);
    assert.match(html, /<h1>Install .* for android<\/h1>/);
    assert.match(html, /signed with a test key: for your own phones, not for shops/);
    assert.match(html, /have not seen such an app run on a phone yet/);
    assert.match(html, /127\.0\.0\.1 is this computer: a phone/);
    assert.match(html, /until .*20\d\d/);
    assert.ok(!html.includes(local.authToken));
    assert.ok(!/<img|onerror="/.test(html), 'a title is a text');
    assert.deepEqual(
      [options.enableScripts, options.enableCommandUris, options.localResourceRoots],
      [false, ['appBuild.copyInstallLink', 'appBuild.revokeInstallLink'], []],
    );
    assert.equal((await fetch(address)).status, 200);

    const id: unknown = (
      JSON.parse(decodeURIComponent(/copyInstallLink\?([^"]+)"/.exec(html)?.[1] ?? '')) as unknown[]
    )[0];
    await copyInstallLink(all, id);
    assert.equal(await vscode.env.clipboard.readText(), address);
    const closed = new Promise<void>((resolve) => void panel.onDidDispose(resolve));
    await revokeInstallLink(all, id);
    await closed;
    assert.equal((await fetch(address)).status, 404);
    await assert.rejects(copyInstallLink(all, id), /There is no link to act on/);
  });

  it('says why a service like the original has no such link, and offers the download', async () => {
    const { calls, all } = dependenciesAt(original.url, original.token);
    const app = await built(calls, 'Notes');
    await installOnDevice(all, { app: app.url, platform: 'android' });
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
      assert.equal(String(await downloadBuild(all, { app: app.url, platform: 'android' })), String(target));
      const bytes = await readFile(target.fsPath);
      assert.equal(bytes.subarray(0, 2).toString(), 'PK');
      assert.equal(service === original ? bytes.equals(original.artifact) : bytes.length > 100, true);
      await assert.rejects(
        downloadBuild(all, { app: app.url, platform: 'symbian' }),
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
