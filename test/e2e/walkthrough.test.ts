import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { inWorkspace, openWindow } from './suite.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** What a person does in the first minute: from the welcome text to the app, by the buttons of the walkthrough. */
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
    // Only what can be built here: nobody is to begin with a failure.
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
