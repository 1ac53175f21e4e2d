import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { contentOf, verifyApk } from '../support/apk/verifyApk.ts';
import { inSteps, openWindow } from './suite.ts';
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
      assert.match(contentOf(verifyApk(await readFile(file)), 'assets/www/index.html').toString(), /<h1>0<\/h1>/);
    } finally {
      await rm(file);
    }
    assert.equal(clicks, 3);
    assert.equal(workbench.page.context().pages().length, pages, 'a browser was opened');
    console.log(`      ${clicks} clicks, ${(milliseconds / 1000).toFixed(1)} s from the empty view to the package`);
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.screenshots('first-build');
  });

  it('leaves nothing to answer in the Accounts menu after a reload', async () => {
    await workbench.reload();
    await workbench.treeRow('Tally').waitFor();
    assert.deepEqual(await workbench.accountsRequests(), []);
    await workbench.accountsBadge.waitFor({ state: 'hidden' });
    await workbench.screenshots('reloaded');
  });
});
