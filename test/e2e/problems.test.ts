/** A plugin that the builder doesn't have: in the confirmation of a build, in Problems, and in the view, with the ways to remove it. */
import assert from 'node:assert/strict';
import { inSteps, openWindow } from './suite.ts';
import { tryAgain, type WorkbenchPage } from './workbenchPage.ts';

const PLUGIN = 'cordova-plugin-ble-central';
const CONFIG = `<?xml version="1.0" encoding="utf-8"?>
<widget id="com.example.tally" version="1.0.0" xmlns="http://www.w3.org/ns/widgets">
  <name>Tally</name>
  <plugin name="cordova-plugin-device" />
  <plugin name="${PLUGIN}" />
  <plugin name="" />
</widget>
`;
const PAGE = '<!doctype html><title>Tally</title><script src="app.js"></script>';

describe('a plugin that the builder doesn’t have', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow({
      files: {
        'config.xml': CONFIG,
        'www/index.html': PAGE,
        'www/app.js': 'show(device.uuid);\nble.scan([], 5, console.log);\n',
      },
    });
  });

  it('stops a build, and offers the possible fixes', async () => {
    await workbench.openViewContainer('App Build');
    await workbench.clickWelcome('Build App');
    await workbench.dialog.getByText('The build of workspace would fail.').waitFor();
    await workbench.screenshots('plugin-question');
    const buttons = await workbench.dialog.locator('.monaco-button').allInnerTexts();
    assert.deepEqual(buttons.slice().sort(), [
      'Build Anyway',
      'Cancel',
      'Install Engine…',
      'Remove Plugin',
      'Show Problems',
    ]);
    await workbench.answerDialog('Show Problems');
    await workbench.treeRow(PLUGIN).waitFor();
  });

  it('shows an error in Problems and in the view, and completes the names of available plugins', async () => {
    const { page } = workbench;
    await workbench.treeRow(PLUGIN).click();
    await page.locator('.squiggly-error').waitFor();
    await workbench.runCommand('Problems: Focus on Problems View');
    await page.locator('.markers-panel').getByText('contains native code').waitFor();
    await workbench.screenshots('plugin-problems');
    await page.locator('.view-line', { hasText: 'name=""' }).click();
    await tryAgain(page, async (timeout) => {
      await page.keyboard.press('End');
      for (let index = 0; index < '" />'.length; index += 1) {
        await page.keyboard.press('ArrowLeft');
      }
      await page.keyboard.press('ControlOrMeta+Space');
      await page.locator('.suggest-widget.visible').getByText('cordova-plugin-badge').waitFor({ timeout });
    });
    await page.keyboard.type('camera');
    await page.locator('.suggest-widget.visible').getByText('cordova-plugin-camera').waitFor();
    await page.keyboard.press('ControlOrMeta+Space');
    await page.locator('.suggest-details').getByText('Takes photos').waitFor();
    await workbench.screenshots('plugin-completion');
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: 'name="cordova-plugin-camera"' }).waitFor();
  });

  it('removes the plugin with the button of its row', async () => {
    const { page } = workbench;
    // A click on a row that is being replaced is lost. After the edit, the row has another button, because the page still calls the plugin.
    const line = page.locator('.view-line', { hasText: PLUGIN });
    await tryAgain(page, async (timeout) => {
      if (await line.isVisible()) {
        await workbench.clickTreeRowAction(PLUGIN, 'Remove Plugin', timeout);
      }
      await line.waitFor({ state: 'detached', timeout });
    });
    await page.locator('.squiggly-error').waitFor({ state: 'detached' });
    await workbench.treeRow('Fine').waitFor();
    await workbench.expandTreeRow('Fine');
    await workbench.screenshots('plugin-removed');
  });
});
