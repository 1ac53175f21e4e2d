/**
 * The path of a new user from an open folder to an installable file: the empty view, the walkthrough, a sample, and the shortcut of the
 * build task.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { getCertificate, getContent, verifyApk } from '../support/apk/verifyApk.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { OriginalService } from '../support/originalService.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, inWorkspace, openWindow, openWindowSignedInAt, startDemo } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
<widget id="com.example.tally" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>Tally</name>
  <content src="index.html" />
</widget>
`;

/** The notification at the end of the build. */
const READY = /Tally 1\.0\.0 for Android is ready \([\d.]+ kB\)\./;

describe('the first app', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow({
      files: { 'config.xml': CONFIG, 'www/index.html': '<!doctype html><title>Tally</title><h1>0</h1>' },
    });
  });

  it('needs only three clicks from the empty view to a signed package on disk, without a browser', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.welcome.getByText('Build App', { exact: true }).waitFor();
    assert.deepEqual(await workbench.accountsRequests(), [], 'on the first day');
    await workbench.screenshots('first-view');
    const pages = workbench.page.context().pages().length;
    const hasOfferedSignIn = await workbench.watchWelcome('Sign In');
    const begin = performance.now();
    let clicks = 0;
    const click = async (action: Promise<unknown>): Promise<void> => {
      clicks += 1;
      await action;
    };
    const progress = await workbench.watchProgress();
    await click(workbench.clickWelcome('Build App'));
    const untilProgress = await progress();
    await workbench.notification(READY).waitFor();
    assert.equal((await workbench.notifications()).length, 1, 'one notification for the first build');
    await click(workbench.clickNotification(READY, 'Download'));
    const file = await workbench.suggestedFile(/Tally.*\.apk$/);
    await click(workbench.quickInput.press('Enter'));
    await workbench.notification('was downloaded').waitFor();
    const milliseconds = performance.now() - begin;
    try {
      // verifyApk rejects an invalid package.
      assert.match(
        getContent(await verifyApk(await readFile(file)), 'assets/www/index.html').toString(),
        /<h1>0<\/h1>/,
      );
    } finally {
      await rm(file);
    }
    assert.equal(clicks, 3);
    assert.equal(await hasOfferedSignIn(), false, 'an account is signed in without a click');
    assert.equal(workbench.page.context().pages().length, pages, 'a browser was opened');
    console.log(`      ${clicks} clicks, ${(milliseconds / 1000).toFixed(1)} s from the empty view to the package`);
    console.log(`      ${Math.round(untilProgress)} ms from the click to the progress`);
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.screenshots('first-build');
  });

  it('leaves no request in the Accounts menu after a reload', async () => {
    await workbench.reload();
    await workbench.treeRow('Tally').waitFor();
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.accountsBadge.waitFor({ state: 'hidden' });
    await workbench.screenshots('reloaded');
  });

  it('opens only the log of a platform when the user clicks a row', async () => {
    const { page } = workbench;
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    // Make the window tall enough for all rows.
    await page.setViewportSize({ ...size, height: 1600 });
    for (const row of ['Builds with', 'Signing Keys', 'More']) {
      await workbench.expandTreeRow(row);
    }
    await workbench.treeRow('Delete the app').waitFor();
    const shown = await workbench.watch('.monaco-dialog-box, .quick-input-widget');
    await workbench.treeRow(/^Android/).click();
    await workbench.tab('Tally – Android.log').waitFor();
    const rows = page.locator('.sidebar [role=treeitem]');
    for (let index = (await rows.count()) - 1; index >= 0; index -= 1) {
      await rows.nth(index).click();
    }
    await workbench.clickViewAction('Refresh');
    await workbench.treeRow(/^Tally 1\.0\.0/).waitFor();
    await workbench.screenshots('all-rows');
    assert.deepEqual(await shown(), []);
    assert.equal(await workbench.accountsBadge.count(), 0);
    await page.setViewportSize(size);
  });
});

describe('a sample project', () => {
  let workbench: WorkbenchPage;
  let parent: string;

  beforeEach(async () => {
    parent = await mkdtemp(path.join(path.dirname(inWorkspace()), 'samples-'));
    workbench = await openWindow({
      files: { 'config.xml': '<widget id="com.example.other"><name>Other</name></widget>' },
    });
  });

  afterEach(() => rm(parent, { recursive: true, force: true, maxRetries: 3 }));

  it('opens with its page and the view, and is built in three steps', async () => {
    await workbench.goTo('/?ew=true');
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Create Sample Project…');
    await workbench.pick('Web App with a Manifest (PWA)');
    await workbench.chooseFolder(parent, 'Create Here');
    const ready = 'Shopping List is ready.';
    await workbench.notification(ready).waitFor();
    await workbench.tab('index.html').waitFor();
    await workbench.welcome.getByText('Build App', { exact: true }).waitFor();
    await workbench.screenshots('list-app-created');
    const hasOfferedSignIn = await workbench.watchWelcome('Sign In');
    const begin = performance.now();
    await workbench.clickNotification(ready, 'Build App');
    await workbench.clickNotification('Shopping List 1.0.0 for Android is ready', 'Download');
    const file = await workbench.suggestedFile(/\.apk$/);
    await workbench.quickInput.press('Enter');
    await workbench.notification('was downloaded').waitFor();
    const seconds = (performance.now() - begin) / 1000;
    try {
      await verifyApk(await readFile(file));
    } finally {
      await rm(file);
    }
    assert.equal(await hasOfferedSignIn(), false);
    console.log(`      3 actions, ${seconds.toFixed(1)} s from the sample to the package`);
  });

  it('isn’t created in the open folder, and previews its pages', async () => {
    await workbench.runCommand('App Build: Create Sample Project…');
    await workbench.pick('Web Page');
    await workbench.chooseFolder(parent, 'Create Here');
    await workbench.question('Where should tally-app open?').waitFor();
    await workbench.screenshots('sample-where');
    await workbench.pick('Open in This Window');
    const ready = 'Tally is ready.';
    await workbench.notification(ready).waitFor();
    await workbench.tab('index.html').waitFor();
    await workbench.screenshots('sample-in-this-window');
    await workbench.clickNotification(ready, 'Preview');
    await workbench.previewedApp.getByRole('heading', { name: 'Tally' }).waitFor();
    await workbench.screenshots('sample-preview');
  });
});

/** The first minute with the walkthrough's buttons: from the welcome text to the app. */
describe('the walkthrough', () => {
  let workbench: WorkbenchPage;
  let walkthrough: Locator;
  let saved: string | undefined;

  before(async () => {
    workbench = await openWindow();
    walkthrough = workbench.page.locator('.gettingStartedContainer');
  });

  after(async () => {
    if (saved !== undefined) {
      await rm(saved, { force: true });
    }
  });

  /** Waits until a step is checked off. */
  const ticked = (title: string) =>
    walkthrough.locator(`[role=checkbox][aria-checked=true][aria-label*="${title}"]`).waitFor();
  const openSteps = () => walkthrough.locator('.getting-started-step [role=checkbox][aria-checked=false]').count();
  const openStep = (title: string) => walkthrough.locator('.getting-started-step', { hasText: title }).click();
  const press = (name: string) => walkthrough.getByRole('button', { name, exact: true }).click();
  const showWalkthrough = () => workbench.page.locator('.tabs-container .tab', { hasText: 'Welcome' }).click();

  it('checks off each step, from the welcome text to another service', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('get started step by step');
    await walkthrough.getByText('Build Your First App').first().waitFor();
    assert.equal(await openSteps(), 3);

    await press('create a sample project');
    await workbench.question('Which kind of project do you want?').waitFor();
    await workbench.pick('Cordova Project');
    await workbench.chooseFolder(inWorkspace(), 'Create Here');
    await workbench.clickNotification('Hello is ready', 'Build App');
    await workbench.treeRow(/^Android\s*complete.*test key/).waitFor();
    // Only platforms that can be built here are offered, so that the first build doesn't fail.
    assert.equal(await workbench.treeRow(/^iOS/).count(), 0);
    assert.match(await readFile(inWorkspace('hello-app', 'config.xml'), 'utf8'), /<widget id="com\.example\.hello"/);
    await showWalkthrough();
    await ticked('Build your first app');

    await openStep('Put it on a phone');
    await press('save the file');
    await workbench.question('Download').waitFor();
    saved = path.resolve(await workbench.suggestedFile(/Hello.*\.\w+$/));
    await workbench.quickInput.press('Enter');
    await ticked('Put it on a phone');

    await openStep('Use another service');
    await press('Connect to a Service…');
    await workbench.quickInput.waitFor();
    await workbench.page.keyboard.press('Escape');
    await ticked('Use another service');
    assert.equal(await openSteps(), 0);
    await workbench.screenshots('walkthrough');
  });
});

/** Apps that the user built earlier. */
const OTHER_APPS = [
  ['Field Notes', '2.4.1', { android: 'complete', ios: 'complete', winphone: 'skip' }],
  ['Tide Tables', '1.0.3', { android: 'complete', ios: 'error', winphone: 'skip' }],
] as const;

const LOG = `Reading config.xml: Shop 1.0.0
Adding the platform android
> Task :app:compileReleaseJavaWithJavac
> Task :app:mergeReleaseAssets
> Task :app:assembleRelease
`;
const LOG_END = `BUILD SUCCESSFUL in 41s
Signed with “Distribution”
Built Shop-1.0.0.apk, 2,914,310 bytes
`;

/** The file that *Configure Default Build…* writes. */
const TASKS = JSON.stringify({
  version: '2.0.0',
  tasks: [{ type: 'app-build', label: 'App Build: workspace', group: { kind: 'build', isDefault: true } }],
});

describe('building a folder', () => {
  it('starts with the build shortcut, shows its progress in the tree and the log, and ends with a notification and a download', async () => {
    const service = await OriginalService.start();
    try {
      const { url, username, password } = service;
      service.addKey('ios', { title: 'Distribution', default: true, locked: false });
      for (const [title, version, states] of OTHER_APPS) {
        const packageId = `com.example.${title.replace(' ', '').toLowerCase()}`;
        const id = service.addApp({ title, version, package: packageId });
        for (const [platform, status] of Object.entries(states)) {
          service.finish(id, platform, status, status === 'error' ? 'The build ran out of memory.' : undefined);
        }
      }
      const workbench = await openWindowSignedInAt(
        { url },
        { username, password, email: 'demo@example.com' },
        { settings: { 'appBuild.notify': 'always' }, files: { ...WEB_PROJECT, '.vscode/tasks.json': TASKS } },
      );
      await workbench.page.keyboard.press('ControlOrMeta+Shift+b');
      await workbench.question('Which app does workspace build?').waitFor();
      await workbench.pick('Create an App');
      await workbench.terminal.getByText('Building “').waitFor();
      const shop = [...service.apps.keys()].at(-1) ?? 0;
      service.setLog(shop, 'android', LOG);
      await workbench.runCommand('View: Toggle Panel Visibility');
      await workbench.clearNotifications();
      await workbench.expandTreeRow(/^Apps/);
      await workbench.expandTreeRow(/^Field Notes/);
      await workbench.treeRow(/^Windows Phone\s*skipped$/).waitFor();
      await workbench.chooseTreeRowItem(/^Field Notes/, 'Developer', 'Open as JSON');
      await workbench.tab(`${shop - 2}.json`).waitFor();
      await workbench.chooseTreeRowItem(/^Android/, 'Show Log');
      await workbench.page.locator('.editor-group-container').getByText('assembleRelease').first().waitFor();
      service.setLog(shop, 'android', `${LOG}${LOG_END}`);
      service.finishAll();
      await workbench.notification(/Shop.* for Android, iOS, Windows Phone is ready/).waitFor();
      await workbench.treeRow(/^Shop 1\.0\.0\s*Android ✓/).waitFor();
      await workbench.clickNotification(/Shop.* is ready/, 'Download');
      await workbench.pick('Android');
      await workbench.question('Download').waitFor();
      const file = await workbench.suggestedFile(/Shop.*\.\w+$/);
      await workbench.quickInput.press('Enter');
      await workbench.notification('was downloaded.').waitFor();
      assert.ok((await readFile(file)).equals(service.artifact));
      await rm(file);
      assert.equal(service.uploads.length, 1);
    } finally {
      await service.close();
    }
  });

  it('produces a signed Android app at the local service', async () => {
    const workbench = await openWindow({ settings: { 'appBuild.notify': 'always' }, files: WEB_PROJECT });
    await workbench.openViewContainer('App Build');
    await startDemo(workbench);
    const page = await workbench.newTab(() => workbench.clickWelcome('Sign In'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.runCommand('App Build: Build App');
    await workbench.question('Which app does workspace build?').waitFor();
    await workbench.pick('Create an App');
    await workbench.treeRow(/^Android\s*complete.*test key/).waitFor();
    await workbench.clearNotifications();
    await workbench.chooseTreeRowItem(/^Android/, 'Show Log');
    await workbench.page.locator('.editor-group-container').getByText('Built Shop').first().waitFor();
    // Show the notification again, next to the log.
    await workbench.runCommand('App Build: Build App');
    await workbench.notification(/Shop.* for Android is ready/).waitFor();
    await workbench.clickNotification(/Shop.* is ready/, 'Download');
    await workbench.question('Download').waitFor();
    const file = await workbench.suggestedFile(/Shop-1\.2\.0-test\.apk$/);
    await workbench.quickInput.press('Enter');
    await workbench.notification('was downloaded.').waitFor();
    const apk = await verifyApk(await readFile(file));
    assert.equal(getContent(apk, 'assets/www/index.html').toString(), WEB_PROJECT['www/index.html']);
    assert.equal(getCertificate(apk).subject, 'CN=Test key');
    await rm(file);
  });
});
