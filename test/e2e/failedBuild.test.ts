/** A failed build, a package with a problem, and a mistake in config.xml: the messages that the user sees, and the fixes. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { inSteps, inWorkspace, openWindow } from './suite.ts';
import { tryAgain, type WorkbenchPage } from './workbenchPage.ts';

const APP = /^Tally 1\.0\.0/;
const PAGE = '<!doctype html><title>Tally</title><h1>0</h1>';

describe('fixing a failed build', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow({
      files: {
        'config.xml':
          '<widget id="com.example.tally" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">\n  <name>Tally</name>\n  <access allow="*" />\n</widget>\n',
        'www/index.html': PAGE,
      },
    });
  });

  it('marks a mistake in config.xml, and fixes it with the light bulb', async () => {
    const { page } = workbench;
    await workbench.treeRow('config.xml').dblclick();
    await page.locator('.squiggly-warning').waitFor();
    await page.locator('.view-line', { hasText: 'access' }).getByText('allow', { exact: true }).click();
    await page.locator('.lightBulbWidget:visible').waitFor();
    // Uses the keyboard shortcut, because the light bulb moves while the editor looks for fixes.
    const fixed = page.locator('.view-line', { hasText: 'origin="*"' });
    await tryAgain(page, async (timeout) => {
      if (!(await fixed.isVisible())) {
        await page.keyboard.press('ControlOrMeta+.');
        await page.locator('.action-widget').getByText('Change to “origin”').click({ timeout });
      }
      await fixed.waitFor({ timeout });
    });
    await page.locator('.squiggly-warning').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.dirty').waitFor({ state: 'detached' });
  });

  it('fails with the reason for a platform that can’t be built here, and shows the app as built after the next build', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Build App');
    await workbench.notification(/Tally 1\.0\.0 for Android is ready/).waitFor();
    await workbench.clearNotifications();
    await workbench.chooseTreeRowItem(APP, 'Manage App', 'Build with Options…');
    await workbench.question('Platforms to build for').waitFor();
    await workbench.pick('Android');
    await workbench.pick('iOS');
    await workbench.quickInput.press('Enter');
    await workbench.notification('The build of Tally 1.0.0 for iOS failed.').waitFor();
    assert.equal((await workbench.notifications()).length, 1);
    await workbench.buildStatus.getByText('Tally: build failed').waitFor();
    assert.deepEqual(await workbench.statusBarColors(), ['rgba(0, 0, 0, 0)']);
    await workbench.screenshots('failed-ios');
    await workbench.clearNotifications();
    await workbench.chooseTreeRowItem(APP, 'Build App');
    await workbench.buildStatus.getByText('Tally: built').waitFor();
    await workbench.treeRow(/^Tally 1\.0\.0\s*Android ✓\s*$/).waitFor();
    assert.deepEqual(await workbench.statusBarColors(), ['rgba(0, 0, 0, 0)']);
    const rows = await workbench.treeRows();
    assert.ok(!rows.some((row) => /^(?:iOS|Windows Phone)/.test(row)), rows.join('\n'));
    await workbench.screenshots('green-after-ios');
  });

  it('reports a problem that may break the app, and clears it after the fix', async () => {
    await writeFile(inWorkspace('www', 'index.html'), `${PAGE}<script src="gone.js"></script>`);
    await workbench.chooseTreeRowItem(APP, 'Build App');
    await workbench.dialog.getByText('The app from workspace would show a blank page.').waitFor();
    await workbench.answerDialog('Cancel');
    await writeFile(
      inWorkspace('www', 'index.html'),
      `${PAGE}<script src="app.js"></script><script src="gone.js"></script>`,
    );
    await writeFile(inWorkspace('www', 'app.js'), '');
    await workbench.chooseTreeRowItem(APP, 'Build App');
    const text = /Tally 1\.0\.0 is ready, with 1 problem\./;
    await workbench.notification(text).waitFor();
    await workbench.screenshots('build-with-problem');
    await workbench.clickNotification(text, 'Show Problems');
    await workbench.treeRow(/gone\.js/).waitFor();
    await workbench.screenshots('build-problems');
    await workbench.clearNotifications();
    await writeFile(inWorkspace('www', 'gone.js'), '');
    await workbench.chooseTreeRowItem(APP, 'Build App');
    await workbench.buildStatus.getByText('Tally: built').waitFor();
    assert.ok(!(await workbench.notifications()).some((shown) => shown.includes('problem')));
  });
});
