/** From an open folder to an installable file, by a newcomer: the empty view, the walkthrough, a sample, and the key for the build task. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { certificateOf, contentOf, verifyApk } from '../support/apk/verifyApk.ts';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { OriginalService } from '../support/originalService.ts';
import { windowPicture } from './pictures.ts';
import { decide, signInWithCodeHosting } from './servicePages.ts';
import { inSteps, inWorkspace, openWindow, openWindowSignedInAt, startDemo } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const CONFIG = `<?xml version="1.0" encoding="UTF-8"?>
<widget id="com.example.tally" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>Tally</name>
  <content src="index.html" />
</widget>
`;

describe('the first app', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow({
      files: { 'config.xml': CONFIG, 'www/index.html': '<!doctype html><title>Tally</title><h1>0</h1>' },
    });
  });

  it('takes three clicks from the empty view to a signed package on the disk, and no browser', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.welcome.getByText('Build This Folder', { exact: true }).waitFor();
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
    await click(workbench.clickWelcome('Build This Folder'));
    await click(workbench.clickNotification(/Tally 1.0.0 for Android is ready/, 'Download'));
    const file = await workbench.suggestedFile(/Tally.*\.apk$/);
    await click(workbench.quickInput.press('Enter'));
    await workbench.notification('is downloaded').waitFor();
    const milliseconds = performance.now() - begin;
    try {
      // A package whose signatures are not right is refused there.
      assert.match(contentOf(await verifyApk(await readFile(file)), 'assets/www/index.html').toString(), /<h1>0<\/h1>/);
    } finally {
      await rm(file);
    }
    assert.equal(clicks, 3);
    assert.equal(await hasOfferedSignIn(), false, 'an account is signed in without a click');
    assert.equal(workbench.page.context().pages().length, pages, 'a browser was opened');
    console.log(`      ${clicks} clicks, ${(milliseconds / 1000).toFixed(1)} s from the empty view to the package`);
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

  it('opens with its page and the view, and its first build takes three actions', async () => {
    await workbench.goTo('/?ew=true');
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Create Sample Project…');
    await workbench.pick('Web App with a Manifest (PWA)');
    await workbench.chooseFolder(parent, 'Create Here');
    const ready = 'The sample project list-app is ready.';
    await workbench.notification(ready).waitFor();
    await workbench.tab('index.html').waitFor();
    await workbench.welcome.getByText('Build This Folder', { exact: true }).waitFor();
    await workbench.screenshots('list-app-created');
    const hasOfferedSignIn = await workbench.watchWelcome('Sign In');
    const begin = performance.now();
    await workbench.clickNotification(ready, 'Build');
    await workbench.clickNotification('Shopping List 1.0.0 for Android is ready.', 'Download');
    const file = await workbench.suggestedFile(/\.apk$/);
    await workbench.quickInput.press('Enter');
    await workbench.notification('is downloaded').waitFor();
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
    const ready = 'The sample project tally-app is ready.';
    await workbench.notification(ready).waitFor();
    await workbench.tab('index.html').waitFor();
    await workbench.screenshots('sample-in-this-window');
    const opened = workbench.page.context().waitForEvent('page');
    await workbench.clickNotification(ready, 'Preview');
    await (await opened).getByRole('heading', { name: 'Tally' }).waitFor();
    await workbench.screenshots('sample-preview', await opened);
  });
});

/** The first minute by the buttons of the walkthrough: from the welcome text to the app. */
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

  /** Waits until a step is ticked off. */
  const ticked = (title: string) =>
    walkthrough.locator(`[role=checkbox][aria-checked=true][aria-label*="${title}"]`).waitFor();
  const openSteps = () => walkthrough.locator('.getting-started-step [role=checkbox][aria-checked=false]').count();
  const openStep = (title: string) => walkthrough.locator('.getting-started-step', { hasText: title }).click();
  const press = (name: string) => walkthrough.getByRole('button', { name, exact: true }).click();
  const showWalkthrough = () => workbench.page.locator('.tabs-container .tab', { hasText: 'Welcome' }).click();

  it('leads from the welcome text through the build to the app and to another service; each step ticks itself off', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('get started step by step');
    await walkthrough.getByText('Build Your First Mobile App').first().waitFor();
    assert.equal(await openSteps(), 3);

    await press('create a sample project');
    await workbench.question('What is the app made of?').waitFor();
    await workbench.pick('Cordova Project');
    await workbench.chooseFolder(inWorkspace(), 'Create Here');
    await workbench.clickNotification('The sample project hello-app is ready', 'Build');
    await workbench.treeRow(/^android\s*complete.*test key/).waitFor();
    // Only platforms that can be built here, so that the first build doesn't fail.
    assert.equal(await workbench.treeRow(/^ios/).count(), 0);
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

/** What the user has built before. */
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

/** As *Configure Default Build…* writes it. */
const TASKS = JSON.stringify({
  version: '2.0.0',
  tasks: [{ type: 'app-build', label: 'App Build: workspace', group: { kind: 'build', isDefault: true } }],
});

describe('building a folder, with pictures of it', () => {
  it('is started by the key for the build task, watched in the tree and the log, told, and downloaded', async () => {
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
      await workbench.question('Which app is workspace built as?').waitFor();
      await workbench.pick('Create an App');
      await workbench.terminal.getByText('is being built for').waitFor();
      const shop = [...service.apps.keys()].at(-1) ?? 0;
      service.setLog(shop, 'android', LOG);
      await workbench.runCommand('View: Toggle Panel Visibility');
      await workbench.clearNotifications();
      await workbench.expandTreeRow(/^Apps/);
      await workbench.expandTreeRow(/^Field Notes/);
      await workbench.treeRow(/^winphone\s*skipped$/).waitFor();
      await workbench.chooseTreeRowItem(/^Field Notes/, 'Open Resource');
      await workbench.tab(`${shop - 2}.json`).waitFor();
      await windowPicture('tree', workbench);
      await workbench.chooseTreeRowItem(/^android/, 'Show Build Log');
      await workbench.page.locator('.editor-group-container').getByText('assembleRelease').first().waitFor();
      service.setLog(shop, 'android', `${LOG}${LOG_END}`);
      service.finishAll();
      await workbench.notification(/Shop.* for Android, iOS, Windows Phone is ready/).waitFor();
      await workbench.treeRow(/^workspace.*android ✓/).waitFor();
      await workbench.clickNotification(/Shop.* is ready/, 'Download');
      await workbench.pick('android');
      await workbench.question('Download').waitFor();
      const file = await workbench.suggestedFile(/Shop.*\.\w+$/);
      await workbench.quickInput.press('Enter');
      await workbench.notification('is downloaded.').waitFor();
      assert.ok((await readFile(file)).equals(service.artifact));
      await rm(file);
      assert.equal(service.uploads.length, 1);
    } finally {
      await service.close();
    }
  });

  it('ends, at the local service, with a signed Android app', async () => {
    const workbench = await openWindow({ settings: { 'appBuild.notify': 'always' }, files: WEB_PROJECT });
    await workbench.openViewContainer('App Build');
    await startDemo(workbench);
    const page = await workbench.newTab(() => workbench.clickWelcome('Sign In'));
    await signInWithCodeHosting(page);
    await decide(page, 'Allow');
    await workbench.comeBackFrom(page);
    await workbench.treeRow('octo-demo').waitFor();
    await workbench.runCommand('App Build: Build This Folder');
    await workbench.question('Which app is workspace built as?').waitFor();
    await workbench.pick('Create an App');
    await workbench.treeRow(/^android\s*complete.*test key/).waitFor();
    await workbench.clearNotifications();
    await workbench.chooseTreeRowItem(/^android/, 'Show Build Log');
    await workbench.page.locator('.editor-group-container').getByText('Built Shop').first().waitFor();
    // Told again, beside its log.
    await workbench.runCommand('App Build: Build This Folder');
    await workbench.notification(/Shop.* for Android is ready/).waitFor();
    await windowPicture('build', workbench);
    await workbench.clickNotification(/Shop.* is ready/, 'Download');
    await workbench.question('Download').waitFor();
    const file = await workbench.suggestedFile(/Shop-1\.2\.0-test\.apk$/);
    await workbench.quickInput.press('Enter');
    await workbench.notification('is downloaded.').waitFor();
    const apk = await verifyApk(await readFile(file));
    assert.equal(contentOf(apk, 'assets/www/index.html').toString(), WEB_PROJECT['www/index.html']);
    assert.equal(certificateOf(apk).subject, 'CN=Test key');
    await rm(file);
  });
});
