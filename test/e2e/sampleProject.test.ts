import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { verifyApk } from '../support/apk/verifyApk.ts';
import { inWorkspace, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const SAMPLES = {
  'Web Page': ['tally-app', 'Tally'],
  'Web App with a Manifest (PWA)': ['list-app', 'Shopping List'],
  'Cordova Project': ['hello-app', 'Hello'],
} as const;

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

  for (const [kind, [folder, title]] of Object.entries(SAMPLES)) {
    it(`opens with its page and the view, and its first build takes three actions: ${kind}`, async () => {
      await workbench.goTo('/?ew=true');
      await workbench.openViewContainer('App Build');
      await workbench.clickWelcome('Create Sample Project…');
      await workbench.pick(kind);
      await workbench.chooseFolder(parent, 'Create Here');
      const ready = `The sample project ${folder} is ready.`;
      await workbench.notification(ready).waitFor();
      await workbench.tab('index.html').waitFor();
      await workbench.welcome.getByText('Build This Folder', { exact: true }).waitFor();
      await workbench.screenshots(`${folder}-created`);
      const hasOfferedSignIn = await workbench.watchWelcome('Sign In');
      const begin = performance.now();
      await workbench.clickNotification(ready, 'Build');
      await workbench.clickNotification(`${title} 1.0.0 for Android is ready.`, 'Download');
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
  }

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
