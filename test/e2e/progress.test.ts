/** How soon after a click the window shows that a command runs. */
import { WEB_PROJECT } from '../support/appPackages.ts';
import { inSteps, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('the progress of a command', function () {
  inSteps(this);

  let workbench: WorkbenchPage;

  before(async () => {
    workbench = await openWindow({ files: WEB_PROJECT, settings: { 'appBuild.notify': 'always' } });
  });

  /** Does something that runs a command, and reports when the window showed that it runs. */
  async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
    const shown = await workbench.watchProgress();
    await run();
    console.log(`      ${Math.round(await shown())} ms: ${name}`);
  }

  const ready = () => workbench.notification(/Shop 1\.2\.0 for Android is ready/).waitFor();

  it('shows in the status bar while the view is hidden, the first command included', async () => {
    await workbench.treeRow('config.xml').waitFor();
    await measure('Preview, the first command of the window', () => workbench.runCommand('App Build: Preview'));
    await workbench.previewedApp.locator('body').waitFor({ state: 'attached' });
    await measure('Build App', () => workbench.runCommand('App Build: Build App'));
    await ready();
  });

  it('shows in the bar of the view', async () => {
    // The panel that is there would be shown at once.
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
      await measure(`${action} in a row`, () => workbench.clickTreeRowAction(row, action));
      if (action === 'Install') {
        await workbench.answerDialog('Cancel');
      } else if (action === 'Download…') {
        await workbench.suggestedFile(/Shop.*\.apk$/);
        await workbench.page.keyboard.press('Escape');
      }
    }
    await ready();
    await measure('Download in the notification', () => workbench.clickNotification(/Shop 1\.2\.0/, 'Download'));
    await workbench.suggestedFile(/Shop.*\.apk$/);
    await workbench.page.keyboard.press('Escape');
  });
});
