/** The main job without a mouse, including the names that a screen reader reads. */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { WEB_PROJECT } from '../support/appPackages.ts';
import { Keyboard } from './keyboard.ts';
import { inSteps, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

describe('by keyboard alone', function () {
  inSteps(this);

  let workbench: WorkbenchPage;
  let keys: Keyboard;

  before(async () => {
    workbench = await openWindow({ settings: { 'appBuild.notify': 'always' }, files: WEB_PROJECT });
    keys = new Keyboard(workbench.page);
  });

  const focusView = () => keys.runCommand('App Build: Focus on Resources View');
  /** Moves the focus to the notification with this text. @returns its accessible name */
  const focusNotification = async (text: RegExp) => {
    // VS Code hides a notification after ten seconds, which a busy machine exceeds, unless the pointer is over it.
    await workbench.notification(text).hover();
    await keys.runCommand('Notifications: Focus Notification Toast');
    return keys.pressUntilFocused('ArrowDown', text);
  };
  const dialog = (name: RegExp) => workbench.page.getByRole('dialog', { name });
  /** Chooses an entry in the context menu of the focused row, through submenus. */
  const chooseFromMenu = async (...entries: readonly RegExp[]) => {
    await keys.press('Shift+F10');
    await workbench.page.getByRole('menu').last().waitFor();
    for (const entry of entries) {
      await keys.pressUntilFocused('ArrowDown', entry);
      await keys.press('Enter');
    }
  };
  /** Moves the focus into the open panel, which is a separate page. */
  const intoPanel = async () => {
    await workbench.webview.locator('button, summary').first().waitFor();
    const element = await workbench.webview.locator('body').elementHandle();
    const frame = (await element.ownerFrame()) ?? assert.fail('the panel is missing');
    return new Keyboard(workbench.page, frame);
  };
  const focusRow = async (name: RegExp) => {
    await focusView();
    await keys.press('Home');
    await keys.pressUntilFocused('ArrowDown', name);
  };

  it('explains in the view how to begin, and starts the local service', async () => {
    await keys.runCommand('View: Show App Build');
    await workbench.welcome.getByText('Build App').waitFor();
    await focusView();
    await keys.untilFocused(/^Welcome$/);
    await keys.pressUntilFocused('Tab', /^Build App$/);
    await keys.pressUntilFocused('Tab', /^Connect to a Service…$/);
    await keys.runCommand('App Build: Start Local Service');
    assert.match(
      await focusNotification(/The local service is running/),
      /^Info: The local service is running at 127\.0\.0\.1:\d+.*, source: App Build, notification/,
    );
    // Closes the notification.
    await keys.press('Delete');
    await workbench.treeRow('@localhost').waitFor();
    await keys.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  });

  it('signs in on the service’s pages', async () => {
    await focusView();
    await keys.pressUntilFocused('Tab', /^Sign In$/);
    const page = await workbench.newTab(() => keys.press('Enter'));
    const browser = new Keyboard(page);
    await page.getByRole('heading', { name: /wants to access your account$/ }).waitFor();
    await browser.pressUntilFocused('Tab', /^Allow$/);
    await browser.press('Enter');
    await page.getByText('You can close this page now').waitFor();
    await workbench.comeBackFrom(page);
    await workbench.treeRow('@localhost').waitFor();
  });

  it('builds a folder, announces the end of the build, and saves the package', async () => {
    await keys.runCommand('App Build: Build App');
    assert.match(
      await focusNotification(/Shop 1.2.0 for Android is ready/),
      /^Info: .*Shop 1.2.0 for Android is ready/,
    );
    assert.match((await workbench.buildStatus.getAttribute('aria-label')) ?? '', /^Application build: Shop: built/);
    await keys.pressUntilFocused('Tab', /^Download$/);
    await keys.press('Enter');
    await workbench.question('Download').waitFor();
    const file = await workbench.suggestedFile(/Shop.*\.\w+$/);
    await keys.press('Enter');
    await workbench.notification('was downloaded.').waitFor();
    assert.ok((await readFile(file)).includes('assets/www/index.html'));
    await rm(file);
  });

  it('describes the state of each row in words', async () => {
    await focusRow(/^Shop, version 1\.2\.0, complete, Android: complete, folder workspace$/);
    for (const name of [
      /^Android, complete, .*, test key$/,
      /^More/,
      /^.+, .*@localhost$/,
      /^Apps$/,
      /^No other apps$/,
      /^Signing Keys$/,
      /^Builds with: built-in builder, for Android$/,
    ]) {
      // A key press is lost if VS Code is rendering the rows at that moment, as it does after a build.
      await keys.pressUntilFocused('ArrowDown', name);
    }
  });

  it('opens the log of a row with Enter', async () => {
    await focusRow(/^Android/);
    await keys.press('Enter');
    await keys.untilFocused(/^Shop – Android\.log/);
    assert.match(await workbench.editorText(), /Building Shop/);
  });

  it('previews the app from the menu of its row, and reaches the panel’s buttons', async () => {
    await focusRow(/^Shop, version/);
    await chooseFromMenu(/^Preview$/);
    const panel = await intoPanel();
    await keys.runCommand('View: Focus Right Editor Group');
    await panel.pressUntilFocused('Tab', /^Dark Mode$/);
    await panel.pressUntilFocused('Tab', /^Open on a Phone…$/);
    await keys.runCommand('View: Close All Editor Groups');
  });

  it('installs the app from the panel after the user agrees to share the build', async () => {
    const question = dialog(/Share this app on your network\?/);
    const ask = async () => {
      await focusRow(/^Shop, version/);
      await chooseFromMenu(/^Install on a Phone/, /^Install over Wi-Fi…$/);
      await question.waitFor();
    };
    await ask();
    await keys.press('Escape');
    await question.waitFor({ state: 'hidden' });
    assert.equal(await workbench.page.locator('iframe.webview').count(), 0);
    await ask();
    await keys.pressUntilFocused('Tab', /^Share$/);
    await keys.press('Enter');
    await workbench.webview.getByText('Waiting for a phone…').waitFor();
    const panel = await intoPanel();
    await panel.pressUntilFocused('Tab', /^Trouble installing\?$/);
    await keys.press('Enter');
    await workbench.webview.locator('details[open]').waitFor();
    await focusRow(/^Shop, version/);
    await chooseFromMenu(/^Install on a Phone/, /^Stop Sharing$/);
    await workbench.page.locator('iframe.webview').waitFor({ state: 'detached' });
  });

  it('deletes an app, and moves the focus back to the view', async () => {
    await focusRow(/^Shop, version/);
    await chooseFromMenu(/^Manage App/, /^Delete App…$/);
    await dialog(/Delete “Shop”\?/).waitFor();
    await keys.pressUntilFocused('Tab', /^Delete$/);
    await keys.press('Enter');
    await workbench
      .notification('“Shop” was deleted.')
      .or(workbench.page.getByText('“Shop” was deleted.'))
      .first()
      .waitFor();
    await workbench.treeRow('No apps yet').waitFor();
    // If the row was rendered again in the meantime, the view has the focus, and an arrow key moves it to a row.
    await keys.pressUntilFocused('ArrowDown', /./, 'treeitem');
  });

  it('signs out', async () => {
    await keys.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  });
});
