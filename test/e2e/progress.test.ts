/** Time from a click to the first sign of progress in the window. */
import { WEB_PROJECT } from '../support/appPackages.ts';
import { inSteps, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('the progress of a command', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow({ files: WEB_PROJECT, settings: { 'appBuild.notify': 'always' } });
  });

  /** Runs a command and records when the window showed its progress. */
  async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
    const shown = await workbench.watchProgress();
    await run();
    console.log(`      ${Math.round(await shown())} ms: ${name}`);
  }

  const ready = () => workbench.notification(/Shop 1\.2\.0 for Android is ready/).waitFor();

  it('appears in the status bar while the view is hidden, even for the first command', async () => {
    await workbench.treeRow('config.xml').waitFor();
    await measure('for Preview, the first command in the window', () => workbench.runCommand('App Build: Preview'));
    await workbench.previewedApp.locator('body').waitFor({ state: 'attached' });
    await measure('for Build App', () => workbench.runCommand('App Build: Build App'));
    await ready();
  });

  it('appears in the progress bar of the view', async () => {
    // An existing panel would appear immediately.
    await workbench.runCommand('View: Close All Editors');
    await workbench.openViewContainer('App Build');
    await workbench.treeRow(/^Android\s*complete/).waitFor();
    await workbench.runCommand('View: Close All Editors');
    for (const [action, row] of [
      ['Preview', /^Shop/],
      ['Install', /^Shop/],
      ['Download…', /^Android/],
      ['Build App', /^Shop/],
    ] as const) {
      await workbench.clearNotifications();
      await measure(`for ${action} in a row`, () => workbench.clickTreeRowAction(row, action));
      if (action === 'Install') {
        await workbench.answerDialog('Cancel');
      } else if (action === 'Download…') {
        await workbench.suggestedFile(/Shop.*\.apk$/);
        await workbench.page.keyboard.press('Escape');
      }
    }
    await ready();
    await measure('for Download in the notification', () => workbench.clickNotification(/Shop 1\.2\.0/, 'Download'));
    await workbench.suggestedFile(/Shop.*\.apk$/);
    await workbench.page.keyboard.press('Escape');
  });
});
