import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SignedInConnection } from '../../src/extension/auth/connection.ts';
import type { Devices } from '../../src/extension/devices/devices.ts';
import { PIXEL, PretendedAdb } from '../support/pretendedAdb.ts';
import { waitForBuilds, upload } from '../support/builds.ts';
import { config } from '../support/failingFolders.ts';
import { startInProcess } from '../support/inProcessService.ts';
import { useTemporaryFolderForEachTest } from '../support/hooks.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { getTestApps, configure, getTestExtension, until } from './support/extension.ts';
import { useOriginalService } from './support/useOriginalService.ts';
import { useRecordingUser } from './support/recordingUser.ts';
import { findSecrets } from './support/secretSearch.ts';
import { signInAtService } from './support/signedIn.ts';
import { TreeRows } from './support/treeRows.ts';
import { deleteFiles, openFolder, WEB_PROJECT, writeFiles } from './support/webProject.ts';
import { createBuiltinBuilder } from '../../src/build-service/builds/builtinBuilder.ts';

const SECOND = { ...PIXEL, serial: 'GALAXY0002', model: 'Galaxy_S25' };
const ASKS = { serial: 'ASKS0003', state: 'unauthorized' };

describe('a connected device', () => {
  const access = getTestExtension();
  const apps = getTestApps();
  const person = useRecordingUser();
  const service = useOriginalService();
  let adb: PretendedAdb;
  let folder: string;
  let temporary: string;
  useTemporaryFolderForEachTest((made) => (temporary = made));
  let devices: Devices;
  let connection: SignedInConnection;
  let id: number;
  let subject: { readonly appUrl: string; readonly platform: string };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'app-build-test-'));
    adb = await PretendedAdb.create(folder);
    devices = await access.loadDevices();
  });

  after(async () => {
    await configure({ adbPath: undefined });
    await rm(folder, { recursive: true });
  });

  beforeEach(async () => {
    connection = await signInAtService(access, service);
    id = service.addApp({ title: 'Shop', package: 'com.example.shop' });
    service.finish(id, 'android');
    subject = { appUrl: service.appUrl(id), platform: 'android' };
    adb.reset([PIXEL]);
    await configure({ adbPath: adb.file });
  });

  const install = (argument: unknown = subject) => vscode.commands.executeCommand('appBuild.installOverUsb', argument);
  const told = () => person.notifications.map((each) => each.split('\n')[0] ?? '');
  const filesLeft = () => readdir(temporary);

  it('gets and starts the build immediately if it’s the only ready device, without the account’s token', async () => {
    adb.reset([ASKS, PIXEL]);
    await install();
    assert.deepEqual(told(), ['Shop was installed on Pixel 7 and started.']);
    assert.deepEqual(person.questions, []);
    assert.ok(person.progress.includes('Installing “Shop”'));
    assert.ok(person.progress.indexOf('Downloading…') < person.progress.indexOf('Installing on Pixel 7…'));
    assert.ok(adb.installed[0]?.bytes.equals(service.artifact));
    // The original service builds Cordova apps.
    assert.ok(adb.requests.some((each) => each.endsWith('am start -n com.example.shop/.MainActivity')));
    assert.deepEqual(devices.connected.last, { serial: PIXEL.serial, name: 'Pixel 7' });
    assert.deepEqual(await filesLeft(), []);
    assert.deepEqual(findSecrets(JSON.stringify(adb.calls), { token: service.token }), []);
  });

  it('is chosen from a list, which appears again with the next step if the chosen device isn’t ready', async () => {
    adb.reset([PIXEL, { ...SECOND, start: ['Error: Activity class {x} does not exist.\n', 0] }, ASKS]);
    person.answers.lists = [['ASKS0003'], ['Galaxy S25']];
    await install();
    assert.deepEqual(told(), ['Shop was installed on Galaxy S25. Open it on the phone.']);
    assert.equal(adb.requests.filter((each) => each === 'devices -l').length, 2);
    assert.match(person.questions.join('\n'), /ASKS0003[^]*Allow USB debugging on the phone’s screen, then try again/);
    person.answers.lists = [[]];
    await install();
    assert.equal(adb.installed.length, 1, 'a closed list is silent');
    assert.equal(person.notifications.length, 1);
  });

  for (const [name, connected, text] of [
    [
      'a device that isn’t ready',
      [ASKS],
      /^ASKS0003 isn’t ready\. Allow USB debugging on the phone’s screen, then try again\.$/,
    ],
    [
      'a missing device',
      [],
      /^No phone is connected\. Turn on USB debugging in the developer options, and connect the phone over USB/,
    ],
    [
      'a device that rejects the build',
      [{ ...PIXEL, answer: 'Failure [INSTALL_FAILED_VERSION_DOWNGRADE: x]\n' }],
      /^The phone already has a newer version\./,
    ],
  ] as const) {
    it(`reports ${name} with the next step, and leaves no file behind`, async () => {
      adb.reset(connected);
      await install();
      assert.match(told()[0] ?? '', text);
      assert.match(person.notifications[0] ?? '', /Retry/);
      assert.deepEqual(await filesLeft(), []);
    });
  }

  for (const [which, connected] of [
    ['is the only ready one', [ASKS, PIXEL]],
    ['is one of several', [PIXEL, SECOND]],
    ['isn’t ready', [ASKS]],
    ['is missing', []],
    ['can’t be found without adb', undefined],
  ] as const) {
    const isOnly = which.startsWith('is the only');
    it(`gets the build over ${isOnly ? 'USB' : 'Wi-Fi'} if it ${which}`, async () => {
      await access.globalState.update('sharing/agreed', undefined);
      adb.reset(connected ?? [PIXEL]);
      if (connected === undefined) {
        await configure({ adbPath: path.join(folder, 'missing') });
      }
      person.answers.press = () => undefined;
      await vscode.commands.executeCommand('appBuild.install', subject);
      assert.deepEqual(told(), [
        isOnly ? 'Shop was installed on Pixel 7 and started.' : 'Share this app on your network?',
      ]);
      assert.deepEqual(
        adb.installed.map(({ serial }) => serial),
        isOnly ? [PIXEL.serial] : [],
      );
      assert.deepEqual(person.questions, [], 'no list, where the menu has both ways');
    });
  }

  it('keeps its app when the user cancels', async () => {
    adb.reset([{ ...PIXEL, answer: undefined }]);
    const installed = install();
    await waitUntil(() => adb.installed.length > 0);
    person.cancelProgress();
    await installed;
    assert.deepEqual([person.notifications, await filesLeft()], [[], []]);
  });

  it('gets each new build after the user turns that on in a row’s menu, until the user turns it off', async () => {
    const rows = new TreeRows(access.tree);
    const getContext = async (...labels: readonly string[]) =>
      rows.getContext(await rows.at('Apps', 'Shop', ...labels));
    await access.tree.refresh();
    const [platform, app] = [await rows.at('Apps', 'Shop', 'Android'), await rows.at('Apps', 'Shop')];
    assert.match(rows.getContext(platform) ?? '', /^platform;(?!.*installsBuilds;).*android;/);
    await devices.connected.remember({ serial: PIXEL.serial, name: 'Pixel 7' });
    await vscode.commands.executeCommand('appBuild.installEachBuild', platform);
    await waitUntil(async () => (await getContext('Android'))?.includes(';installsBuilds;'));
    assert.match((await getContext()) ?? '', /^app;.*installsBuilds;/);
    assert.doesNotMatch((await getContext('iOS')) ?? '', /installsBuilds/);

    await build();
    await waitUntil(() => person.done.includes('Shop was installed on Pixel 7 and started.'));
    assert.deepEqual([adb.installed.length, person.questions, told()], [1, [], []]);

    adb.reset();
    await build();
    await waitUntil(() => told().includes('“Shop” isn’t installed: Pixel 7 isn’t connected.'));
    assert.match(person.notifications.at(-1) ?? '', /Install over USB…/);

    await vscode.commands.executeCommand('appBuild.stopInstallingBuilds', app);
    adb.reset([PIXEL]);
    assert.equal(apps.eachBuild.includes(subject.appUrl), false);
    await build();
    await apps.watcher.settled();
    assert.deepEqual([adb.requests, adb.installed], [[], []]);
  });

  it('gets each saved page of a folder without a build step, if no question is needed', async () => {
    // VS Code may show the text of an earlier file with the same name. Saving that text would fail.
    const file = `www/${randomUUID()}.html`;
    await writeFiles({ ...WEB_PROJECT, [file]: '' });
    const page = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(openFolder().uri, file));
    await devices.connected.remember({ serial: PIXEL.serial, name: 'Pixel 7' });
    await apps.folders.set(openFolder().uri, connection, { url: subject.appUrl, title: 'Shop', project: '' });
    await apps.eachBuild.set(subject.appUrl, true);
    const save = async (inserted: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(page.uri, new vscode.Position(0, 0), inserted);
      await vscode.workspace.applyEdit(edit);
      assert.equal(page.isDirty, true);
      assert.equal(await page.save(), true);
    };
    /** Waits, and fails if the user gets a notification or a question, or if nothing happens for a minute. */
    const quietly = (condition: () => boolean) => {
      const deadline = performance.now() + 60_000;
      return waitUntil(() => {
        assert.deepEqual([person.notifications, person.questions], [[], []]);
        const { requests, uploads } = service;
        const state = { requests, uploads: uploads.length, watched: apps.watcher.all, last: devices.connected.last };
        assert.ok(performance.now() < deadline, JSON.stringify({ ...state, adb: adb.requests }));
        return condition();
      });
    };
    try {
      await save('<!-- First -->');
      await quietly(() => {
        assert.deepEqual(person.done, []);
        return apps.watcher.isWatching(subject.appUrl);
      });
      ['android', 'ios', 'winphone'].forEach((platform) => service.finish(id, platform));
      await quietly(() => person.done.length > 0);
      assert.deepEqual(person.done, ['Shop was installed on Pixel 7 and started.']);
      assert.deepEqual([service.uploads.length, adb.installed.length], [1, 1]);

      await writeFiles({ 'www/index.html': '<script src="/src/main.ts"></script>' });
      await save('<!-- Second -->');
      await quietly(() => person.done.length > 1);
      assert.equal(person.done.at(-1), 'Run “Build App” to install this change.');
      await apps.eachBuild.set(subject.appUrl, false);
      await save('<!-- Not installed -->');
      assert.deepEqual([service.uploads.length, person.notifications, person.questions], [1, [], []]);
    } finally {
      await apps.eachBuild.set(subject.appUrl, false);
      await deleteFiles('config.xml', 'www');
    }
  });

  it('gets a build from an agent, which receives the result', async () => {
    adb.reset([PIXEL, SECOND, ASKS]);
    const app = `/api/v1/apps/${id}`;
    assert.match(await call({ app }), /^Several devices are connected\. The devices are: "PIXEL0001" \("Pixel 7", /);
    assert.match(await call({ app, device: 'x' }), /^No device "x" is connected\. The devices are: /);
    assert.match(await call({ app, device: ASKS.serial }), /isn’t ready\. Allow USB debugging on the phone’s screen/);
    const answer = JSON.parse(await call({ app, device: SECOND.serial })) as Record<string, unknown>;
    assert.deepEqual(
      [answer.app, answer.installed, answer.started, answer.said_by_device],
      [app, true, true, { serial: SECOND.serial, model: 'Galaxy S25' }],
    );
    assert.equal(adb.installed[0]?.serial, SECOND.serial);
    adb.reset();
    assert.match(await call({ app }), /^No phone is connected\. Turn on USB debugging/);
    service.finish(id, 'android', 'error', 'x');
    assert.match(await call({ app }), /^This app has no Android build to install\. Its builds: /);
    assert.deepEqual(person.notifications, []);
  });

  it('can’t be reached without adb, so the message explains how to set adb up and offers Install over Wi-Fi', async () => {
    await configure({ adbPath: path.join(folder, 'missing') });
    let isAsked = false;
    person.answers.press = (text, buttons) => {
      isAsked ||= text.startsWith('Share this app on your network?');
      return buttons.find((button) => button === 'Install over Wi-Fi…');
    };
    await install();
    assert.match(told()[0] ?? '', /^appBuild\.adbPath doesn’t point to adb: .*Enter its full path/);
    await waitUntil(() => isAsked);
    assert.match(await call({ app: `/api/v1/apps/${id}` }), /^… doesn’t point to adb: .*"appBuild\.adbPath", "/);
  });

  it('starts the built-in builder’s apps through its shell’s activity', async () => {
    const local = await startInProcess({ builder: createBuiltinBuilder(undefined) });
    try {
      await signInAtService(access, local);
      const page = { 'config.xml': config(), 'www/index.html': '<!doctype html><title>Shop</title>' };
      const appId = await upload(local, page);
      await waitForBuilds(local, appId);
      await install({ app: `${local.baseUrl}/api/v1/apps/${appId}` });
      assert.match(told()[0] ?? '', / was installed on Pixel 7 and started\.$/);
      assert.equal(adb.installed[0]?.bytes.subarray(0, 2).toString(), 'PK');
      const started = adb.requests.find((request) => request.includes('am start -n '));
      assert.match(started ?? '', /am start -n [\w.]+\/appbuild\.shell\.MainActivity$/);
    } finally {
      await local.stop();
    }
  });

  /** Builds the app again and waits for the end. */
  async function build(): Promise<void> {
    const calls = apps.createCalls(connection);
    const app = await calls.get(subject.appUrl);
    await calls.build(app, ['android']);
    apps.watcher.watch(app, ['android']);
    await until(apps.watcher.onDidChange, () => apps.watcher.get(subject.appUrl)?.endedAt === undefined);
    service.finishAll();
    await apps.watcher.waitForEnd(subject.appUrl);
  }

  /** Calls the tool as an agent does. */
  async function call(input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool('appBuild_install_build', { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }
});
