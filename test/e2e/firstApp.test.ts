import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { contentOf, verifyApk } from '../support/apk/verifyApk.ts';
import { inSteps, inWorkspace, openWindow } from './suite.ts';
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

  it('stays green after a build fails for a platform that can’t be built here', async () => {
    await workbench.clearNotifications();
    // What the menu of the row has in it depends on the app, which is read after the reload.
    await workbench.treeRow(/^workspace.*android ✓/).waitFor();
    await workbench.chooseTreeRowItem(/^workspace/, 'Build App…');
    await workbench.question('Platforms to build for').waitFor();
    await workbench.pick('android');
    await workbench.pick('ios');
    await workbench.quickInput.press('Enter');
    await workbench.notification(/The build of Tally 1\.0\.0 for iOS failed: iOS apps need a Mac/).waitFor();
    await workbench.clearNotifications();
    await workbench.chooseTreeRowItem(/^workspace/, 'Build This Folder');
    await workbench.buildStatus.getByText('Tally: built').waitFor();
    await workbench.treeRow(/^workspace.*android ✓\s*$/).waitFor();
    const rows = await workbench.treeRows();
    assert.ok(!rows.some((row) => /^(?:ios|winphone)/.test(row)), rows.join('\n'));
    await workbench.screenshots('green-after-ios');
  });

  it('reports a problem that may keep the app from working, and shows it', async () => {
    const page =
      '<!doctype html><title>Tally</title><h1>0</h1><script src="app.js"></script><script src="gone.js"></script>';
    await writeFile(inWorkspace('www', 'index.html'), page);
    await writeFile(inWorkspace('www', 'app.js'), '');
    await workbench.chooseTreeRowItem(/^workspace/, 'Build This Folder');
    const text = /Tally 1\.0\.0 for Android is ready, but 1 problem may keep it from working\./;
    await workbench.notification(text).waitFor();
    await workbench.screenshots('build-with-problem');
    await workbench.clickNotification(text, 'Show Problems');
    await workbench.treeRow(/gone\.js/).waitFor();
    await workbench.screenshots('build-problems');
  });
});
