/** The main job without a mouse, with the names that a screen reader says on the way. */
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
  /** Moves to the notification that says so. @returns what is said of it */
  const focusNotification = async (text: RegExp) => {
    await workbench.notification(text).waitFor();
    await keys.runCommand('Notifications: Focus Notification Toast');
    return keys.pressUntilFocused('ArrowDown', text);
  };
  const dialog = (name: RegExp) => workbench.page.getByRole('dialog', { name });
  /** Chooses an entry of the context menu of the row that has the focus. */
  const chooseFromMenu = async (entry: RegExp) => {
    await keys.press('Shift+F10');
    await workbench.page.getByRole('menu').last().waitFor();
    await keys.pressUntilFocused('ArrowDown', entry);
    await keys.press('Enter');
  };

  it('the view says how to begin, and the local service is started', async () => {
    await keys.runCommand('View: Show App Build');
    await workbench.welcome.getByText('Build This Folder').waitFor();
    await focusView();
    await keys.untilFocused(/^Welcome$/);
    await keys.pressUntilFocused('Tab', /^Build This Folder$/);
    await keys.pressUntilFocused('Tab', /^Connect to a Service…$/);
    await keys.runCommand('App Build: Start Local Service');
    assert.match(
      await focusNotification(/The local service is running/),
      /^Info: The local service is running at http:\/\/127\.0\.0\.1:\d+.*, source: Application Build Service, notification/,
    );
    // Closes it.
    await keys.press('Delete');
    await workbench.treeRow('@localhost').waitFor();
    await keys.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  });

  it('one signs in, on the pages of the service', async () => {
    await focusView();
    await keys.pressUntilFocused('Tab', /^Sign In$/);
    const page = await workbench.newTab(() => keys.press('Enter'));
    const browser = new Keyboard(page);
    await page.getByRole('heading', { name: /^Allow/ }).waitFor();
    await browser.pressUntilFocused('Tab', /^Allow$/);
    await browser.press('Enter');
    await page.getByText('You can close this page now').waitFor();
    await workbench.comeBackFrom(page);
    await workbench.treeRow('@localhost').waitFor();
  });

  it('a folder is built, one hears how it ended, and saves what it made', async () => {
    await keys.runCommand('App Build: Build This Folder');
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
    await workbench.notification('is downloaded.').waitFor();
    assert.ok((await readFile(file)).includes('assets/www/index.html'));
    await rm(file);
  });

  it('each row says its state in words', async () => {
    await focusView();
    await keys.press('Home');
    await keys.untilFocused(/^Folder workspace, built as Shop, version 1\.2\.0, complete, android: complete$/);
    for (const name of [
      /^android, complete, .*, test key$/,
      /^Signing Keys, none chosen$/,
      /^Collaborators: 1 person$/,
      /^More/,
      /^.+, .*@localhost$/,
    ]) {
      // A key that is pressed while VS Code draws the rows again after the build leads nowhere.
      await keys.pressUntilFocused('ArrowDown', name);
    }
  });

  it('the log is read from the menu of a row, and one agrees to share a build, or not', async () => {
    await keys.pressUntilFocused('ArrowUp', /^android/);
    await chooseFromMenu(/^Show Build Log$/);
    await keys.untilFocused(/^Shop – android\.log/);
    assert.match(await workbench.editorText(), /Building Shop/);
    await focusView();
    await keys.untilFocused(/^android/);
    await chooseFromMenu(/^Install on Device…$/);
    const question = dialog(/Share the build in your network\?/);
    await question.waitFor();
    await keys.press('Escape');
    await question.waitFor({ state: 'hidden' });
    assert.equal(await workbench.page.locator('iframe.webview').count(), 0);
  });

  it('an app is deleted, and the focus is in the view again', async () => {
    await focusView();
    await keys.pressUntilFocused('ArrowUp', /^Folder workspace/);
    await chooseFromMenu(/^Delete App…$/);
    await dialog(/Delete “Shop”\?/).waitFor();
    await keys.pressUntilFocused('Tab', /^Delete$/);
    await keys.press('Enter');
    await workbench
      .notification('“Shop” is deleted.')
      .or(workbench.page.getByText('“Shop” is deleted.'))
      .first()
      .waitFor();
    // If the row was drawn anew meanwhile, the view has the focus, and an arrow key leads to a row.
    await keys.press('ArrowDown');
    await keys.untilFocused(/./, 'treeitem');
  });

  it('one signs out', async () => {
    await keys.runCommand('App Build: Sign Out');
    await workbench.welcome.getByText('Sign In', { exact: true }).waitFor();
  });
});
